// Measures the first sync of a warehouse and the same again: memory of the server and CPU a table, as the number of tables grows.
//
//   npm run bench -- sources [--tables 10000,30000,100000] [--columns 5]
//
// The warehouse is a server in this process that answers ClickHouse's connector as ClickHouse does, 500 tables at a time, and
// keeps none of them. Each number of tables is synced into a catalog of its own.

import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { type ImportServer, startImportServer } from './import-server.ts';

const { values: options } = parseArgs({
  options: {
    tables: { type: 'string', default: '10000,30000,100000' },
    columns: { type: 'string', default: '5' },
  },
});

const nameOf = (at: number) => `table_${String(at).padStart(7, '0')}`;

/** The rows of ClickHouse's answer to a statement of the connector, for so many tables. */
function rowsFor(sql: string, tables: number): unknown[][] {
  if (sql.includes('version()')) return [['26.3']];
  if (sql.includes('SHOW GRANTS')) return [['GRANT SELECT ON shop.* TO reader']];
  if (sql.includes('FROM system.databases')) return [['shop', 'All that is sold']];
  if (sql.includes('FROM system.tables')) {
    const [, after] = /name > '\w+_(\d+)'/.exec(sql) ?? [];
    const from = after === undefined ? 0 : Number(after) + 1;
    const [, most] = /LIMIT (\d+)/.exec(sql) ?? [];
    const length = Math.max(0, Math.min(Number(most), tables - from));
    return Array.from({ length }, (_, n) => [
      ...[nameOf(from + n), 'MergeTree', `What table ${from + n} holds, in a few words`],
      ...['1000', '64000', '2026-03-01 10:00:00', 'CREATE TABLE', 'id'],
    ]);
  }
  if (sql.includes('FROM system.columns')) {
    return [...sql.matchAll(/'(table_\d+)'/g)].flatMap(([, name]) =>
      Array.from({ length: Number(options.columns) }, (_, n) => [
        ...[name, `column_${n}`, 'Nullable(String)', n + 1, `What column ${n} says`, n === 0],
      ]),
    );
  }
  return [];
}

async function startWarehouse(tables: number) {
  const server = createServer(async (request, response) => {
    response.end(JSON.stringify({ data: rowsFor(await text(request), tables) }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address: AddressInfo | string | null = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  return { port, stop: () => server.close().closeAllConnections() };
}

const answerOf = <Fields extends z.ZodRawShape>(fields: Fields) =>
  z.object({ data: z.object(fields) });
const made = answerOf({ createIntegration: z.object({ id: z.string() }) });
const started = answerOf({ triggerSync: z.object({ id: z.string() }) });
const states = answerOf({
  job: z.object({ state: z.string(), lastError: z.string().nullable() }),
});

async function ask<Answer>(
  { base, key }: ImportServer,
  answer: z.ZodType<Answer>,
  query: string,
  variables: object,
): Promise<Answer> {
  const response = await fetch(`${base}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  const said: unknown = await response.json();
  const read = answer.safeParse(said);
  if (!read.success) throw new Error(`It answered ${JSON.stringify(said)}.`);
  return read.data;
}

/** Make the integration; its id. */
async function connect(server: ImportServer, port: number): Promise<string> {
  const { data } = await ask(
    server,
    made,
    `mutation ($credentials: JSON!) {
      createIntegration(type: "clickhouse", input: { name: "Warehouse", credentials: $credentials }) { id }
    }`,
    { credentials: { host: '127.0.0.1', port, user: 'reader', ssl: 'disable' } },
  );
  return data.createIntegration.id;
}

async function sync(server: ImportServer, id: string): Promise<void> {
  const { data } = await ask(
    server,
    started,
    'mutation ($id: ID!) { triggerSync(integrationId: $id) { id } }',
    { id },
  );
  for (;;) {
    const { job } = (
      await ask(server, states, 'query ($id: ID!) { job(id: $id) { state lastError } }', {
        id: data.triggerSync.id,
      })
    ).data;
    if (job.state === 'succeeded') return;
    if (!['queued', 'running'].includes(job.state))
      throw new Error(`${job.state}: ${job.lastError}`);
    await sleep(500);
  }
}

/** Memory above idle in MB, and CPU of all processes a table in milliseconds, of one sync. */
async function measure(server: ImportServer, id: string, tables: number) {
  await sleep(2_000);
  const memory = server.watchMemory();
  const cpu = server.cpuOfAll();
  await sync(server, id);
  const { idle, peak } = memory.end();
  return { peak, more: peak - idle, each: ((server.cpuOfAll() - cpu) / tables) * 1_000 };
}

async function main(): Promise<void> {
  process.env.ALLOW_PRIVATE_HOSTS = '127.0.0.0/8';
  const first = new Map<string, number>();
  for (const tables of options.tables.split(',').map(Number)) {
    const dataDir = await mkdtemp(join(tmpdir(), 'headwater-bench-'));
    const warehouse = await startWarehouse(tables);
    const server = await startImportServer({ dataDir, databaseUrl: undefined });
    try {
      const id = await connect(server, warehouse.port);
      for (const round of ['first sync', 'the same again']) {
        const { peak, more, each } = await measure(server, id, tables);
        const ratio = each / (first.get(round) ?? each);
        if (!first.has(round)) first.set(round, each);
        console.log(
          `${tables} tables, ${round}: ${peak.toFixed(0)} MB resident at most, ${more.toFixed(0)} MB above idle; ` +
            `CPU a table ${ratio.toFixed(2)} of the smallest (${each.toFixed(2)} ms)`,
        );
      }
    } finally {
      await server.stop();
      warehouse.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  }
}

await main();
