// In charge of the command `key`, which makes a key of an admin for whoever has the database.

import { parseArgs } from 'node:util';
import { type Config, readConfig } from '../config.ts';
import { attachDatabase } from '../database/attach.ts';
import { makeAdminKey } from '../people/admin-key.ts';
import { databaseFailure, startFailure } from '../start-failure.ts';

const usage = `Usage: npm run key -- --email ADDRESS [--promote] [--workspace NAME]

Makes an API key of an admin and prints it. Works while the server runs, and while it does not.

  --email ADDRESS    The admin's account. It is made where there is none with this address.
  --promote          Make the account an admin, where it has another role.
  --workspace NAME   Name or id of the workspace, where there are several.
  --help             Print this.

The database is the one of DATABASE_URL, or of DATA_DIR where that is not set.`;

process.exitCode = await main();

/** The exit code: 2 for arguments that can't be used, 1 where no key was made. */
async function main(): Promise<number> {
  const options = readOptions();
  if (options === null) return 2;
  if (options.help) {
    console.log(usage);
    return 0;
  }
  let config: Config | null = null;
  try {
    config = readConfig(process.env);
    await printKey(config, options);
    return 0;
  } catch (error) {
    console.error(startFailure(config ? databaseFailure(error, config) : error, config));
    return 1;
  }
}

interface Options {
  readonly help: boolean;
  readonly email: string;
  readonly workspace: string | undefined;
  readonly promote: boolean;
}

function readOptions(): Options | null {
  try {
    const { values } = parseArgs({
      options: {
        help: { type: 'boolean', short: 'h', default: false },
        email: { type: 'string', default: '' },
        workspace: { type: 'string' },
        promote: { type: 'boolean', default: false },
      },
    });
    if (values.email === '' && !values.help) throw new Error('--email is missing.');
    return { ...values, workspace: values.workspace };
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${usage}`);
    return null;
  }
}

async function printKey(config: Config, options: Options): Promise<void> {
  const database = await attachDatabase(config);
  try {
    const { key, email, workspace, account } = await makeAdminKey(database, options);
    const what = {
      made: 'a new admin',
      promoted: 'who became an admin',
      'as it was': 'an admin',
    }[account];
    // Only the key goes to the standard output, so that a program can take it.
    console.error(`A key of ${email}, ${what} of the workspace ${workspace}; shown only now:`);
    console.log(key);
  } finally {
    await database.close();
  }
}
