// Subscriptions: how many a key has, how long they last, and that they know whose they are.

import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createApiKey } from '../../src/people/api-key.ts';
import { type Catalog, openCatalog } from '../catalog.ts';
import { sayCounted } from '../gates/counted.ts';
import { startBeside } from './beside.ts';
import { clientsOf } from './client.ts';
import { type Event, type Subscribed, subscribe } from './events.ts';
import { lockTable } from './locked.ts';

const changes = 'subscription ($id: ID!) { resourceChanged(id: $id) { title } }';
/** Between two changes there is as much time at least; on a busy machine, where all takes longer, more. */
const changeMs = 200;
/** Changes that a subscription may deliver after a loss: those of 5 s. */
const mostDelivered = 5_000 / changeMs;
/** Changes that may be made until it has ended, which may take another second. */
const mostMade = mostDelivered + 1_000 / changeMs;

/** A key of a new editor. */
async function editorKey(
  catalog: Catalog,
): Promise<{ key: string; keyId: string; userId: string }> {
  const { id: userId } = await catalog.user({ role: 'editor' });
  const { data } = await catalog.graphql(
    'mutation ($id: ID!) { createApiKey(input: { userId: $id, name: "k", scopes: [ADMIN] }) { key apiKey { id } } }',
    { id: userId },
  );
  return { key: data.createApiKey.key, keyId: data.createApiKey.apiKey.id, userId };
}

/** All results of a subscription until it ends, each with its time by a clock. */
async function collect({ events }: Subscribed, clock = () => performance.now()) {
  const seen: { event: Event; at: number }[] = [];
  for await (const event of events) seen.push({ event, at: clock() });
  return { seen, endedAt: clock() };
}

interface Loss {
  readonly what: string;
  /** What it may end with: who may no longer see the thing may be told so first. */
  readonly codes: readonly string[];
  readonly mutation: (of: { keyId: string; userId: string }) => string;
}

const losses: readonly Loss[] = [
  {
    what: 'the key is revoked',
    codes: ['UNAUTHENTICATED'],
    mutation: ({ keyId }) => `mutation { revokeApiKey(id: "${keyId}") { id } }`,
  },
  {
    what: 'the user is made a viewer',
    codes: ['FORBIDDEN', 'NOT_FOUND'],
    mutation: ({ userId }) =>
      `mutation { updateUser(id: "${userId}", input: { role: viewer }) { id } }`,
  },
  {
    what: 'the user is deactivated',
    codes: ['UNAUTHENTICATED'],
    mutation: ({ userId }) => `mutation { deactivateUser(id: "${userId}") { id } }`,
  },
];

test('nothing is delivered after a loss, on this process and on another, changes or none', async () => {
  await using catalog = await openCatalog({ alone: true });
  const { origin, admin } = await clientsOf(catalog, {});
  await using beside = await startBeside(catalog);
  const busy = await catalog.resource({ title: 'busy 0', published: false });
  const quiet = await catalog.resource({ title: 'quiet', published: false });
  /** Changes made so far: the clock of this test, which stops when so many were made. */
  let last = 0;
  let [count, until] = [0, Number.POSITIVE_INFINITY];
  const made = () => count;
  const runs = await Promise.all(
    losses.map(async (loss) => {
      const editor = await editorKey(catalog);
      const open = (from: string, id: string) => subscribe(from, editor.key, changes, { id });
      const subscribed = await Promise.all(
        [origin, beside.origin].flatMap((from) => [open(from, busy.id), open(from, quiet.id)]),
      );
      const collecting = Promise.all(subscribed.map((one) => collect(one, made)));
      // Who leaves in the end is not told how it ended.
      collecting.catch(() => {});
      return { loss, editor, subscribed, collecting };
    }),
  );
  const changing = (async () => {
    while (count < until) {
      const title = `busy ${count + 1}`;
      const change = admin.rest('PATCH', `/table/tables/${busy.id}`, { title });
      await Promise.all([change, sleep(changeMs)]);
      count += 1;
    }
    return [];
  })();
  await expect.poll(made).toBeGreaterThan(5);
  for (const { loss, editor } of runs) {
    const { code } = await admin.graphql(loss.mutation(editor));
    expect(code, loss.what).toBeUndefined();
  }
  const lostAt = made();
  until = lostAt + mostMade + 10;
  for (const { loss, collecting } of runs) {
    // What goes on when the clock has stopped is not waited for.
    const ended = await Promise.race([collecting, changing]);
    expect(ended.length, loss.what).toBe(4);
    for (const { seen, endedAt } of ended) {
      expect(endedAt - lostAt, loss.what).toBeLessThanOrEqual(mostMade);
      expect(loss.codes, loss.what).toContain(seen.at(-1)?.event.errors?.[0]?.extensions.code);
      const sent = seen.filter(({ event }) => event.data);
      expect(sent.length, loss.what).toBeGreaterThan(0);
      const delivered = (sent.at(-1)?.at ?? Infinity) - lostAt;
      expect(delivered, loss.what).toBeLessThanOrEqual(mostDelivered);
      last = Math.max(last, delivered);
    }
  }
  sayCounted(
    `${runs.length * 4} subscriptions of those who lost something, the last change delivered was number ${last} after it`,
  );
  until = 0;
  await changing;
  for (const { subscribed } of runs) for (const { leave } of subscribed) leave();
  expect(catalog.unexpected).toEqual([]);
});

