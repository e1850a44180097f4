// Restores a backup into an empty database: `npm run restore FILE`.

import { parseArgs } from 'node:util';
import type { Config } from '../config.ts';
import { attach } from '../database/attach.ts';
import { bytesOf } from '../database/backups/bytes.ts';
import { progressLines, sumOf } from '../database/backups/progress.ts';
import { openBackup, type Restored, restore } from '../database/backups/restore.ts';
import { withSession } from '../database/backups/session.ts';
import { runCommand } from '../process/command.ts';
import { countUnopened } from '../secrets/unopened.ts';

const usage = `Usage: npm run restore FILE

Restores what npm run backup wrote into a database that is empty: all of it, or nothing. A backup of an older
version is brought to this one.

  FILE       What to read; - is the standard input.
  --help     Print this.

The database is the one of DATABASE_URL, or of DATA_DIR where that is not set: a database without tables, or
a folder that Headwater was not started on.`;

process.exitCode = await runCommand({
  usage,
  read: readOptions,
  run: (config, { file }) => restoreFrom(bytesOf(file), config),
});
// Who still writes there is not waited for.
process.stdin.destroy();

interface Options {
  readonly file: string;
  readonly help: boolean;
}

function readOptions(): Options {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { help: { type: 'boolean', short: 'h', default: false } },
  });
  const [file = '', ...others] = positionals;
  if (!values.help && (file === '' || others.length > 0)) throw new Error('Name one FILE.');
  return { ...values, file };
}

async function restoreFrom(bytes: AsyncIterable<Uint8Array>, config: Config): Promise<void> {
  const started = performance.now();
  await using backup = await openBackup(bytes);
  await using database = await attach({
    databaseUrl: config.DATABASE_DIRECT_URL ?? config.DATABASE_URL,
    dataDir: config.DATA_DIR,
    onNotice: (message) => console.error(message),
  });
  const onProgress = progressLines((line) => console.error(line));
  const restored = await restore(database.url, backup, { onProgress });
  for (const line of remarksOn(restored)) console.log(line);
  await reportUnopened(database.url, config);
  const { contents, takenAt, program } = restored.manifest;
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(
    `Restored ${sumOf(contents)} of ${takenAt}, from version ${program}, in ${seconds} s.`,
  );
}

function remarksOn({ applied, leftOut }: Restored): string[] {
  const lines: string[] = [];
  if (applied.length > 0) lines.push(`Migrations of this version: ${applied.join(', ')}.`);
  if (leftOut.length > 0) {
    lines.push(`Left out, since Headwater knows no such table or column: ${leftOut.join(', ')}.`);
  }
  return lines;
}

async function reportUnopened(url: string, { SECRETS_KEY, DATA_DIR }: Config): Promise<void> {
  const source = { secretsKey: SECRETS_KEY, dataDir: DATA_DIR };
  const { credentials, secrets } = await withSession(url, 'headwater restore', (client) =>
    countUnopened(client, source),
  );
  if (credentials + secrets === 0) return;
  console.log(
    `Sealed under another master key than the one here: credentials of integrations (${credentials}), ` +
      `secrets of webhooks (${secrets}). Set SECRETS_KEY as it was where the backup was made, or to the ` +
      'text of secrets.key there; or enter them again.',
  );
}
