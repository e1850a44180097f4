// Subscriptions as clients have them: the code of the guide, run as it stands there, and the events themselves.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { announce } from '../../../src/database/announce.ts';
import { enqueueJob } from '../../../src/jobs/job.ts';
import { updateResource } from '../../../src/resources/editing/edit.ts';
import { type Catalog, openCatalog } from '../../catalog.ts';
import { root } from '../../house/sources.ts';
import { hasTool } from '../../tool.ts';

let catalog: Catalog;
let url: string;
const folder = mkdtempSync(join(tmpdir(), 'headwater-guide-'));
beforeAll(async () => {
  catalog = await openCatalog();
  url = `${await catalog.listen()}/graphql`;
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await catalog[Symbol.asyncDispose]();
});

const files: Readonly<Record<string, string>> = {
  'graphql-sse': 'graphql-sse/lib/index.mjs',
  '@urql/core': '@urql/core/dist/urql-core.mjs',
};

/** The module that a block of the guide makes, which exports a function of that name. */
function guided(name: string) {
  const page = readFileSync(join(root, 'docs/graphql.md'), 'utf8');
  const blocks = [...page.matchAll(/```js\n(.*?)```/gs)].map(([, code = '']) => code);
  const code = blocks.find((block) => block.includes(`function ${name}(`)) ?? '';
  const file = join(folder, `${name}.mjs`);
  const from = (library: string) =>
    pathToFileURL(join(root, 'tools/node_modules', files[library] ?? library));
  writeFileSync(
    file,
    code.replaceAll(/ from '(.*?)';/g, (_all, library) => ` from '${from(library)}';`),
  );
  return import(pathToFileURL(file).href);
}

/** Subscribe, and read all that comes until the server ends it. */
async function textOf(query: string, variables: object, change = async () => {}): Promise<string> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${catalog.keyOf('admin')}`,
      'content-type': 'application/json',
      accept: 'text/event-stream',
    },
    body: JSON.stringify({ query, variables }),
  });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  await change();
  return response.text();
}

const eventsIn = (text: string) => [...text.matchAll(/^event: (\w+)$/gm)].map(([, name]) => name);

test('what ends says that it is complete, after the last state', async () => {
  const { job } = await enqueueJob(catalog.admin, { kind: 'nothing', title: 'Nothing' });
  const { id } = job;
  const text = await textOf(
    'subscription ($id: ID!) { jobChanged(id: $id) { state } }',
    { id },
    () =>
      catalog
        .graphql('mutation ($id: ID!) { cancelJob(id: $id) { state } }', { id })
        .then(() => {}),
  );
  const events = eventsIn(text);
  expect(text).toContain('"jobChanged":{"state":"cancelled"}');
  expect(events.at(-1)).toBe('complete');
  expect(events.filter((name) => name === 'complete')).toHaveLength(1);
  expect(text).toMatch(/event: complete\ndata:\n\n$/);
});

test('what is refused comes as an event, and is complete', async () => {
  for (const query of ['subscription { nothing }', 'subscription {']) {
    const text = await textOf(query, {});
    expect(eventsIn(text)).toEqual(['next', 'complete']);
    expect(text).toContain('"code":"BAD_REQUEST"');
  }
});

describe.skipIf(!hasTool('graphql-sse') || !hasTool('@urql/core'))('with the clients', () => {
  const rename = (id: string, title: string) => updateResource(catalog.admin, id, { title });

  test('the code with graphql-sse tells of each title, and why it can tell of none', async () => {
    const { id } = await catalog.resource({ title: 'one' });
    const { watchTitle } = await guided('watchTitle');
    const titles: string[] = [];
    const onTitle = (title: string) => {
      titles.push(title);
      if (title === 'one') void rename(id, 'two');
      return title === 'two' ? 'enough' : 'more';
    };
    await watchTitle({ url, key: catalog.keyOf('admin'), id, onTitle });
    expect(titles).toEqual(['one', 'two']);
    const refused = watchTitle({ url, key: 'hwk_wrong', id, onTitle });
    await expect(refused).rejects.toThrow('Send a valid API key');
    expect(titles).toEqual(['one', 'two']);
  });

  test('the code with urql does the same', async () => {
    const { id } = await catalog.resource({ title: 'one' });
    const { subscribeWithUrql } = await guided('subscribeWithUrql');
    const titles: string[] = [];
    const errors: string[] = [];
    const given = {
      url,
      query: 'subscription ($id: ID!) { resourceChanged(id: $id) { title } }',
      variables: { id },
      onData: (data: { resourceChanged: { title: string } }) =>
        titles.push(data.resourceChanged.title),
      onError: ({ message }: Error) => errors.push(message),
    };
    const watching = subscribeWithUrql({ ...given, key: catalog.keyOf('admin') });
    await expect.poll(() => titles).toEqual(['one']);
    await rename(id, 'two');
    await expect.poll(() => titles).toEqual(['one', 'two']);
    watching.unsubscribe();
    await sleep(200);
    await rename(id, 'three');
    await sleep(200);
    expect([titles, errors]).toEqual([['one', 'two'], []]);
    subscribeWithUrql({ ...given, key: 'hwk_wrong' });
    await expect.poll(() => errors.join()).toContain('Send a valid API key');
  });

  test('the code for incidents receives those that the filter holds for', async () => {
    const { workspaceId, database } = catalog;
    const { id: targetId } = await catalog.resource();
    const data = { workspaceId, targetId, metricType: 'row_count', name: 'm' };
    const { id: monitorId } = await database.prisma.monitor.create({ data });
    const incident = (name: string, severity: string) =>
      database.prisma.incident.create({
        data: {
          workspaceId,
          targetId,
          monitorId,
          name,
          severity,
          summary: '',
          value: 1,
          status: 'resolved',
        },
      });
    const [low, high] = [await incident('low', 'low'), await incident('high', 'high')];
    const { watchIncidents } = await guided('watchIncidents');
    const received: string[] = [];
    const leaving = new AbortController();
    const onIncident = ({ name }: { name: string }) => {
      received.push(name);
      leaving.abort();
    };
    const where = { severity: { eq: 'high' } };
    const given = { url, key: catalog.keyOf('admin'), where, onIncident, signal: leaving.signal };
    const watching: Promise<void> = watchIncidents(given);
    for (let tries = 0; received.length === 0 && tries < 100; tries += 1) {
      await announce(catalog.admin, 'incident', [low.id, high.id]);
      await sleep(100);
    }
    await watching;
    expect(received).toEqual(['high']);
  });

  test('the code for the inbox receives what arrives', async () => {
    const { subscribeWithUrql } = await guided('subscribeWithUrql');
    const received: string[] = [];
    const watching = subscribeWithUrql({
      ...{ url, key: catalog.keyOf('admin'), variables: {} },
      query: 'subscription { notificationChanged { id title text readAt } }',
      onData: (data: { notificationChanged: { title: string } }) =>
        received.push(data.notificationChanged.title),
      onError: (error: Error) => received.push(error.message),
    });
    const { workspaceId, database } = catalog;
    for (let tries = 0; received.length === 0 && tries < 100; tries += 1) {
      await database.prisma.notification.create({
        data: {
          ...{
            workspaceId,
            event: 'resource_changed',
            channel: 'inbox',
            address: catalog.idOf('admin'),
          },
          ...{ dedupeKey: `n${tries}`, content: { title: 'orders', text: 'It changed.' } },
        },
      });
      await announce(catalog.admin, 'inbox', [catalog.idOf('admin')]);
      await sleep(100);
    }
    watching.unsubscribe();
    expect(received[0]).toBe('orders');
  });
});
