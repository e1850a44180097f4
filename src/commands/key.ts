// The command `key`, which makes a key of an admin for the one who has the database.

import { parseArgs } from 'node:util';
import type { Config } from '../config.ts';
import { attachDatabase } from '../database/attach.ts';
import { makeAdminKey } from '../people/admin-key.ts';
import { runCommand } from '../process/command.ts';

const usage = `Usage: npm run key -- --email ADDRESS [--promote] [--workspace NAME]

Makes an API key of an admin and prints it. Works while the server runs, and while it does not.

  --email ADDRESS    The admin's account. Made where there is none with this address.
  --promote          Make the account an admin, where it has another role.
  --workspace NAME   Name or id of the workspace, where there are several.
  --help             Print this.

The database is the one of DATABASE_URL, or of DATA_DIR where that is not set.`;

process.exitCode = await runCommand({ usage, read: readOptions, run: printKey });

interface Options {
  readonly help: boolean;
  readonly email: string;
  readonly workspace: string | undefined;
  readonly promote: boolean;
}

function readOptions(): Options {
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
