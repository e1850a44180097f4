// The thread that reads graphs from the database: one after another, on a connection for each.

import { parentPort } from 'node:worker_threads';
import pg from 'pg';
import { makeEpochSql, snapshotSql } from '../../../database/change-log.ts';
import { breakAfterSilence } from '../../../database/connections/silence.ts';
import { messageOf } from '../../../errors.ts';
import { lowerPriority } from '../../../process/thread.ts';
import { epochSql } from '../graph-log.ts';
import { TooLarge } from './arrange.ts';
import type { FromLoader, Loaded, Wanted } from './load-message.ts';
import { readChanged } from './read-changed.ts';
import { readWhole } from './read-whole.ts';

const connectMs = 5_000;
/** A server that is silent for so long has vanished: the longest sort before the first row takes less. */
const silenceMs = 300_000;

lowerPriority();

const say = (message: FromLoader) => parentPort?.postMessage(message);

parentPort?.on('message', async (wanted: Wanted) => {
  try {
    say({ kind: 'loaded', ...(await load(wanted)) });
  } catch (error) {
    say({ kind: error instanceof TooLarge ? 'too large' : 'failed', message: messageOf(error) });
  }
});
say({ kind: 'ready' });

/** Read one graph as of one moment, and the snapshot that names the moment. */
async function load(wanted: Wanted): Promise<Loaded> {
  const { connectionString, workspaceId, level, maxBytes, base } = wanted;
  const client = new pg.Client({
    connectionString,
    application_name: 'headwater lineage',
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  client.on('error', () => {});
  await client.connect();
  breakAfterSilence(client, silenceMs);
  try {
    await client.query("select set_config('headwater.workspace', $1, false)", [workspaceId]);
    await client.query(makeEpochSql, [workspaceId]);
    await client.query('begin isolation level repeatable read read only');
    await client.query('set local statement_timeout = 0');
    const { rows: moments } = await client.query<{ snapshot: string; epoch: string }>(
      `select ${snapshotSql} as snapshot, ${epochSql} as epoch`,
      [workspaceId],
    );
    const [moment] = moments;
    if (!moment) throw new Error('The database did not say which moment it shows.');
    const read = { client, workspaceId, level };
    const isOfLog = base?.epoch === moment.epoch;
    const later = base && isOfLog ? await readChanged(read, base, maxBytes) : null;
    const layout = later ?? (await readWhole(read, maxBytes));
    await client.query('commit');
    return { layout, isWhole: later === null, ...moment };
  } finally {
    // Not waited for: on a dead network it would wait as well.
    void client.end().catch(() => {});
  }
}
