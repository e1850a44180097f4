// Moves a workspace between two servers while it is written to: `npm run bench -- cells [--resources 20000] [--moves 3]`.
//
// Two cells, each a PostgreSQL server of the system and a Headwater with the same master key and the same pepper of keys. A
// directory, here a variable, says where the workspace lives; writers ask it each time, others write in a workspace that stays.
// In each move the tables are copied and followed by logical replication with a row filter, writes are refused for a moment, the
// checksums of both are compared, the directory is switched, and the old cell deletes what it had. At the end all that was
// acknowledged has to be in the cell that has it, nothing may have been answered with 500, and both audit logs have to verify.

import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { startPostgres, type TestServer } from '../test/servers.ts';
import { startScript } from '../test/started.ts';
import { type Load, openLoad } from './acknowledged.ts';
import { liftFence, move, preparedForReplication } from './cells/move.ts';
import { writeLineages, writeResources } from './import-files.ts';
import { type ImportServer, startImportServer } from './import-server.ts';

const { values } = parseArgs({
  options: {
    resources: { type: 'string', default: '20000' },
    moves: { type: 'string', default: '3' },
  },
});
/** How long writers go on between two moves. */
const betweenMs = 5_000;
const operator = 'only-for-this-trial-only-for-this-trial';

interface Cell {
  readonly name: string;
  readonly postgres: TestServer;
  readonly url: string;
  readonly server: ImportServer;
}

const made = z.object({ id: z.string(), key: z.string() });
const listed = z.object({ workspaces: z.array(z.object({ id: z.string() })) });

async function main(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-cells-'));
  Object.assign(process.env, {
    SECRETS_KEY: randomUUID().repeat(2),
    OPERATOR_KEY: operator,
    // The writers are two people who never rest.
    MEMBER_WRITES_PER_MINUTE: '0',
  });
  await using here = await openPostgres();
  await using there = await openPostgres();
  if (!here.postgres || !there.postgres) throw new Error('PostgreSQL is not installed.');
  const one = await serve('one', here.postgres, folder, null);
  const other = await serve('other', there.postgres, folder, await pepperOf(here.postgres));
  try {
    return await play([one, other], folder);
  } finally {
    for (const { server } of [one, other]) await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function openPostgres() {
  const postgres = await startPostgres(['wal_level=logical', 'max_wal_senders=100']);
  await postgres?.run('create database headwater');
  return { postgres, [Symbol.asyncDispose]: async () => postgres?.[Symbol.asyncDispose]() };
}

/** Serve a cell, with the pepper of the other one where there is one: keys are known by it. */
async function serve(
  name: string,
  postgres: TestServer,
  folder: string,
  pepper: string | null,
): Promise<Cell> {
  const databaseUrl = `postgresql://owner@127.0.0.1:${postgres.port}/headwater`;
  const options = {
    dataDir: join(folder, name),
    databaseUrl,
    key: `only-for-${name}-of-this-trial`,
  };
  let server = await startImportServer(options);
  if (pepper !== null) {
    await server.stop();
    await postgres.run(
      `update setting set value = '${pepper}' where name = 'api_key_pepper'`,
      'headwater',
    );
    server = await startImportServer(options);
  }
  await preparedForReplication(postgres);
  return { name, postgres, url: databaseUrl, server };
}

async function pepperOf(postgres: TestServer): Promise<string> {
  const rows = z
    .array(z.object({ value: z.string() }))
    .parse(
      await postgres.run("select value from setting where name = 'api_key_pepper'", 'headwater'),
    );
  return rows[0]?.value ?? '';
}

async function play(cells: readonly [Cell, Cell], folder: string): Promise<number> {
  const [one, other] = cells;
  await fillFirst(one, folder);
  const [id = ''] = await workspacesOf(one);
  const stays = made.parse(
    await ask(one, 'POST', '', { name: 'Stays', email: 'stays@example.com' }),
  );
  let home = one;
  const moving = await openLoad(() => home.server.base, one.server.key);
  const staying = await openLoad(() => one.server.base, stays.key);
  const wrong: string[] = [];
  for (let n = 0; n < Number(values.moves); n += 1) {
    await sleep(betweenMs);
    const [from, to] = home === one ? [one, other] : [other, one];
    const before = moving.acknowledged();
    const moved = await move({ from: from.postgres, to: to.postgres }, id, async () => {
      home = to;
    });
    const first = await moving.untilWritten(60_000);
    await liftFence(from.postgres);
    await ask(from, 'DELETE', `/${id}`);
    console.log(
      `move ${n + 1}, ${from.name} to ${to.name}: ${moved.rows} rows of ${moved.tables} tables compared, copied in ` +
        `${seconds(moved.copyMs)}, read-only for ${seconds(moved.readOnlyMs)}, first write ${seconds(first)} after; ` +
        `${moving.acknowledged() - before} writes in the meantime`,
    );
  }
  await sleep(betweenMs);
  for (const load of [moving, staying]) await load.stop();
  wrong.push(...(await moving.check(home.url)), ...(await staying.check(one.url)));
  const away = home === one ? other : one;
  if ((await workspacesOf(away)).includes(id)) wrong.push(`${away.name} still has the workspace.`);
  for (const cell of cells) wrong.push(...(await auditOf(cell)));
  return report({ moving, staying }, wrong);
}

/** Give the workspace something to carry. */
async function fillFirst({ server }: Cell, folder: string): Promise<void> {
  const resources = Number(values.resources);
  const files = {
    resources: join(folder, 'resources.jsonl'),
    lineages: join(folder, 'lineages.jsonl'),
  };
  await writeResources(files.resources, resources);
  await writeLineages(files.lineages, { resources, lineages: resources, ends: 'both' });
  await server.upload(await server.makeIntegration('warehouse'), files);
}

async function workspacesOf(cell: Cell): Promise<string[]> {
  return listed.parse(await ask(cell, 'GET', '')).workspaces.map(({ id }) => id);
}

/** Ask a cell as its operator. */
async function ask(
  { server }: Cell,
  method: string,
  path: string,
  body?: object,
): Promise<unknown> {
  const response = await fetch(`${server.base}/operator/workspaces${path}`, {
    method,
    headers: { authorization: `Bearer ${operator}` },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${text}`);
  return text === '' ? null : JSON.parse(text);
}

async function auditOf({ name, url }: Cell): Promise<string[]> {
  const verified = startScript('command.mjs', { DATABASE_URL: url }, ['audit-verify']);
  if ((await verified.ended) === 0) return [];
  return [`The audit log of ${name} does not verify: ${verified.output().trim()}`];
}

function report(loads: Readonly<Record<string, Load>>, wrong: string[]): number {
  for (const [name, load] of Object.entries(loads)) {
    const answers = [...load.answers].sort(([a], [b]) => a.localeCompare(b));
    const bad = answers.filter(([answer]) => !/^(2|503)/.test(answer));
    for (const [answer, count] of bad) wrong.push(`${name}: ${count} times ${answer}.`);
    const all = answers.map(([answer, count]) => `${answer} ${count} times`).join(', ');
    console.log(`${name}: ${load.acknowledged()} writes acknowledged; ${all}`);
  }
  for (const sentence of wrong) console.error(sentence);
  console.log(`${wrong.length} faults`);
  return wrong.length === 0 ? 0 : 1;
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

process.exitCode = await main();
