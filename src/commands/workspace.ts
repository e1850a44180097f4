// The command `workspace`, which makes, lists, renames, hands out and deletes workspaces.

import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { pepperSetting } from '../auth/authentication.ts';
import type { Config } from '../config.ts';
import { attachDatabase } from '../database/attach.ts';
import { mustBeFree, saveAs } from '../database/backups/atomic-file.ts';
import { backUpAttached } from '../database/backups/attached.ts';
import { sumOf } from '../database/backups/progress.ts';
import type { Database } from '../database/database.ts';
import { makeAdminKey } from '../people/admin-key.ts';
import { deleteWorkspace } from '../people/delete-workspace.ts';
import {
  chooseWorkspace,
  createWorkspace,
  listWorkspaces,
  renameWorkspace,
} from '../people/workspaces.ts';
import { endWhenInterrupted, runCommand } from '../process/command.ts';

const usage = `Usage: npm run workspace -- list
       npm run workspace -- create NAME --email ADDRESS
       npm run workspace -- rename NAME NEW
       npm run workspace -- export NAME FILE [--force]
       npm run workspace -- delete NAME --yes

Works while the server runs, and while it does not. NAME is the name of a workspace, or its id.

  list      Prints each workspace with its id, users, resources and monitors.
  create    Makes a workspace with the team General and a first admin, and prints the admin's key.
  rename    Gives a workspace another name.
  export    Writes a backup of one workspace: npm run restore puts it back into an empty database, where
            npm run key makes its first key.
  delete    Deletes a workspace with all that is in it, its audit log included.

  --email ADDRESS   Account of the first admin.
  --yes             That it is to be deleted for good.
  --force           Replace FILE where it is there already.
  --help            Print this.

The database is the one of DATABASE_URL, or of DATA_DIR where that is not set.`;

endWhenInterrupted();
process.exitCode = await runCommand({
  usage,
  read: readOptions,
  run: (config, options) => options.run(config),
});

interface Options {
  readonly help: boolean;
  readonly run: (config: Config) => Promise<void>;
}

function readOptions(): Options {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      email: { type: 'string', default: '' },
      yes: { type: 'boolean', default: false },
      force: { type: 'boolean', default: false },
    },
  });
  if (values.help) return { help: true, run: async () => {} };
  const [what, ...names] = positionals;
  const take = (count: number, form: string) => {
    if (names.length !== count || names.includes(''))
      throw new Error(`${what} is written: ${form}.`);
    return names;
  };
  const on = (work: (database: Database) => Promise<void>): Options => ({
    help: false,
    run: (config) => onDatabase(config, work),
  });
  switch (what) {
    case 'list':
      take(0, 'list');
      return on(printAll);
    case 'create': {
      const [name = ''] = take(1, 'create NAME --email ADDRESS');
      if (values.email === '') throw new Error('--email is missing.');
      return on((database) => create(database, name, values.email));
    }
    case 'rename': {
      const [name = '', other = ''] = take(2, 'rename NAME NEW');
      return on((database) => rename(database, name, other));
    }
    case 'export': {
      const [name = '', file = ''] = take(2, 'export NAME FILE');
      return { help: false, run: (config) => exportTo(config, { name, file, ...values }) };
    }
    case 'delete': {
      const [name = ''] = take(1, 'delete NAME --yes');
      if (!values.yes) throw new Error(`Add --yes to delete ${name} for good, or export it first.`);
      return on((database) => remove(database, name));
    }
    default:
      throw new Error('Say what to do: list, create, rename, export or delete.');
  }
}

async function onDatabase(
  config: Config,
  work: (database: Database) => Promise<void>,
): Promise<void> {
  const database = await attachDatabase(config);
  try {
    await work(database);
  } finally {
    await database.close();
  }
}

async function printAll(database: Database): Promise<void> {
  for (const { id, name, users, resources, monitors } of await listWorkspaces(database)) {
    console.log(`${id}  ${name}: ${users} users, ${resources} resources, ${monitors} monitors`);
  }
}

async function create(database: Database, name: string, email: string): Promise<void> {
  const made = await createWorkspace(database, { name, email });
  const { key } = await makeAdminKey(database, { email, workspace: made.id });
  // Only the key goes to the standard output, so that a program can take it.
  console.error(
    `The workspace ${made.name} (${made.id}), and a key of ${email}, its admin; shown only now:`,
  );
  console.log(key);
}

async function rename(database: Database, name: string, other: string): Promise<void> {
  const before = await renameWorkspace(database, name, other);
  console.log(`${before.name} (${before.id}) is called ${other.trim()} now.`);
}

async function remove(database: Database, name: string): Promise<void> {
  const gone = await deleteWorkspace(database, name, (table, rows) =>
    console.error(`${table}: ${rows} rows deleted`),
  );
  console.log(`Deleted the workspace ${gone.name} (${gone.id}).`);
}

interface ExportOptions {
  readonly name: string;
  readonly file: string;
  readonly force: boolean;
}

async function exportTo(config: Config, { name, file, force }: ExportOptions): Promise<void> {
  // npm runs this in the project's folder, wherever it was called.
  const path = resolve(process.env.INIT_CWD ?? '', file);
  mustBeFree(path, force);
  const { takenAt, contents, workspaces } = await backUpAttached(config, {
    one: { choose: (all) => chooseWorkspace(all, name).id, without: [pepperSetting] },
    save: (bytes) => saveAs(path, bytes, force),
  });
  const [one] = workspaces;
  console.log(
    `Exported ${one?.name} (${one?.id}), ${sumOf(contents)}, as of ${takenAt} to ${path}.`,
  );
}
