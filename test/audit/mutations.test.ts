// Every mutation of the schema writes one entry: each is made to succeed by the one who adds one.

import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { words } from '../../src/audit/activity-schema.ts';
import { blocksOf, changesIn } from '../../src/audit/metadata.ts';
import { readingMarks } from '../../src/audit/reading-marks.ts';
import { ownActivities } from '../../src/audit/sentence.ts';
import type { AuditLog } from '../../src/generated/prisma/client.ts';
import { schema } from '../../src/graphql/schema.ts';
import { parsePrivateHosts } from '../../src/network/address.ts';
import { createQuestion } from '../../src/resources/questions/question.ts';
import { saveSearch } from '../../src/resources/search/saved/saved-search.ts';
import { type Catalog, openCatalog } from '../catalog.ts';
import { activities } from './activities.ts';
import { cases, q } from './cases.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await openCatalog();
  catalog.surroundings.reach = { privateHosts: parsePrivateHosts('127.0.0.1/32'), filesDir: null };
});

const mutations = Object.keys(schema.getMutationType()?.getFields() ?? {});

/** Run an operation as the admin; the entries that it wrote, in their order. */
async function entriesOf(
  ask: string,
  properties?: object,
  kind: 'mutation' | 'query' = 'mutation',
): Promise<AuditLog[]> {
  const { workspaceId, database } = catalog;
  const where = { workspaceId };
  const last = await database.prisma.auditLog.aggregate({ where, _max: { sequence: true } });
  const declared = properties ? '($properties: JSON!)' : '';
  const answer = await catalog.graphql(`${kind} ${declared} { ${ask} }`, { properties });
  expect(answer.errors).toBeUndefined();
  return database.prisma.auditLog.findMany({
    where: { workspaceId, sequence: { gt: last._max.sequence ?? 0n } },
    orderBy: { sequence: 'asc' },
  });
}

test('every mutation has a case here, or is a mark of reading', () => {
  expect(mutations.length).toBeGreaterThan(60);
  const known = [...Object.keys(cases), ...Object.keys(readingMarks)];
  expect(known.sort()).toEqual(mutations.toSorted());
});

test.each(Object.keys(cases))('%s writes one entry', async (name) => {
  const made = await cases[name]?.(catalog);
  if (!made) throw new Error('There is no case.');
  const entries = await entriesOf(made.ask, made.properties);
  const [entry, ...more] = entries.filter(({ parentId }) => parentId === null);
  expect(more).toEqual([]);
  if (!entry) throw new Error('There is no entry.');
  const parts = entries.filter(({ parentId }) => parentId !== null);
  expect(parts.map(({ parentId }) => parentId)).toEqual(Array(made.parts ?? 0).fill(entry.id));
  const key = await catalog.database.prisma.apiKey.findFirstOrThrow({
    where: { workspaceId: catalog.workspaceId, userId: catalog.idOf('admin'), name: 'admin' },
  });
  expect([name, entry.activityType]).toEqual([name, activities[name]]);
  expect(entry).toMatchObject({
    performerId: catalog.idOf('admin'),
    keyId: key.id,
    requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  // Filters of the log know each word of it.
  for (const one of entries) {
    expect([null, ...words.subjects]).toContain(one.resourceType);
    expect([null, ...words.related]).toContain(one.relatedResourceType);
  }
  const said = blocksOf(entry)[0]?.value ?? '';
  const says = `Admin ${made.says}`;
  const isWhole = !made.says.endsWith(': ');
  expect(isWhole ? said : said.slice(0, says.length)).toBe(says);
  expect(said).not.toMatch(/undefined|null|\[object|_|\.$/);
  const fields = changesIn(entry).map(({ field }) => field);
  expect(fields).toEqual(expect.arrayContaining([...(made.changes ?? [])]));
});

test('the documentation names the activities, and the mutations that write none', () => {
  const page = readFileSync(new URL('../../docs/audit.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| `(\w+)` \| ([^|]*) \|$/gm)].map(([, name = '', why]) => [
    name,
    why,
  ]);
  const known = rows.filter(([name = '']) => mutations.includes(name));
  expect(Object.fromEntries(known)).toEqual(readingMarks);
  const named = new Set([...page.matchAll(/`(\w+)`/g)].map(([, name]) => name));
  const missing = [...ownActivities, ...Object.values(activities)].filter(
    (name) => !named.has(name) && !/_(created|updated|deleted|restored)$/.test(name),
  );
  expect(missing).toEqual([]);
});

test.each(Object.keys(readingMarks))('%s writes none', async (name) => {
  const { id } = await catalog.resource();
  const asks: Record<string, string> = {
    viewResource: `viewResource(id: ${q(id)}) { id }`,
    markNotificationsRead: 'markNotificationsRead',
    saveSearch: 'saveSearch(input: { name: "Orders", query: "orders" }) { id }',
    deleteSavedSearch: `deleteSavedSearch(id: ${q((await saveSearch(catalog.admin, { name: 'Old' })).id)}) { id }`,
  };
  expect(await entriesOf(asks[name] ?? name)).toEqual([]);
});

test('taking data out writes an entry, reading it on the page none', async () => {
  const entries = await entriesOf('monitorsAsYaml', undefined, 'query');
  expect(entries).toMatchObject([{ activityType: 'monitors_exported', resourceId: null }]);
  expect(entries.flatMap(blocksOf)[0]?.value).toMatch(/^Admin exported \d+ monitors as YAML$/);
  expect(await entriesOf('monitors(first: 10) { totalCount }', undefined, 'query')).toEqual([]);
});

test('what changes nothing writes nothing', async () => {
  const { id } = await catalog.resource();
  const question = await createQuestion(catalog.admin, { title: 'Again?' });
  const asks = [
    `bookmarkResource(id: ${q(id)}) { id }`,
    `subscribeToResource(id: ${q(id)}) { id }`,
    `vote(id: ${q(question.id)}, value: -1) { id }`,
    `react(id: ${q(question.id)}, emoji: "👍") { id }`,
  ];
  for (const ask of asks) {
    expect(await entriesOf(ask), ask).toHaveLength(1);
    expect(await entriesOf(ask), ask).toEqual([]);
  }
});
