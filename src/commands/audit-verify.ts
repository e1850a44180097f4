// The command `audit-verify`, which checks whether the audit log is what was written.

import { parseArgs } from 'node:util';
import { verifyExport } from '../audit/exported.ts';
import { linesOf } from '../audit/exported-lines.ts';
import { type Broken, type ChainReport, type Verification, verifyLog } from '../audit/verify.ts';
import type { Config } from '../config.ts';
import { contextAcross } from '../context.ts';
import { attachDatabase } from '../database/attach.ts';
import { runCommand } from '../process/command.ts';

const usage = `Usage: npm run audit:verify [-- --head HASH ...] [--file PATH]

Compares every entry of the audit log with the chain that it was sealed into. Ends with 0 where each is as it was,
and with 1 where one was changed, removed or inserted: it names the first. Works while the server runs, and while
it does not.

  --head HASH   A hash that an earlier run printed: it has to be in the chain still. Without it no one can tell
                whether the end of the log was cut off together with its seals. May be given several times, as
                each workspace has a head of its own.
  --file PATH   Verify lines of an export, an archive of RETENTION_AUDIT_DAYS, or those that a stream sent, without any
                database; - reads them from the standard input. Of a file that goes on from another one, give the head of that by --head.
  --help        Print this.

The database is the one of DATABASE_URL, or of DATA_DIR where that is not set.`;

process.exitCode = await runCommand({ usage, read: readOptions, run: verify });

interface Options {
  readonly help: boolean;
  readonly heads: readonly string[];
  readonly file: string | undefined;
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      head: { type: 'string', multiple: true, default: [] },
      file: { type: 'string' },
    },
  });
  const { help, head: heads, file } = values;
  if (!heads.every((head) => /^[0-9a-f]{64}$/.test(head))) {
    throw new Error('--head takes the 64 hexadecimal digits that an earlier run printed.');
  }
  return { help, heads, file };
}

async function verify(config: Config, { heads, file }: Options): Promise<void> {
  if (file !== undefined) return verifyFile(file, heads);
  const database = await attachDatabase(config);
  try {
    const ctx = contextAcross(database);
    const found = await verifyLog(ctx, { hashes: heads });
    for (const chain of found.chains) console.log(lineOf(chain));
    mustBeIntact(found);
    console.log('The audit log is as it was written.');
  } finally {
    await database.close();
  }
}

async function verifyFile(path: string, heads: readonly string[]): Promise<void> {
  const found = await verifyExport(linesOf(path), heads);
  for (const { workspaceId, from, to, previous, head } of found.chains) {
    const beginning = from === 1 ? '' : `, which follow on ${previous}`;
    console.log(`Workspace ${workspaceId}: entries ${from} to ${to}${beginning}; head ${head}.`);
  }
  const { first, brokenCount, missing } = found;
  if (first) {
    const others = brokenCount > 1 ? ` ${brokenCount} lines are broken in all.` : '';
    const { line, position, workspaceId, how } = first;
    throw new Error(
      `Line ${line}, entry ${position} of the workspace ${workspaceId}, ${how}.${others}`,
    );
  }
  mustHold('file', missing);
  console.log('The entries are as they were sealed.');
}

function lineOf({ workspace, cut, sealed, unsealed, unsealedSince, head }: ChainReport): string {
  const since = unsealedSince ? `, the oldest of ${unsealedSince.toISOString()}` : '';
  const before = cut > 0 ? `entries 1 to ${cut} in the archive, ` : '';
  return `${workspace}: ${before}${sealed} entries sealed, ${unsealed} not sealed yet${since}; head ${head ?? 'none'}.`;
}

/** Throws, in a sentence, what is wrong with the log. */
function mustBeIntact({ broken, brokenCount, missing, chains }: Verification): void {
  const [first] = broken;
  if (first) {
    const name = chains.find(({ workspaceId }) => workspaceId === first.workspaceId)?.workspace;
    const others = brokenCount > 1 ? ` ${brokenCount} places are broken in all.` : '';
    throw new Error(
      `${placeOf(first)} of the workspace ${name ?? first.workspaceId} ${whatOf(first)}.${others}`,
    );
  }
  mustHold('log', missing);
}

function mustHold(what: 'log' | 'file', missing: readonly string[]): void {
  if (missing.length === 0) return;
  const heads = missing.length === 1 ? 'head' : 'heads';
  throw new Error(
    `The ${what} does not hold the ${heads} ${missing.join(', ')}: its end was cut off, or it is another log.`,
  );
}

function placeOf({ sequence, entryId, says }: Broken): string {
  return `Entry ${sequence} (${entryId}${says === null ? '' : `, "${says}"`})`;
}

function whatOf({ how }: Broken): string {
  switch (how) {
    case 'changed':
      return 'was changed after it was sealed, or its seal was';
    case 'removed':
      return 'was removed';
    case 'inserted':
      return 'was inserted later among entries that were sealed';
    case 'removed with its seal':
      return 'follows on entries that were removed together with their seals';
  }
}
