// Measures lineage in memory: bytes an edge, a large import until memory answers again, closures next to the database's.
//
//   npm run bench -- lineage-memory [--edges 1000000] [--changed 100000] [--folder FOLDER]
//
// Twenty edges lead from each resource to ones that lie up to `reach` further. The import ends half of `--changed`
// edges and draws as many, by a statement each, as the merge of an import does; from its commit on a client asks for a closure.
// The folder is for the database: 0.6 kB an edge; by default a temporary one. It is deleted afterwards.

import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { packagedUrl } from '../src/database/attach.ts';
import { seeingEvery } from '../src/database/connections/session-settings.ts';
import { type ImportServer, startImportServer } from './import-server.ts';

const { values } = parseArgs({
  options: {
    edges: { type: 'string', default: '1000000' },
    changed: { type: 'string', default: '100000' },
    folder: { type: 'string', default: tmpdir() },
  },
});
const [edges, changed] = [Number(values.edges), Number(values.changed)];
const edgesOfOne = 20;
/** How many resources further an edge leads at most. */
const reach = 5_000;
const depths = [2, 3, 4];
const atOnce = 10_000;
const rounds = 9;

const question = `query ($of: ID!, $depth: Int!) {
  lineage(from: [$of], direction: DOWNSTREAM, depth: $depth, maxNodes: 100) { totalNodes truncatedReason } }`;

const workspace = '(select id from workspace order by created_at limit 1)';
const idOf = (n: string) => `md5('bench ' || ${n})::uuid`;
/** The resource that is asked about, the seventh. */
const start = createHash('md5')
  .update('bench 7')
  .digest('hex')
  .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

