// What is answered is what happened: no status says something else.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Catalog, openCatalog } from '../catalog.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await openCatalog();
});
afterAll(() => catalog[Symbol.asyncDispose]());

const unknown = '00000000-0000-4000-8000-000000000000';

test('an end of lineage that there is none of is wrong input, and named', async () => {
  const { id } = await catalog.resource();
  for (const field of ['from_entity', 'to_entity']) {
    const other = field === 'from_entity' ? 'to_entity' : 'from_entity';
    const body = { [field]: unknown, [other]: id, direction: 'DOWNSTREAM' };
    const answer = await catalog.rest('POST', '/lineage/manual', { body });
    expect([answer.status, answer.body.errors?.[0]?.field]).toEqual([400, field]);
  }
  const path = `/lineage/manual/${unknown}`;
  expect((await catalog.rest('GET', path)).status).toBe(404);
});

test('the successor of a deprecated list answers the same question', async () => {
  const schema = await catalog.resource({ kind: 'schema' });
  await catalog.resource({ title: 'orders', parentId: schema.id });
  await catalog.resource({ title: 'other', parentId: schema.id });
  await catalog.resource({ title: 'orders' });
  await catalog.resource({ kind: 'dashboard', title: 'orders' });
  const path = `/table/tables?title=order&parent_id=${schema.id}&page_size=1`;
  const list = await catalog.rest('GET', path);
  const [, successor = ''] =
    /^<(.+)>; rel="successor-version"$/.exec(list.headers.get('link') ?? '') ?? [];
  const followed = await catalog.rest('GET', successor.slice(successor.indexOf('/resource/')));
  expect(list.body.count).toBe(1);
  expect(followed.body.count).toBe(1);
  expect(followed.body.results).toEqual(list.body.results);
});

test('a page that is no number is told what a page is', async () => {
  const { body } = await catalog.rest('GET', '/activity_log/audit_logs/?page=x');
  expect(body.detail).toContain('page must be a whole number');
  expect(body.detail).not.toContain('2147483648');
});