test('who is given a role keeps the subscription, and receives what he may see now', async () => {
  await using catalog = await openCatalog();
  const { origin, admin } = await clientsOf(catalog, {});
  const { key, userId } = await editorKey(catalog);
  const { id } = await catalog.resource({ title: 'before' });
  const { events, leave } = await subscribe(origin, key, changes, { id });
  expect((await events.next()).value).toMatchObject({
    data: { resourceChanged: { title: 'before' } },
  });
  await admin.graphql(`mutation { updateUser(id: "${userId}", input: { role: admin }) { id } }`);
  await sleep(4_000);
  await admin.rest('PATCH', `/table/tables/${id}`, { title: 'after' });
  expect((await events.next()).value).toMatchObject({
    data: { resourceChanged: { title: 'after' } },
  });
  leave();
});

test('who leaves while an event is read for them leaves nothing behind, and no error of ours', async () => {
  await using catalog = await openCatalog({ alone: true });
  const { origin, admin } = await clientsOf(catalog, {});
  const { id } = await catalog.resource({ tagIds: [(await catalog.tag()).id] });
  const tagged = 'subscription ($id: ID!) { resourceChanged(id: $id) { title tags { name } } }';
  const { events, leave } = await subscribe(origin, catalog.keyOf('editor'), tagged, { id });
  expect((await events.next()).value).toHaveProperty('data');
  await using locked = await lockTable(catalog.url, 'tag');
  await admin.rest('PATCH', `/table/tables/${id}`, { title: 'changed' });
  await expect.poll(() => locked.waiting(), { timeout: 20_000 }).toBe(1);
  leave();
  await expect.poll(() => locked.waiting(), { timeout: 20_000 }).toBe(0);
  expect(catalog.unexpected).toEqual([]);
});

test('a key has so many open at most, and another when one is closed', async () => {
  await using catalog = await openCatalog({ alone: true });
  const { origin } = await clientsOf(catalog, { SUBSCRIPTIONS_PER_KEY: '3' });
  const { id } = await catalog.resource();
  const open = (key: string) => subscribe(origin, key, changes, { id });
  const mine = catalog.keyOf('admin');
  const held = [await open(mine), await open(mine), await open(mine)];
  for (const one of held) expect((await one.events.next()).value).toHaveProperty('data');
  const refused = await open(mine);
  const { value } = await refused.events.next();
  expect(value).toMatchObject({ errors: [{ extensions: { code: 'TOO_MANY_REQUESTS' } }] });
  expect((await refused.events.next()).done).toBe(true);
  // Another key is another key, also of the same person; one that was refused has taken no place.
  const { key } = await createApiKey(catalog.admin, { name: 'k', userId: catalog.idOf('admin') });
  const other = await open(key);
  expect((await other.events.next()).value).toHaveProperty('data');
  held[0]?.leave();
  await expect
    .poll(async () => {
      const next = await open(mine);
      const { value: event } = await next.events.next();
      next.leave();
      return event;
    })
    .toHaveProperty('data');
  for (const one of [...held, other]) one.leave();
});