async function main(): Promise<void> {
  const dataDir = await mkdtemp(join(values.folder, 'headwater-lineage-'));
  const servers: ImportServer[] = [];
  const serve = async (megabytes: number) => {
    await servers.pop()?.stop();
    process.env.LINEAGE_MEMORY_MB = String(megabytes);
    const options = { dataDir, databaseUrl: undefined, key: 'bench-of-lineage' };
    const server = await startImportServer(options);
    servers.push(server);
    const client = new pg.Client({ connectionString: seeingEvery(packagedUrl(dataDir)) });
    client.on('error', () => {});
    await client.connect();
    return { server, client };
  };
  try {
    console.log(`${cpus().length} CPUs, load ${loadavg()[0]?.toFixed(1)}`);
    const first = await serve(0);
    await fill(first.client);
    const inDatabase = await closures(first.server);
    await first.client.end();
    const { server: second, client } = await serve(Math.ceil((edges * 60) / 2 ** 20) + 64);
    await loaded(second);
    const inMemory = await closures(second);
    for (const [i, depth] of depths.entries()) {
      const [memory, database] = [inMemory[i], inDatabase[i]];
      if (!memory || !database) continue;
      console.log(
        `closure of depth ${depth}: ${memory.total} resources, ${memory.ms.toFixed(1)} ms in memory,`,
        `${database.ms.toFixed(1)} ms in the database (${(database.ms / memory.ms).toFixed(1)} times;`,
        `${database.total} resources)`,
      );
    }
    for (let round = 0; round < 3; round += 1) await importChanges(second, client, round);
    await client.end();
  } finally {
    await servers.pop()?.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Fill the database with resources and edges, whose indexes are made at the end, which is faster. */
async function fill(client: pg.Client): Promise<void> {
  const began = performance.now();
  const nodes = Math.ceil(edges / edgesOfOne);
  await client.query('set session_replication_role = replica');
  const { rows: indexes } = await client.query<{ name: string; def: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as def from pg_index i
      where i.indrelid = 'lineage_edge'::regclass and not i.indisunique
        and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`,
  );
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  // What triggers do for search is planned for a table that is not empty.
  for (let n = 1; n <= nodes; n += atOnce) {
    await client.query(
      `insert into resource (workspace_id, id, kind, title, title_full, published)
        select ${workspace}, ${idOf('n')}, 'table', 't' || n, 'bench.main.t' || n, true
          from generate_series(${n}, ${Math.min(n + atOnce - 1, nodes)}) n order by 2`,
    );
    if (n === 1) await client.query('analyze resource');
  }
  await client.query(
    `insert into lineage_edge (workspace_id, id, source_id, target_id, level, origin)
      select ${workspace}, gen_random_uuid() as id, ${idOf('n')},
          ${idOf(`(1 + (n + k * 37 + hashint4(n * 31 + k) % ${reach / 2} + ${reach / 2}) % ${nodes})`)}, 'TABLE', 'IMPORT'
        from generate_series(1, ${nodes}) n, generate_series(1, ${edgesOfOne}) k order by 2 on conflict do nothing`,
  );
  for (const { def } of indexes) await client.query(def);
  await client.query('set session_replication_role = origin');
  await client.query('vacuum analyze resource, lineage_edge');
  console.log(
    `filled with ${nodes} resources and ${edges} edges in ${seconds(performance.now() - began)}`,
  );
}

async function loaded(server: ImportServer): Promise<void> {
  const [began, cpu] = [performance.now(), await server.cpuSeconds()];
  while ((await figure(server, 'edges')) === 0) {
    await ask(server, 1);
    await delay(100);
  }
  const [held, nodes, bytes] = [
    await figure(server, 'edges'),
    await figure(server, 'nodes'),
    await figure(server, 'bytes'),
  ];
  console.log(
    `read ${nodes} resources and ${held} edges in ${seconds(performance.now() - began)},`,
    `${((await server.cpuSeconds()) - cpu).toFixed(1)} s of CPU;`,
    `${(bytes / 1e6).toFixed(0)} MB, ${((bytes - nodes * 46) / held).toFixed(1)} bytes an edge and 46 a resource`,
  );
}

/** The middle of several times of each closure. */
async function closures(server: ImportServer) {
  const all = [];
  for (const depth of depths) {
    const answers = [];
    for (let round = 0; round < rounds; round += 1) answers.push(await ask(server, depth));
    answers.sort((one, other) => one.ms - other.ms);
    const middle = answers[rounds >> 1];
    if (middle) all.push(middle);
  }
  return all;
}

/** End and draw edges while a client asks, until memory answers again. */
async function importChanges(
  server: ImportServer,
  client: pg.Client,
  round: number,
): Promise<void> {
  const before = await figure(server, 'renewed');
  const [missedBefore, servedBefore] = [
    await figure(server, 'missed'),
    await figure(server, 'served'),
  ];
  const cpu = await server.cpuSeconds();
  await server.loopDelay();
  const began = performance.now();
  await client.query('begin');
  const ended = await client.query(
    `update lineage_edge set valid_to = now() where valid_to is null and id in (
      select id from lineage_edge tablesample system (${Math.min(100, (60 * changed) / edges)})
        where valid_to is null limit ${changed / 2})`,
  );
  const nodes = Math.ceil(edges / edgesOfOne);
  const drawn = await client.query(
    `insert into lineage_edge (workspace_id, source_id, target_id, level, origin)
      select ${workspace}, ${idOf('a')}, ${idOf('b')}, 'TABLE', 'IMPORT' from (
        select distinct 1 + (n::bigint * 7919 + ${round}) % ${nodes} as a, 1 + (n::bigint * 104729 + ${round * 13}) % ${nodes} as b
          from generate_series(1, ${changed / 2}) n) pair where a <> b on conflict do nothing`,
  );
  await client.query('commit');
  const committed = performance.now();
  let slowest = 0;
  while ((await figure(server, 'renewed')) === before) {
    slowest = Math.max(slowest, (await ask(server, 3)).ms);
  }
  const swapped = performance.now();
  const [dropped, missed, served] = [
    await figure(server, 'dropped'),
    (await figure(server, 'missed')) - missedBefore,
    (await figure(server, 'served')) - servedBefore,
  ];
  const { max } = await server.loopDelay();
  console.log(
    `import of ${(ended.rowCount ?? 0) + (drawn.rowCount ?? 0)} changed edges: ${seconds(committed - began)} in the database,`,
    `${seconds(swapped - committed)} until memory answers, ${((await server.cpuSeconds()) - cpu).toFixed(1)} s of CPU,`,
    `event loop held up ${max.toFixed(0)} ms at most; answered by the database ${missed}, slowest ${slowest.toFixed(0)} ms,`,
    `by memory ${served}; graphs dropped ${dropped}`,
  );
}

async function ask(server: ImportServer, depth: number) {
  const began = performance.now();
  const response = await fetch(`${server.base}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: question, variables: { of: start, depth } }),
  });
  const text = await response.text();
  const ms = performance.now() - began;
  if (!response.ok || text.includes('"errors"')) throw new Error(text.slice(0, 500));
  const { totalNodes, truncatedReason } = JSON.parse(text).data.lineage;
  return { ms, total: Number(totalNodes), reason: truncatedReason };
}

/** What the server's metrics say of its lineage in memory. */
async function figure({ base }: ImportServer, what: string): Promise<number> {
  const metrics = await (await fetch(`${base}/metrics`)).text();
  const found = new RegExp(
    `^headwater_lineage_memory_(?:${what}|\\w+_total\\{[^}]*end="${what}"[^}]*\\})(?:\\{[^}]*\\})? (\\S+)$`,
    'm',
  ).exec(metrics);
  return Number(found?.[1] ?? Number.NaN);
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;

await main();
