// Subscriptions to many things: by a filter, several at once, the inbox, and going on after a cut.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { announce } from '../../src/database/announce.ts';
import { enqueueJob } from '../../src/jobs/job.ts';
import { createLineage, deleteLineage } from '../../src/lineage/edge.ts';
import { lineageStates } from '../../src/lineage/lineage-state.ts';
import { post } from '../../src/notifications/outbox/outbox.ts';
import { updateResource } from '../../src/resources/editing/edit.ts';
import { type Catalog, openCatalog } from '../catalog.ts';

let catalog: Catalog;
let url: string;
beforeAll(async () => {
  catalog = await openCatalog();
  url = `${await catalog.listen()}/graphql`;
});
afterAll(() => catalog[Symbol.asyncDispose]());

/** A server-sent event as a client reads it. */
interface Event {
  readonly id: string | undefined;
  // What a subscription selects is known only to the test that asks.
  // biome-ignore lint/suspicious/noExplicitAny: tests read into answers of any shape.
  readonly answer: any;
}

/** Subscribe, going on after an event where one is given; its events, and a way to leave. */
async function listenTo(query: string, variables: object = {}, after?: string) {
  const leaving = new AbortController();
  setTimeout(() => leaving.abort(new Error('Nothing came.')), patience).unref();
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${catalog.keyOf('admin')}`,
      'content-type': 'application/json',
      accept: 'text/event-stream',
      ...(after === undefined ? {} : { 'last-event-id': after }),
    },
    body: JSON.stringify({ query, variables }),
    signal: leaving.signal,
  });
  const events = eventsOf(response);
  const next = async (): Promise<Event> => {
    const { value } = await events.next();
    if (!value) throw new Error('There is no event any more.');
    return value;
  };
  return { next, [Symbol.dispose]: () => leaving.abort() };
}

async function* eventsOf({ body }: Response): AsyncGenerator<Event, void, undefined> {
  let text = '';
  for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const event = text.slice(0, end);
      text = text.slice(end + 2);
      const data = /^data: (.+)$/m.exec(event)?.[1];
      if (data) yield { id: /^id: (.+)$/m.exec(event)?.[1], answer: JSON.parse(data) };
    }
  }
}

/** Who receives nothing for so long, in milliseconds, waits for nothing. */
const patience = 30_000;

/** Long enough for a subscription to learn of what comes after; it says nothing when it is ready. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 300));

async function incident(severity: string) {
  const { workspaceId, database } = catalog;
  const { id: targetId } = await catalog.resource();
  const of = { workspaceId, targetId };
  const monitor = await database.prisma.monitor.create({
    data: { ...of, metricType: 'row_count', name: 'm' },
  });
  const data = { ...of, monitorId: monitor.id, name: severity, summary: '', value: 1, severity };
  const { id } = await database.prisma.incident.create({ data });
  return id;
}

const assign = (id: string, severity: string) =>
  catalog.graphql(
    'mutation ($id: ID!, $severity: IncidentSeverity) { updateIncident(id: $id, input: { severity: $severity }) { id } }',
    { id, severity },
  );

test('incidents by a filter: only those that it holds for, as they are then', async () => {
  using events = await listenTo(
    'subscription ($where: IncidentWhere) { incidentChanged(where: $where) { id name severity } }',
    { where: { severity: { in: ['high', 'critical'] } } },
  );
  await settle();
  const [low, high] = [await incident('low'), await incident('high')];
  await announce(catalog.admin, 'incident', [low]);
  await announce(catalog.admin, 'incident', [high]);
  expect((await events.next()).answer.data.incidentChanged).toMatchObject({ id: high });
  await assign(low, 'critical');
  expect((await events.next()).answer.data.incidentChanged).toEqual({
    id: low,
    name: 'low',
    severity: 'critical',
  });
});

test('a wrong filter is refused at once, and names the member', async () => {
  for (const [query, field] of [
    [
      'subscription { incidentChanged(where: { target: { within: "x" } }) { id } }',
      'where.target.within',
    ],
    ['subscription { jobsChanged(where: { id: { eq: "x" } }) { id } }', 'where.id.eq'],
    ['subscription { resourcesChanged(ids: []) { id } }', 'ids'],
  ] as const) {
    using events = await listenTo(query);
    expect((await events.next()).answer.errors[0].extensions).toMatchObject({
      code: 'BAD_REQUEST',
      fields: [{ field }],
    });
  }
});

test('jobs of a list: one that is made, and each of its changes, but none of another kind', async () => {
  using events = await listenTo(
    'subscription { jobsChanged(where: { kind: { eq: "mine" } }) { title state } }',
  );
  await settle();
  await enqueueJob(catalog.admin, { kind: 'other', title: 'other' });
  const { job } = await enqueueJob(catalog.admin, { kind: 'mine', title: 'mine' });
  expect((await events.next()).answer.data.jobsChanged).toEqual({ title: 'mine', state: 'queued' });
  await catalog.graphql('mutation ($id: ID!) { cancelJob(id: $id) { id } }', { id: job.id });
  expect((await events.next()).answer.data.jobsChanged).toEqual({
    title: 'mine',
    state: 'cancelled',
  });
});

test('several resources: each now, and then only what changes of them', async () => {
  const [one, two, other] = [
    await catalog.resource({ title: 'one' }),
    await catalog.resource({ title: 'two' }),
    await catalog.resource({ title: 'other' }),
  ];
  using events = await listenTo(
    'subscription ($ids: [ID!]!) { resourcesChanged(ids: $ids) { title } }',
    { ids: [one.id, two.id, '00000000-0000-4000-8000-000000000000'] },
  );
  const title = async () => (await events.next()).answer.data.resourcesChanged.title;
  expect([await title(), await title()].sort()).toEqual(['one', 'two']);
  await updateResource(catalog.admin, other.id, { title: 'changed' });
  await updateResource(catalog.admin, two.id, { title: 'second' });
  expect(await title()).toBe('second');
});

test('lineage of several resources: now, and when an edge next to them begins or ends', async () => {
  const [raw, mart, other] = [
    await catalog.resource({ title: 'raw' }),
    await catalog.resource({ title: 'mart' }),
    await catalog.resource({ title: 'other' }),
  ];
  const total = await catalog.resource({ title: 'total', kind: 'column', parentId: mart.id });
  const amount = await catalog.resource({ title: 'amount', kind: 'column', parentId: raw.id });
  using events = await listenTo(
    'subscription ($ids: [ID!]!) { lineageChanged(ids: $ids) { edgeCount changedAt resource { title } } }',
    { ids: [mart.id] },
  );
  const next = async () => (await events.next()).answer.data.lineageChanged;
  expect(await next()).toEqual({ edgeCount: 0, changedAt: null, resource: { title: 'mart' } });
  const draw = (fromId: string, toId: string) => createLineage(catalog.admin, { fromId, toId });
  await draw(raw.id, other.id);
  const edge = await draw(other.id, mart.id);
  expect(await next()).toMatchObject({ edgeCount: 1, changedAt: expect.any(String) });
  // An edge of a column implies one of its table.
  await draw(amount.id, total.id);
  expect(await next()).toMatchObject({ edgeCount: 3 });
  await deleteLineage(catalog.admin, edge.id);
  expect(await next()).toMatchObject({ edgeCount: 2 });
  using refused = await listenTo('subscription { lineageChanged(ids: ["x"]) { edgeCount } }');
  expect((await refused.next()).answer.errors[0].extensions.code).toBe('NOT_FOUND');
});

test('lineage that the viewer does not see is not counted', async () => {
  const [mart, secret] = [
    await catalog.resource({ title: 'open' }),
    await catalog.resource({ title: 'secret', published: false }),
  ];
  const viewer = await catalog.user({ role: 'viewer' });
  const edges = async () => {
    const states = await lineageStates(catalog.contextOf(viewer), [mart.id, secret.id]);
    return states.map(({ id, edgeCount }) => [id, edgeCount]);
  };
  expect(await edges()).toEqual([[mart.id, 0]]);
  await createLineage(catalog.admin, { fromId: secret.id, toId: mart.id });
  expect(await edges()).toEqual([[mart.id, 0]]);
});

test('the inbox: what arrives for the viewer, and when it is read', async () => {
  using events = await listenTo('subscription { notificationChanged { title readAt } }');
  await settle();
  const notify = (address: string, title: string) =>
    post(catalog.admin, [
      {
        ...{
          channel: 'inbox',
          address,
          dedupeKey: title,
          event: 'resource_changed',
          incidentId: null,
        },
        content: { title, text: title },
      },
    ]);
  await notify(catalog.idOf('viewer'), 'for another');
  await notify(catalog.idOf('admin'), 'for me');
  expect((await events.next()).answer.data.notificationChanged).toEqual({
    title: 'for me',
    readAt: null,
  });
  await catalog.graphql('mutation { markNotificationsRead }');
  const read = (await events.next()).answer.data.notificationChanged;
  expect(read).toEqual({ title: 'for me', readAt: expect.any(String) });
});

test('a subscription that was cut goes on after its last event, and misses nothing', async () => {
  const query =
    'subscription { incidentChanged(where: { name: { eq: "medium" } }) { id severity } }';
  let last: string | undefined;
  const first = await incident('medium');
  {
    using events = await listenTo(query);
    await settle();
    await assign(first, 'high');
    const { id, answer } = await events.next();
    expect(answer.data.incidentChanged).toEqual({ id: first, severity: 'high' });
    expect(id).toBe(answer.extensions.eventId);
    last = id;
  }
  const second = await incident('medium');
  await assign(second, 'low');
  await assign(second, 'critical');
  using again = await listenTo(query, {}, last);
  const severities = new Map<string, string>();
  while (!severities.has(second)) {
    const { id, severity } = (await again.next()).answer.data.incidentChanged;
    severities.set(id, severity);
  }
  // As it is now: what it was in between is not sent.
  expect(severities.get(second)).toBe('critical');
  await assign(first, 'low');
  expect((await again.next()).answer.data.incidentChanged).toEqual({ id: first, severity: 'low' });
});

test('an event that is none, or long gone, is refused with what to do', async () => {
  const query = 'subscription { incidentChanged { id } }';
  for (const [after, message] of [
    ['nonsense', 'Last-Event-ID: Use the id of an event'],
    ['2999-01-01T00:00:00.000Z', 'Last-Event-ID: Use the id of an event'],
    ['2020-01-01T00:00:00.000Z', 'older than an hour'],
  ] as const) {
    using events = await listenTo(query, {}, after);
    const [error] = (await events.next()).answer.errors;
    expect(error.extensions.code).toBe('BAD_REQUEST');
    expect(error.message).toContain(message);
  }
  // What begins with the state needs no id, and takes any.
  const { id } = await catalog.resource({ title: 'now' });
  using state = await listenTo(
    'subscription ($id: ID!) { resourceChanged(id: $id) { title } }',
    { id },
    'nonsense',
  );
  const event = await state.next();
  expect([event.answer.data.resourceChanged.title, event.id]).toEqual(['now', undefined]);
});
