// Measures what a change of a hub reaches: a column that thousands of columns are made from.
//
//   npm run bench -- hub [--sizes 5000,50000]
//
// For each size the time, the statements and the bytes of the question that the explorer asks: at first, when
// the database answers, and later, when lineage is in memory.

import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { packagedUrl } from '../src/database/attach.ts';
import { seeingEvery } from '../src/database/connections/session-settings.ts';
import { type ImportServer, startImportServer } from './import-server.ts';

const { values } = parseArgs({ options: { sizes: { type: 'string', default: '5000,50000' } } });
const rounds = 7;

const question = `query ($of: [ID!]!) { impact(of: $of) { truncated hiddenNodes possibleCount counts { kind count }
  owners(first: 3) { count user { id name } }
  tables(first: 50) { ...Node } others(first: 50) { ...Node } possible(first: 50) { ...Node } } }
  fragment Node on ImpactNode { depth ways { reason } resource { id kind title owners { id name } } }`;

async function main(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'headwater-hub-'));
  const server = await startImportServer({ dataDir, databaseUrl: undefined });
  const client = new pg.Client({ connectionString: seeingEvery(packagedUrl(dataDir)) });
  client.on('error', (error) => console.error(error.message));
  try {
    await client.connect();
    console.log(`${cpus().length} CPUs, load ${loadavg()[0]?.toFixed(1)}`);
    for (const size of values.sizes.split(',').map(Number)) {
      const of = await makeHub(client, size);
      const first = await measure(server, of);
      print(size, 'first', [first]);
      const warm = [];
      for (let round = 0; round < rounds; round += 1) warm.push(await measure(server, of));
      print(size, 'later', warm);
    }
  } finally {
    await client.end();
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** A table with a column, and so many tables with a column that is made from it, half of them owned by somebody. */
async function makeHub(client: pg.Client, size: number): Promise<string> {
  const hub = randomUUID();
  const name = `hub_${size}`;
  await client.query(
    `with place as (select id as workspace_id from workspace order by created_at limit 1),
      person as (select u.id from user_account u, place p where u.workspace_id = p.workspace_id limit 1),
      made as (select n, gen_random_uuid() as table_id, case n when 0 then $1::uuid else gen_random_uuid() end as column_id
        from generate_series(0, $3::int) n),
      tables as (insert into resource (workspace_id, id, kind, title, title_full, published, owner_ids)
        select workspace_id, table_id, 'table', $2 || '_' || n, 'shop.main.' || $2 || '_' || n, true,
          case when n % 2 = 0 then array(select id from person) else '{}' end from made, place),
      columns as (insert into resource (workspace_id, id, kind, title, title_full, published, parent_id)
        select workspace_id, column_id, 'column', 'id', 'shop.main.' || $2 || '_' || n || '.id', true, table_id
          from made, place)
    insert into lineage_edge (workspace_id, source_id, target_id, level, origin, implied)
      select workspace_id, h.column_id, m.column_id, 'COLUMN', 'IMPORT', false
        from place, made h, made m where h.n = 0 and m.n > 0
      union all
      select workspace_id, h.table_id, m.table_id, 'TABLE', 'IMPORT', true
        from place, made h, made m where h.n = 0 and m.n > 0`,
    [hub, name, size],
  );
  await client.query('analyze resource; analyze lineage_edge');
  return hub;
}

interface Measured {
  readonly ms: number;
  readonly statements: number;
  readonly bytes: number;
  readonly answer: string;
}

async function measure(server: ImportServer, of: string): Promise<Measured> {
  const before = await statementsOf(server);
  const began = performance.now();
  const response = await fetch(`${server.base}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: question, variables: { of: [of] } }),
  });
  const answer = await response.text();
  const ms = performance.now() - began;
  if (!response.ok || answer.includes('"errors"')) throw new Error(answer.slice(0, 500));
  const statements = (await statementsOf(server)) - before;
  return { ms, statements, bytes: Buffer.byteLength(answer), answer };
}

/** Statements that the server has sent until now. */
async function statementsOf({ base }: ImportServer): Promise<number> {
  const metrics = await (await fetch(`${base}/metrics`)).text();
  return Number(/^headwater_database_statements_total\S* (\d+)/m.exec(metrics)?.[1] ?? Number.NaN);
}

function print(size: number, when: string, all: readonly Measured[]): void {
  const times = all.map(({ ms }) => ms).sort((one, other) => one - other);
  const [one] = all;
  const middle = times[times.length >> 1]?.toFixed(0);
  console.log(
    `${size.toLocaleString('en').padStart(7)} ${when}  median ${middle} ms, worst ${times.at(-1)?.toFixed(0)} ms,`,
    `${one?.statements} statements, ${((one?.bytes ?? 0) / 1_000).toFixed(1)} kB`,
    all.every(({ answer }) => answer === one?.answer) ? '' : 'ANSWERS DIFFER',
    /"counts":\[.*?\]/.exec(one?.answer ?? '')?.[0],
  );
}

await main();
