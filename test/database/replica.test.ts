// Reads from a replica: a real standby that streams, held back, stopped and promoted.

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { placeOf, type Replica } from '../../src/database/replica.ts';
import { type Catalog, openCatalogOn } from '../catalog.ts';
import { openDatabaseAt, type TestDatabase } from '../database.ts';
import { startPostgres, startStandby, type TestServer } from '../servers.ts';

test('places in the log are compared as numbers', () => {
  expect(placeOf('0/16B3748')).toBe(0x16b3748n);
  expect(placeOf('16/B374D848') > placeOf('9/FFFFFFFF')).toBe(true);
});

const primary = await startPostgres();
const standby = primary && (await startStandby(primary));
afterAll(async () => {
  await standby?.[Symbol.asyncDispose]();
  await primary?.[Symbol.asyncDispose]();
});

// An account like any other: what shows how far both are must not take a superuser.
await primary?.run(`create role headwater login; alter database postgres owner to headwater;
  alter schema public owner to headwater`);
const login = ({ port }: TestServer) => `postgresql://headwater@127.0.0.1:${port}/postgres`;

/** A process of Headwater that reads from the standby. */
function openProcess(): Promise<TestDatabase> {
  if (!primary || !standby) throw new Error('There is no PostgreSQL.');
  return openDatabaseAt(login(primary), { readUrl: login(standby) });
}

function replicaOf({ database }: Pick<Catalog, 'database'>): Replica {
  if (!database.replica) throw new Error('There is no replica.');
  return database.replica;
}

const names = async (catalog: Catalog, role: 'admin' | 'viewer' = 'admin'): Promise<string[]> => {
  const query = '{ tags(first: 100) { nodes { name } } }';
  const { data } = await catalog.graphql(query, {}, { as: role });
  return data.tags.nodes.map(({ name }: { name: string }) => name);
};
const add = async (catalog: Catalog): Promise<string> => {
  const name = randomUUID();
  const input = { input: { name } };
  const query = 'mutation ($input: CreateTagInput!) { createTag(input: $input) { id } }';
  const { errors } = await catalog.graphql(query, input);
  expect(errors).toBeUndefined();
  return name;
};

/** Wait until the replica may serve a user. */
const isUsed = (catalog: Catalog, role: 'admin' | 'viewer' = 'viewer') =>
  expect.poll(() => replicaOf(catalog).mayServe(catalog.idOf(role)), { interval: 20 }).toBe(true);

/** Keep the standby where it is. It does so with the next record of the log. */
async function hold(): Promise<void> {
  await standby?.run('select pg_wal_replay_pause()');
  const state = async () => {
    await primary?.run(`select pg_logical_emit_message(true, 'test', 'a record')`);
    return standby?.run('select pg_get_wal_replay_pause_state() as state');
  };
  await expect.poll(state, { interval: 10 }).toEqual([{ state: 'paused' }]);
}

async function release(): Promise<void> {
  await standby?.run('select pg_wal_replay_resume()');
}

