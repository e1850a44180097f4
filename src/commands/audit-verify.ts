// The command `audit-verify`, which checks whether the audit log is what was written.

import { parseArgs } from 'node:util';
import { type Broken, type ChainReport, type Verification, verifyLog } from '../audit/verify.ts';
import type { Config } from '../config.ts';
import { contextAcross } from '../context.ts';
import { attachDatabase } from '../database/attach.ts';
import { runCommand } from '../process/command.ts';

const usage = `Usage: npm run audit:verify [-- --head HASH ...]

Compares every entry of the audit log with the chain that it was sealed into. Ends with 0 where each is as it was,
and with 1 where one was changed, removed or inserted: it names the first. Works while the server runs, and while
it does not.

  --head HASH   A hash that an earlier run printed: it has to be in the chain still. Without it no one can tell
                whether the end of the log was cut off together with its seals. May be given several times, as
                each workspace has a head of its own.
  --help        Print this.

The database is the one of DATABASE_URL, or of DATA_DIR where that is not set.`;

process.exitCode = await runCommand({ usage, read: readOptions, run: verify });

interface Options {
  readonly help: boolean;
  readonly heads: readonly string[];
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      head: { type: 'string', multiple: true, default: [] },
    },
  });
  const { help, head: heads } = values;
  if (!heads.every((head) => /^[0-9a-f]{64}$/.test(head))) {
    throw new Error('--head takes the 64 hexadecimal digits that an earlier run printed.');
  }
  return { help, heads };
}

async function verify(config: Config, { heads }: Options): Promise<void> {
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

function lineOf({ workspace, sealed, unsealed, unsealedSince, head }: ChainReport): string {
  const since = unsealedSince ? `, the oldest of ${unsealedSince.toISOString()}` : '';
  return `${workspace}: ${sealed} entries sealed, ${unsealed} not sealed yet${since}; head ${head ?? 'none'}.`;
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
  if (missing.length > 0) {
    const heads = missing.length === 1 ? 'head' : 'heads';
    throw new Error(
      `The log does not hold the ${heads} ${missing.join(', ')}: its end was cut off, or it is another log.`,
    );
  }
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
