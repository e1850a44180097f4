// Measures what the audit log costs: to write entries, to seal them, and to verify the chain.
//
//   node scripts/postgres.mjs npm run bench:audit -- [--entries 100000]
//
// DATABASE_URL names an empty database of a server.

import { parseArgs } from 'node:util';
import { type Deed, recordAll } from '../src/audit/audit.ts';
import { sealWhatIsDue } from '../src/audit/seal.ts';
import { verifyLog } from '../src/audit/verify.ts';
import { serverViewer } from '../src/auth/viewer.ts';
import { contextFor } from '../src/context.ts';
import { openDatabase } from '../src/database/open.ts';
import { ensureFirstAdmin } from '../src/people/first-admin.ts';

const { values } = parseArgs({ options: { entries: { type: 'string', default: '100000' } } });
const total = Number(values.entries);
const databaseUrl = process.env.DATABASE_URL;
if (!databaseUrl) throw new Error('Set DATABASE_URL to an empty database of a server.');

/** Entries of one statement. */
const batch = 1_000;
/** Entries that are written one by one, as deeds write theirs. */
const single = 2_000;

const database = await openDatabase({ databaseUrl });
try {
  const { workspaceId } = await ensureFirstAdmin(database);
  const ctx = contextFor(database, serverViewer(workspaceId));
  // What the start itself writes.
  while ((await sealWhatIsDue(database)) > 0);
  const before = (await verifyLog(ctx)).chains[0]?.sealed ?? 0;
  const deed: Deed = {
    activity: 'table_updated',
    subject: { id: workspaceId, kind: 'table', title: 'orders' },
    changes: [{ field: 'description', before: 'Old.', after: 'New.', note: null }],
  };
  await timed('written one by one', single, async () => {
    for (let at = 0; at < single; at += 1) await recordAll(ctx, [deed]);
  });
  await timed('written by the thousand', total, async () => {
    for (let at = 0; at < total; at += batch) await recordAll(ctx, Array(batch).fill(deed));
  });
  await timed('sealed', total + single, async () => {
    while ((await sealWhatIsDue(database)) > 0);
  });
  await timed('verified', total + single, async () => {
    const { chains, brokenCount } = await verifyLog(ctx);
    if (brokenCount > 0 || chains[0]?.sealed !== before + total + single)
      throw new Error('It is not whole.');
  });
} finally {
  await database.close();
}

async function timed(what: string, entries: number, work: () => Promise<void>): Promise<void> {
  const [began, cpu] = [performance.now(), process.cpuUsage()];
  await work();
  const ms = performance.now() - began;
  const { user, system } = process.cpuUsage(cpu);
  const each = ((user + system) / entries).toFixed(0);
  const rate = Math.round((entries / ms) * 1_000).toLocaleString('en');
  console.log(
    `${entries.toLocaleString('en')} entries ${what}: ${rate} a second, ${each} µs of CPU each here`,
  );
}