test('a subscription ends without an error when it has lasted as long as it may', async () => {
  await using catalog = await openCatalog({ alone: true });
  const { origin } = await clientsOf(catalog, {
    SUBSCRIPTION_SECONDS: '2',
    SUBSCRIPTIONS_PER_KEY: '1',
  });
  const { id } = await catalog.resource({ title: 'there' });
  const began = performance.now();
  const { seen, endedAt } = await collect(
    await subscribe(origin, catalog.keyOf('admin'), changes, { id }),
  );
  // By itself, since nothing else ends it.
  expect(seen.map(({ event }) => event)).toEqual([
    { data: { resourceChanged: { title: 'there' } } },
  ]);
  expect(endedAt - began).toBeGreaterThan(1_900);
  // Its place is free: the client may go on with the next one.
  const next = await subscribe(origin, catalog.keyOf('admin'), changes, { id });
  expect((await next.events.next()).value).toHaveProperty('data');
  next.leave();
});

test('a subscription that asks for too much is refused as a query is', async () => {
  await using catalog = await openCatalog();
  const { origin } = await clientsOf(catalog, {});
  const { id } = await catalog.resource();
  const dear = `subscription ($id: ID!) { resourceChanged(id: $id) {
    children(first: 1000) { nodes { children(first: 1000) { nodes { id } } } } } }`;
  const { events } = await subscribe(origin, catalog.keyOf('admin'), dear, { id });
  const { value } = await events.next();
  expect(value).toMatchObject({ errors: [{ extensions: { code: 'BAD_REQUEST' } }] });
  const without = await subscribe(origin, 'no-key', changes, { id });
  expect((await without.events.next()).value).toMatchObject({
    errors: [{ extensions: { code: 'UNAUTHENTICATED' } }],
  });
});

test('what a subscription reads is cut as a request is, and ends it', async () => {
  await using catalog = await openCatalog({ alone: true });
  const { origin } = await clientsOf(catalog, { REQUEST_TIMEOUT_MS: '1000' });
  const { id } = await catalog.resource();
  await using locked = await lockTable(catalog.url, 'resource');
  const each = [changes, 'subscription ($id: ID!) { resourcesChanged(ids: [$id]) { title } }'].map(
    async (query) => {
      const { seen } = await collect(
        await subscribe(origin, catalog.keyOf('admin'), query, { id }),
      );
      expect(seen.map(({ event }) => event.errors?.[0]?.extensions.code)).toEqual(['TIMEOUT']);
    },
  );
  await Promise.all(each);
  await expect.poll(() => locked.waiting()).toBe(0);
  expect(catalog.unexpected).toEqual([]);
});

test('a long event is written whole, and one that is too long ends it', async () => {
  await using catalog = await openCatalog({ alone: true });
  const { origin } = await clientsOf(catalog, {});
  const { id } = await catalog.resource({ kind: 'table', description: 'é'.repeat(100_000) });
  for (let n = 0; n < 3; n += 1) await catalog.resource({ kind: 'column', parentId: id });
  const aliases = (times: number) =>
    Array.from({ length: times }, (_, n) => `a${n}: description`).join(' ');
  const ask = async (times: number) => {
    const query = `subscription ($id: ID!) { resourceChanged(id: $id) {
      children(first: 3) { nodes { parent { ${aliases(times)} } } } } }`;
    const { events, leave } = await subscribe(origin, catalog.keyOf('admin'), query, { id });
    const { value } = await events.next();
    leave();
    return value ?? {};
  };
  const { data, errors } = await ask(20);
  const texts = data.resourceChanged.children.nodes.flatMap((one: { parent: object }) =>
    Object.values(one.parent),
  );
  expect([texts.length, new Set(texts)]).toEqual([60, new Set(['é'.repeat(100_000)])]);
  expect(errors).toBeUndefined();
  const refused = await ask(30);
  expect(refused.data ?? null).toBeNull();
  expect(refused.errors?.[0]?.message).toMatch(/over 8,000,000 characters/);
});