describe.skipIf(!primary || !standby)('a replica', () => {
  let catalog: Catalog;
  let other: TestDatabase;
  beforeAll(async () => {
    catalog = await openCatalogOn(await openProcess());
    other = await openProcess();
  });
  afterAll(async () => {
    await other[Symbol.asyncDispose]();
    await catalog[Symbol.asyncDispose]();
  });

  test('serves queries, in GraphQL and over REST, and nothing else', async () => {
    // Loading REST keeps the thread busy: in the meantime nothing is known of the replica.
    await (await catalog.app()).rest();
    await catalog.rest('GET', '/tag', { caller: { as: 'viewer' } });
    const { figures } = replicaOf(catalog);
    const servedBy = async (work: () => Promise<unknown>) => {
      await isUsed(catalog);
      const before = figures.served;
      await work();
      return figures.served - before;
    };
    // On a busy machine it may be too far behind by the time it is asked.
    const get = () => catalog.rest('GET', '/tag', { caller: { as: 'viewer' } });
    for (const ask of [() => names(catalog, 'viewer'), get]) {
      await expect.poll(() => servedBy(ask)).toBeGreaterThan(0);
    }
    expect(await servedBy(() => add(catalog))).toBe(0);
    expect(figures.failed).toBe(0);
  });

  test('never hides from anybody what they wrote, however far it is behind', async () => {
    await isUsed(catalog);
    await hold();
    try {
      for (let round = 0; round < 10; round += 1) {
        const name = await add(catalog);
        expect(await names(catalog)).toContain(name);
        const made = await catalog.rest('POST', '/tag', { body: { name: randomUUID() } });
        expect(made.status).toBe(201);
        const { body } = await catalog.rest('GET', `/tag/${made.body.id}`);
        expect(body.id).toBe(made.body.id);
      }
    } finally {
      await release();
    }
  });

  test('shows others what is a second old at most, and is passed by when it is older', async () => {
    let isBehind = false;
    // On a busy machine a second may be over before it is asked.
    for (let attempt = 0; attempt < 10 && !isBehind; attempt += 1) {
      await isUsed(catalog);
      await hold();
      try {
        const name = await add(catalog);
        const wroteAt = performance.now();
        isBehind = !(await names(catalog, 'viewer')).includes(name);
        // Anyone who asks later than a second after it was written sees it, though the replica never will.
        while (performance.now() - wroteAt <= 1_000) await sleep(20);
        expect(await names(catalog, 'viewer')).toContain(name);
        expect(await replicaOf(catalog).mayServe(catalog.idOf('viewer'))).toBe(false);
      } finally {
        await release();
      }
    }
    // It was the replica that answered: what had just been written was not there yet.
    expect(isBehind).toBe(true);
    await isUsed(catalog);
  });

  test('is used again by a writer as soon as it shows what was written', async () => {
    await isUsed(catalog, 'admin');
    const name = await add(catalog);
    expect(await replicaOf(catalog).mayServe(catalog.idOf('admin'))).toBe(false);
    const { figures } = replicaOf(catalog);
    const servedByIt = async () => {
      await isUsed(catalog, 'admin');
      const before = figures.served;
      expect(await names(catalog)).toContain(name);
      return figures.served - before;
    };
    await expect.poll(servedByIt).toBeGreaterThan(0);
  });

  test('is not asked for one thing by its id, of which somebody may have been notified just now', async () => {
    await isUsed(catalog);
    await hold();
    try {
      const { body } = await catalog.rest('POST', '/tag', { body: { name: randomUUID() } });
      const found = await catalog.rest('GET', `/tag/${body.id}`, { caller: { as: 'viewer' } });
      expect(found.status).toBe(200);
      const query = 'query ($id: ID!) { tag(id: $id) { id } tags(first: 1) { totalCount } }';
      const { data } = await catalog.graphql(query, { id: body.id }, { as: 'viewer' });
      expect(data.tag?.id).toBe(body.id);
    } finally {
      await release();
    }
  });

  test('is not asked for a user who was just notified of a change by a subscription', async () => {
    const base = await catalog.listen();
    const table = await catalog.resource();
    const subscription = `subscription { resourceChanged(id: "${table.id}") { title } }`;
    const leaving = new AbortController();
    const response = await fetch(`${base}/graphql`, {
      method: 'POST',
      signal: leaving.signal,
      headers: {
        authorization: `Bearer ${catalog.keyOf('viewer')}`,
        'content-type': 'application/json',
        accept: 'text/event-stream',
      },
      body: JSON.stringify({ query: subscription }),
    });
    const events = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    await events?.read();
    await isUsed(catalog);
    await hold();
    try {
      const title = randomUUID();
      const body = { title };
      expect((await catalog.rest('PATCH', `/table/tables/${table.id}`, { body })).status).toBe(200);
      let received = '';
      while (!received.includes(title)) received += (await events?.read())?.value ?? '';
      const query = '{ resources(first: 100, kinds: [table]) { nodes { title } } }';
      const { data } = await catalog.graphql(query, {}, { as: 'viewer' });
      expect(data.resources.nodes).toContainEqual({ title });
    } finally {
      leaving.abort();
      await release();
    }
  });

  test('is not asked for a user who wrote on another process', async () => {
    await isUsed(catalog, 'admin');
    const there = replicaOf(other);
    const id = catalog.idOf('admin');
    await expect.poll(() => there.mayServe(id)).toBe(true);
    await hold();
    try {
      // As a job does it: without a request around it.
      await catalog.tag();
      // Asked at once, as a client does whose next request meets another process.
      expect(await there.mayServe(id)).toBe(false);
      expect(await replicaOf(catalog).mayServe(id)).toBe(false);
    } finally {
      await release();
    }
  });

  test('that has lost its primary is not asked, nor one whose primary does not answer us', async () => {
    await isUsed(catalog);
    const asking = `select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'headwater replica'`;
    const mayServe = async () => {
      // It is back soon, maybe before this process gets to ask.
      await primary?.run(asking);
      return replicaOf(catalog).mayServe(catalog.idOf('viewer'));
    };
    await expect.poll(mayServe, { interval: 5 }).toBe(false);
    await isUsed(catalog);
  });

  test('a statement that it can not answer is answered by the server itself', async () => {
    await isUsed(catalog);
    const name = await add(catalog);
    // Anyone who wrote it is sent there when it is there.
    await isUsed(catalog, 'admin');
    const ending = sleep(10).then(() =>
      standby?.run(`select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'headwater'`),
    );
    for (let round = 0; round < 20; round += 1) {
      expect(await names(catalog, 'viewer')).toContain(name);
    }
    await ending;
    expect(catalog.unexpected).toEqual([]);
  });

  test('that is gone costs no one an answer, and one that was promoted is left alone', async () => {
    if (!standby) return;
    await isUsed(catalog);
    await standby.run('select pg_promote()');
    await expect
      .poll(() => replicaOf(catalog).mayServe(catalog.idOf('viewer')), { interval: 20 })
      .toBe(false);
    // It goes on by itself from here: what it shows is not what the primary has.
    await sleep(1_500);
    expect(await replicaOf(catalog).mayServe(catalog.idOf('viewer'))).toBe(false);
    await standby.kill();
    const name = await add(catalog);
    expect(await names(catalog, 'viewer')).toContain(name);
    expect(catalog.unexpected).toEqual([]);
  });
});
