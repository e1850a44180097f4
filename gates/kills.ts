// Kills the server, its database, both, and everything, under writes and imports: `npm run gate:kills`.
//
// Each round starts Headwater as a person does, lets clients write over HTTP and import a file, kills with
// SIGKILL at a random moment, starts again at once, and looks for what was acknowledged and for what is
// half done. `--rounds N` (default 50) and `--seed N` (default 1).

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { randomFrom } from '../bench/random.ts';
import { packagedUrl } from '../src/database/attach.ts';
import { seeingEvery } from '../src/database/connections/session-settings.ts';
import { killIfThere, processesOf, serversOn } from '../test/database/server/place.ts';
import { type Started, startScript } from '../test/started.ts';

const key = 'only-for-this-gate-only-for-this-gate';
const ways = ['headwater', 'database', 'both', 'everything'] as const;
const clients = 4;
const importedTables = 400;

const { values: given } = parseArgs({
  options: {
    rounds: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
  },
});

interface Round {
  readonly way: string;
  readonly acknowledged: number;
  readonly imports: number;
  readonly lost: number;
  readonly torn: number;
  readonly restartMs: number;
}

const dataDir = mkdtempSync(join(tmpdir(), 'headwater-kills-'));
try {
  process.exitCode = await main();
} finally {
  for (const pid of everyProcess()) killIfThere(pid);
  rmSync(dataDir, { recursive: true, force: true });
}

async function main(): Promise<number> {
  const random = randomFrom(Number(given.seed));
  const rounds: Round[] = [];
  let server = start();
  for (let n = 0; n < Number(given.rounds); n += 1) {
    const way = ways[n % ways.length] ?? 'both';
    const { round, next } = await play(server, n, way, random.whole(300, 2_500));
    server = next;
    rounds.push(round);
    console.log(
      `round ${n + 1}: kill -9 of ${way}: ${round.acknowledged} writes and ${round.imports} imports ` +
        `acknowledged, ${round.lost} lost, ${round.torn} half done, ready again after ${round.restartMs} ms`,
    );
  }
  await server.stop();
  const sum = (of: (round: Round) => number) => rounds.reduce((total, one) => total + of(one), 0);
  const [lost, torn] = [sum((one) => one.lost), sum((one) => one.torn)];
  const slowest = Math.max(...rounds.map((one) => one.restartMs));
  console.log(
    `${rounds.length} kills: ${sum((one) => one.acknowledged)} writes and ${sum((one) => one.imports)} ` +
      `imports acknowledged, ${lost} lost, ${torn} half done; slowest restart ${slowest} ms`,
  );
  return lost + torn === 0 ? 0 : 1;
}

function start(): Started {
  return startScript('start.mjs', { DATA_DIR: dataDir, ADMIN_API_KEY: key, LOG_LEVEL: 'error' });
}

async function play(server: Started, n: number, way: string, afterMs: number) {
  const address = await server.ready();
  const { id } = await ask<{ id: string }>(address, 'POST', '/integration/integrations', {
    type: 'custom',
    name: `Round ${n}`,
  });
  const tags: string[] = [];
  const state = { over: false, imports: 0 };
  const working = [
    ...Array.from({ length: clients }, (_, client) =>
      writeTags(address, `${n}-${client}`, tags, state),
    ),
    importAgain(address, id, state),
  ];
  await sleep(afterMs);
  const before = servers();
  kill(server.child.pid ?? 0, way);
  const killedAt = performance.now();
  let next = server;
  if (way !== 'database') {
    await server.ended;
    next = start();
  }
  const again = way === 'database' ? address : await next.ready();
  // PostgreSQL's processes outlive the first of them by a moment, in which they still answer.
  while (servers().some((pid) => before.includes(pid))) await sleep(10);
  await untilAnswered(again);
  const restartMs = Math.round(performance.now() - killedAt);
  state.over = true;
  await Promise.all(working);
  const { lost, torn } = await look(id, tags, state.imports);
  const round: Round = {
    ...{ way, acknowledged: tags.length, imports: state.imports },
    ...{ lost, torn, restartMs },
  };
  return { round, next };
}

function servers(): number[] {
  return serversOn(join(dataDir, 'postgres-18'));
}

function everyProcess(): number[] {
  return processesOf(join(dataDir, 'postgres-18'));
}

function kill(pid: number, way: string): void {
  const all = everyProcess();
  const [postmaster = 0] = servers();
  if (way === 'headwater' || way === 'both') killIfThere(pid);
  if (way === 'database' || way === 'both') killIfThere(postmaster);
  if (way === 'everything') for (const one of [pid, ...all]) killIfThere(one);
}

async function writeTags(
  address: string,
  name: string,
  acknowledged: string[],
  state: { over: boolean },
): Promise<void> {
  for (let n = 0; !state.over; n += 1) {
    try {
      await ask(address, 'POST', '/tag/tags', { name: `${name}-${n}` });
      acknowledged.push(`${name}-${n}`);
    } catch {
      await sleep(50);
    }
  }
}

async function importAgain(
  address: string,
  id: string,
  state: { over: boolean; imports: number },
): Promise<void> {
  for (let n = 0; !state.over; n += 1) {
    const lines = Array.from({ length: importedTables }, (_, i) =>
      JSON.stringify({ entity_type: 'table', databuilder_id: `t${i}`, title: `import ${n}` }),
    );
    const files = new FormData();
    files.set('resources_file', new Blob([lines.join('\n')]), 'resources.jsonl');
    try {
      const response = await fetch(
        `${address}/api/v1/integration/integrations/${id}/import_jsonl_metadata`,
        { method: 'POST', headers: { authorization: `Bearer ${key}` }, body: files },
      );
      if (response.status === 204) state.imports += 1;
      await response.arrayBuffer();
    } catch {
      await sleep(50);
    }
  }
}

async function untilAnswered(address: string): Promise<void> {
  for (;;) {
    const response = await fetch(`${address}/readyz`).catch(() => null);
    if (response?.status === 200) return;
    await sleep(10);
  }
}

async function ask<T>(address: string, method: string, path: string, body: object): Promise<T> {
  const response = await fetch(`${address}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  return response.json();
}

/** What of the acknowledged is not there, and what is there by half, as the database has it. */
async function look(integrationId: string, tags: readonly string[], imports: number) {
  const client = new pg.Client({ connectionString: seeingEvery(packagedUrl(dataDir)) });
  client.on('error', () => {});
  await client.connect();
  try {
    const lostTags = await client.query(
      'select n from unnest($1::text[]) n where not exists (select from tag where name = n)',
      [tags],
    );
    const unrecorded = await client.query(
      `select t.id from tag t where not exists (
        select from audit_log a where a.activity_type = 'tag_created' and a.resource_id = t.id)`,
    );
    const titles = await client.query<{ title: string; n: number }>(
      `select title, count(*)::int as n from resource where integration_id = $1 group by title`,
      [integrationId],
    );
    const [title] = titles.rows;
    // Each import gives every table its own title: two titles, or fewer tables, are half an import.
    const isHalf = titles.rows.length > 1 || (title && title.n !== importedTables);
    const last = title ? Number(title.title.replace('import ', '')) : -1;
    return {
      lost: lostTags.rows.length + (last + 1 < imports ? 1 : 0),
      torn: unrecorded.rows.length + (isHalf ? 1 : 0),
    };
  } finally {
    await client.end();
  }
}
