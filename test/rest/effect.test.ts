// What is answered is what happened: nothing is taken without an effect, and no status says something else.

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

test('a range is learned or given, not both', async () => {
  const { id: target } = await catalog.resource();
  const monitor = { target, metric_type: 'row_count' };
  const ask = (more: object) =>
    catalog.rest('POST', '/monitor/monitors', { body: { ...monitor, ...more } });
  const both = await ask({ condition_auto_sensitivity: 5, condition_manual_max: 10 });
  expect(both.status).toBe(400);
  expect(both.body.errors[0].field).toBe('condition_manual_max');
  const learned = await ask({ condition_auto_sensitivity: 5, condition_manual_min: null });
  expect(learned.status).toBe(201);
  const path = `/monitor/monitors/${learned.body.id}`;
  const change = { condition_auto_sensitivity: 7, condition_manual_min: 1 };
  expect((await catalog.rest('PATCH', path, { body: change })).status).toBe(400);
  // What was read may be sent back.
  const { condition_auto_sensitivity, condition_manual_min, condition_manual_max } = learned.body;
  const same = { condition_auto_sensitivity, condition_manual_min, condition_manual_max };
  expect((await catalog.rest('PATCH', path, { body: same })).status).toBe(200);
});

test('what takes uploads has no hour of extraction', async () => {
  const path = '/integration/integrations';
  const body = { name: 'Files', type: 'custom', scheduled_extractions_hour: 3 };
  const answer = await catalog.rest('POST', path, { body });
  expect([answer.status, answer.body.errors?.[0]?.field]).toEqual([
    ...[400, 'scheduled_extractions_hour'],
  ]);
  const made = await catalog.rest('POST', path, {
    body: { ...body, scheduled_extractions_hour: null },
  });
  expect(made.status).toBe(201);
  const source = await catalog.rest('POST', path, { body: { ...body, type: 'postgres' } });
  expect([source.status, source.body.scheduled_extractions_hour]).toEqual([201, 3]);
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
