// Makes a backup of the database, whether or not Headwater runs: `npm run backup FILE`.

import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import type { Config } from '../config.ts';
import { mustBeFree, saveAs } from '../database/backups/atomic-file.ts';
import { backUpAttached } from '../database/backups/attached.ts';
import type { BackupOptions } from '../database/backups/backup.ts';
import { sumOf } from '../database/backups/progress.ts';
import { endWhenInterrupted, runCommand } from '../process/command.ts';

const usage = `Usage: npm run backup FILE
       npm run backup -- FILE --force

Writes all that the database holds at one moment into FILE, while Headwater serves or while it does not
run. FILE is a tar that only you may read. SECRETS_KEY, or the file secrets.key in DATA_DIR, is not in
it: keep it elsewhere, since credentials can't be opened without it.

  FILE       Where to write; - is the standard output.
  --force    Replace FILE where it is there already.
  --help     Print this.

The database is the one of DATABASE_URL, or of DATA_DIR where that is not set.`;

endWhenInterrupted();
process.exitCode = await runCommand({
  usage,
  read: readOptions,
  run: (config, options) =>
    options.file === '-' ? toStandardOutput(config) : toFile(config, options),
});

interface Options {
  readonly file: string;
  readonly force: boolean;
  readonly help: boolean;
}

function readOptions(): Options {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      force: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const [file = '', ...others] = positionals;
  if (!values.help && (file === '' || others.length > 0)) throw new Error('Name one FILE.');
  return { ...values, file };
}

async function toFile(config: Config, { file, force }: Options): Promise<void> {
  // npm runs this in the project's folder, wherever it was called.
  const path = resolve(process.env.INIT_CWD ?? '', file);
  mustBeFree(path, force);
  console.log(await make(config, (bytes) => saveAs(path, bytes, force), ` to ${path}`));
}

async function toStandardOutput(config: Config): Promise<void> {
  if (process.stdout.isTTY) throw new Error('The standard output is a terminal: name a file.');
  console.error(await make(config, (bytes) => pipeline(bytes, process.stdout), ''));
}

/** Make the backup; what was done, in one line. */
async function make(config: Config, save: BackupOptions['save'], where: string): Promise<string> {
  const started = performance.now();
  const { takenAt, contents } = await backUpAttached(config, { save });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  return `Backed up ${sumOf(contents)} as of ${takenAt}${where} in ${seconds} s.`;
}
