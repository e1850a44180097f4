// The thread that reads graphs from the database: one after another, on a connection for each.

import { parentPort } from 'node:worker_threads';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { makeEpochSql, snapshotSql } from '../../database/change-log.ts';
import { breakAfterSilence } from '../../database/connections/silence.ts';
import { messageOf } from '../../errors.ts';
import { lowerPriority } from '../../process/thread.ts';
import { Arrangement, TooLarge } from './arrange.ts';
import { BinaryRows, type RowView } from './copy-rows.ts';
import { epochSql, flagsSql } from './graph-log.ts';
import { nodeBits } from './layout.ts';
import type { FromLoader, Wanted } from './load-message.ts';

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
async function load({ connectionString, workspaceId, level, maxBytes }: Wanted) {
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
    const arrangement = new Arrangement(maxBytes);
    const own = pg.escapeLiteral(workspaceId);
    const onlyTables = level === 'TABLE' ? `and kind <> 'column'` : '';
    await copy(
      client,
      `select id, kind, published, archived, array_to_string(team_ids, ',') from resource
        where workspace_id = ${own} ${onlyTables} order by id`,
      5,
      (row) =>
        arrangement.addNode(row.bytes, start(row, 0), text(row, 1), flags(row), text(row, 4)),
    );
    await copy(
      client,
      `select source_id, target_id, id, ${flagsSql('lineage_edge')} from lineage_edge
        where workspace_id = ${own} and level = ${pg.escapeLiteral(level)} and valid_to is null`,
      4,
      (row) => {
        const ends = [start(row, 0), start(row, 1), start(row, 2)] as const;
        arrangement.addEdge(row.bytes, ends, row.bytes.readInt32BE(start(row, 3)));
      },
    );
    await client.query('commit');
    return { layout: arrangement.finish(), ...moment };
  } finally {
    // Not waited for: on a dead network it would wait as well.
    void client.end().catch(() => {});
  }
}

async function copy(
  client: pg.Client,
  select: string,
  fields: number,
  onRow: (row: RowView) => void,
): Promise<void> {
  const reader = new BinaryRows(fields, onRow);
  const stream = client.query(copyTo(`copy (${select}) to stdout (format binary)`));
  for await (const chunk of stream) reader.push(chunk);
}

const start = (row: RowView, field: number): number => row.starts[field] ?? 0;

function text(row: RowView, field: number): string {
  const from = start(row, field);
  return row.bytes.toString('latin1', from, from + Math.max(0, row.lengths[field] ?? 0));
}

function flags(row: RowView): number {
  const is = (field: number, bit: number) => (row.bytes[start(row, field)] === 1 ? bit : 0);
  return is(2, nodeBits.published) | is(3, nodeBits.archived);
}
