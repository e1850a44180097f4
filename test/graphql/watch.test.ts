// Subscriptions: the state of one thing now and after each committed change, over server-sent events.

import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Context } from '../../src/context.ts';
import { announce } from '../../src/database/announce.ts';
import { transaction } from '../../src/database/transaction.ts';
import { endWatches, watch } from '../../src/graphql/watch.ts';
import { enqueueJob } from '../../src/jobs/job.ts';
import { startWorker } from '../../src/jobs/worker.ts';
import { viewerOfKey } from '../../src/people/sign-in.ts';
import { updateResource } from '../../src/resources/editing/edit.ts';
import { getResource } from '../../src/resources/resource.ts';
import { type Catalog, openCatalog } from '../catalog.ts';
import { subscribe } from '../limits/events.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await openCatalog();
});
afterAll(() => catalog[Symbol.asyncDispose]());

test('a watcher gets the state now, then each change once it is committed', async () => {
  const { id } = await catalog.resource({ title: 'one' });
  const titles = watch(catalog.admin, {
    topic: 'resource',
    id,
    read: async (ctx) => (await getResource(ctx, id)).title,
  });
  expect(await titles.next()).toEqual({ done: false, value: 'one' });
  const undone = transaction(catalog.admin, async (tx) => {
    await updateResource(tx, id, { title: 'undone' });
    throw new Error('Changed my mind.');
  });
  await expect(undone).rejects.toThrow('Changed my mind.');
  // A change of something else, and one that changes nothing, are no news.
  await catalog.resource();
  await announce(catalog.admin, 'resource', [id]);
  const next = titles.next();
  await updateResource(catalog.admin, id, { title: 'two' });
  expect(await next).toEqual({ done: false, value: 'two' });
  await titles.return?.();
  expect((await titles.next()).done).toBe(true);
});

test('a watcher that waits can be sent home', async () => {
  const { id } = await catalog.resource();
  const states = watch(catalog.admin, { topic: 'resource', id, read: async () => 'same' });
  await states.next();
  const waiting = states.next();
  await states.return?.();
  expect(await waiting).toEqual({ done: true, value: undefined });
});

test('a watcher whose client goes away ends', async () => {
  const { id } = await catalog.resource();
  const client = new AbortController();
  const ctx = { ...catalog.admin, signal: client.signal };
  const states = watch(ctx, { topic: 'resource', id, read: async () => 'same' });
  await states.next();
  const waiting = states.next();
  client.abort();
  expect(await waiting).toEqual({ done: true, value: undefined });
});

test('a process that stops ends its watchers', async () => {
  const own = { ...catalog.admin, database: { ...catalog.database } };
  const watched = { topic: 'resource', id: 'any', read: async () => 'same' } as const;
  const [one, two] = [watch(own, watched), watch(own, watched)];
  await one.next();
  await two.next();
  const waiting = [one.next(), two.next()];
  endWatches(own.database);
  expect(await Promise.all(waiting)).toEqual(waiting.map(() => ({ done: true, value: undefined })));
  // Who was only just let in ends as well, rather than hold the process.
  expect(await watch(own, watched).next()).toEqual({ done: true, value: undefined });
});

test('what may no longer be seen ends the watch with an error', async () => {
  const { id } = await catalog.resource({ published: true });
  const read = async (ctx: Context) => (await getResource(ctx, id)).title;
  const states = watch(catalog.as('viewer'), { topic: 'resource', id, read });
  await states.next();
  // Looked at before it is refused, which may be before the change is answered.
  const refused = expect(states.next()).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await updateResource(catalog.admin, id, { published: false });
  await refused;
});

test("a job's progress and end come over server-sent events, and then the stream ends", async () => {
  const { createGraphQL } = await import('../../src/graphql/yoga.ts');
  const { database, surroundings } = catalog;
  const yoga = createGraphQL({
    database,
    surroundings,
    authenticate: (key) => viewerOfKey(database, key, new Date()),
    onUnexpected: (error) => console.error(error),
  });
  const server = createServer(yoga).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const query = `subscription ($id: ID!) {
    jobChanged(id: $id) { state progressStep progressDone progressTotal logs }
  }`;

  let proceed = () => {};
  const asked = new Promise<void>((resolve) => {
    proceed = resolve;
  });
  const kind = 'watch test';
  const { job } = await enqueueJob(catalog.admin, { kind, title: 'A test' });
  const worker = startWorker({
    database,
    surroundings,
    handlers: {
      async [kind]({ ctx, log, progress }) {
        await asked;
        // Progress is sent while a transaction is open.
        await transaction(ctx, async (tx) => {
          progress('Counting', 1, 2);
          await tx.db.setting.count();
          log('Half way.');
          await new Promise((resolve) => setTimeout(resolve, 300));
        });
      },
    },
    onError: (error) => console.error(error),
  });
  const seen: unknown[] = [];
  const { events } = await subscribe(origin, catalog.keyOf('admin'), query, { id: job.id });
  for await (const { data } of events) {
    seen.push(data.jobChanged);
    proceed();
  }
  expect(seen).toContainEqual({
    state: 'running',
    progressStep: 'Counting',
    progressDone: 1,
    progressTotal: 2,
    logs: 'Half way.\n',
  });
  expect(seen.at(-1)).toMatchObject({ state: 'succeeded', logs: 'Half way.\n' });

  const other = await catalog.another();
  const refused = await subscribe(origin, other.keyOf('admin'), query, { id: job.id });
  for await (const event of refused.events) {
    expect(event.data ?? null).toBeNull();
    expect(event.errors?.[0]?.extensions.code).toBe('NOT_FOUND');
  }
  await worker.stop();
  server.closeAllConnections();
  server.close();
});
