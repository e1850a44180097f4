// The command `workspace`, which makes, lists, renames, hands out, takes in and deletes workspaces.

import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { pepperSetting } from '../auth/authentication.ts';
import type { Config } from '../config.ts';
import { attachDatabase } from '../database/attach.ts';
import { mustBeFree, saveAs } from '../database/backups/atomic-file.ts';
import { backUpAttached } from '../database/backups/attached.ts';
import { bytesOf } from '../database/backups/bytes.ts';
import { progressLines, sumOf } from '../database/backups/progress.ts';
import { openBackup } from '../database/backups/restore.ts';
import type { Database } from '../database/database.ts';
import { type Limited, limited, type WorkspaceUse } from '../limits/workspace-limits.ts';
import { makeAdminKey } from '../people/admin-key.ts';
import { deleteWorkspace } from '../people/workspaces/delete-workspace.ts';
import { importWorkspace } from '../people/workspaces/import-workspace.ts';
import {
  changeWorkspace,
  chooseWorkspace,
  createWorkspace,
  type GivenLimits,
  listWorkspaces,
} from '../people/workspaces/workspaces.ts';
import { endWhenInterrupted, runCommand } from '../process/command.ts';

const usage = `Usage: npm run workspace -- list
       npm run workspace -- create NAME --email ADDRESS
       npm run workspace -- rename NAME NEW
       npm run workspace -- limit NAME [--resources N] [--monitors N] [--writes-per-minute N] [--storage-mb N]
       npm run workspace -- export NAME FILE [--force]
       npm run workspace -- import FILE [--name NAME]
       npm run workspace -- delete NAME --yes

Works while the server runs, and while it does not. NAME is the name of a workspace, or its id.

  list      Prints each workspace with its id, its users and what it uses of what it may have.
  create    Makes a workspace with the team General and a first admin, and prints the admin's key.
  rename    Gives a workspace another name.
  limit     Says how much a workspace may hold and write; none for any number. Limits that are left out stay.
  export    Writes a backup of one workspace.
  import    Takes such a file in next to the other workspaces, with all its ids and its audit log, which is
            verified; - reads the standard input. Its keys work where they did; npm run key makes another one.
  delete    Deletes a workspace with all that is in it, its audit log included.

  --name NAME       The new name.
  --email ADDRESS   Account of the first admin.
  --resources N     Resources that are not deleted.
  --monitors N      Monitors.
  --writes-per-minute N   Writes in a minute, of all keys and people together.
  --storage-mb N    What its rows take of the database with their indexes, in MB, measured by samples once a minute.
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
// Who still writes there is not waited for.
process.stdin.destroy();

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
      name: { type: 'string' },
      yes: { type: 'boolean', default: false },
      force: { type: 'boolean', default: false },
      resources: { type: 'string' },
      monitors: { type: 'string' },
      'writes-per-minute': { type: 'string' },
      'storage-mb': { type: 'string' },
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
    case 'limit': {
      const [name = ''] = take(1, 'limit NAME --resources N');
      const limits = readLimits(values);
      return on((database) => limit(database, name, limits));
    }
    case 'export': {
      const [name = '', file = ''] = take(2, 'export NAME FILE');
      return { help: false, run: (config) => exportTo(config, { name, file, ...values }) };
    }
    case 'import': {
      const [file = ''] = take(1, 'import FILE');
      return on((database) => importFrom(database, file, values.name));
    }
    case 'delete': {
      const [name = ''] = take(1, 'delete NAME --yes');
      if (!values.yes) throw new Error(`Add --yes to delete ${name} for good, or export it first.`);
      return on((database) => remove(database, name));
    }
    default:
      throw new Error('Say what to do: list, create, rename, limit, export, import or delete.');
  }
}

type LimitOption = 'resources' | 'monitors' | 'writes-per-minute' | 'storage-mb';

/** The limits that are given. Throws where none is, or one is not a number. */
function readLimits(values: Readonly<Partial<Record<LimitOption, string>>>): GivenLimits {
  const limits = {
    ...limitOf('resources', values.resources),
    ...limitOf('monitors', values.monitors),
    ...limitOf('writes_per_minute', values['writes-per-minute']),
    ...limitOf('storage_mb', values['storage-mb']),
  };
  if (Object.keys(limits).length > 0) return limits;
  throw new Error('Give a limit: --resources, --monitors, --writes-per-minute or --storage-mb.');
}

function limitOf(what: Limited, given: string | undefined): GivenLimits {
  if (given === undefined) return {};
  if (given === 'none') return { [what]: null };
  if (/^\d{1,9}$/.test(given)) return { [what]: Number(given) };
  const option = `--${what.replaceAll('_', '-')}`;
  throw new Error(`${option} is a whole number from 0 to 999999999, or none for any number.`);
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
  for (const { id, name, users, uses } of await listWorkspaces(database)) {
    console.log(`${id}  ${name}: ${[`${users} users`, ...uses.map(useInWords)].join(', ')}`);
  }
}

function useInWords({ what, used, most }: WorkspaceUse): string {
  return `${used}${most === null ? '' : ` of ${most}`} ${limited[what].words}`;
}

async function limit(database: Database, name: string, limits: GivenLimits): Promise<void> {
  const { id } = await changeWorkspace(database, name, { limits });
  const all = await listWorkspaces(database);
  const uses = all.find((one) => one.id === id)?.uses ?? [];
  console.log(`${name} has ${uses.map(useInWords).join(', ')}.`);
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
  const before = await changeWorkspace(database, name, { name: other });
  console.log(`${before.name} (${before.id}) is called ${other.trim()} now.`);
}

async function remove(database: Database, name: string): Promise<void> {
  const gone = await deleteWorkspace(database, name, (table, rows) =>
    console.error(`${table}: ${rows} rows deleted`),
  );
  console.log(`Deleted the workspace ${gone.name} (${gone.id}).`);
}

async function importFrom(database: Database, file: string, name?: string): Promise<void> {
  await using backup = await openBackup(bytesOf(file));
  const onProgress = progressLines((line) => console.error(line));
  const taken = await importWorkspace(database, backup, { name, onProgress });
  console.log(`Imported ${taken.name} (${taken.id}), ${sumOf(taken.contents)}.`);
  const head = taken.head === null ? '' : `; head ${taken.head}`;
  console.log(`Its audit log is as it was sealed: ${taken.sealed} entries${head}.`);
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
