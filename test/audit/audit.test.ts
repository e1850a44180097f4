// The audit log: who did what, for admins, in the filter language of every list.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AuditQuery, listAuditLogs } from '../../src/audit/list.ts';
import { transaction } from '../../src/database/transaction.ts';
import { archiveResource } from '../../src/resources/editing/archive.ts';
import { updateResource } from '../../src/resources/editing/edit.ts';
import { readResourceLog } from '../../src/resources/resource-log.ts';
import { createTag } from '../../src/tags/tag.ts';
import { type Catalog, openCatalog } from '../catalog.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await openCatalog();
});
afterAll(() => catalog[Symbol.asyncDispose]());

const list = async (query: AuditQuery, from = catalog) =>
  (await listAuditLogs(from.admin, query, {})).nodes;

test('an entry says who did what to what, at that time', async () => {
  const tag = await createTag(catalog.as('editor'), { name: 'Gold', icon: '*' });
  const filter = { operator: 'exact', field: 'resource_id', value: tag.id };
  expect(await list({ filter })).toMatchObject([
    {
      activityType: 'tag_created',
      performerId: catalog.idOf('editor'),
      performerType: 'API',
      performerMetadata: {
        id: catalog.idOf('editor'),
        email: 'editor@example.com',
        first_name: 'editor',
        last_name: 'Example',
        name: 'editor Example',
      },
      resourceType: 'tag',
      resourceMetadata: { id: tag.id, title: 'Gold', icon: '*', type: 'tag' },
      eventBlocks: [
        { type: 'text', style: 'normal', value: 'editor Example created the tag Gold' },
      ],
      isLegacy: false,
    },
  ]);
});

test('what is undone is not logged', async () => {
  const before = await list({});
  const undone = transaction(catalog.admin, async (tx) => {
    await createTag(tx, { name: 'Never' });
    throw new Error('Changed my mind.');
  });
  await expect(undone).rejects.toThrow('Changed my mind.');
  expect(await list({})).toEqual(before);
});

test('entries are filtered and sorted by the language of every list', async () => {
  await using other = await openCatalog();
  const first = await other.tag();
  const table = await other.resource();
  const last = await other.tag();
  const subjects = async (query: AuditQuery) =>
    (await list(query, other)).map(({ resourceId }) => resourceId);
  expect(await subjects({})).toEqual([last.id, table.id, first.id]);
  expect(await subjects({ sort: [{ field: 'logged_at', order: 'asc' }] })).toEqual([
    first.id,
    table.id,
    last.id,
  ]);
  const tags = { operator: 'exact', field: 'resource_type', value: 'tag' };
  expect(await subjects({ filter: tags })).toEqual([last.id, first.id]);
  expect(await subjects({ filter: { operator: 'not', operands: [tags] } })).toEqual([table.id]);
  const users = { operator: 'exact', field: 'performer_type', value: 'USER' };
  expect(await subjects({ filter: { operator: 'or', operands: [tags, users] } })).toHaveLength(2);
  expect(await subjects({ filter: { operator: 'and', operands: [tags, users] } })).toEqual([]);
  const byMe = { operator: 'in', field: 'performer_id', value: [other.idOf('admin')] };
  expect(await subjects({ filter: byMe })).toHaveLength(3);
  const late = { operator: 'gt', field: 'logged_at', value: '2999-01-01T00:00:00Z' };
  expect(await subjects({ filter: late })).toEqual([]);
});

test.each([
  ['filter.field', { operator: 'exact', field: 'title', value: 'x' }],
  ['filter.operator', { operator: 'like', field: 'activity_type', value: 'x' }],
  ['filter.value', { operator: 'exact', field: 'performer_id', value: 'me' }],
])('a wrong %s is refused by name', async (field, filter) => {
  await expect(list({ filter })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    fields: [{ field }],
  });
});

test('only admins read the log, and only that of their workspace', async () => {
  const table = await catalog.resource();
  for (const role of ['editor', 'viewer', 'guest'] as const) {
    const refused = { code: 'FORBIDDEN' };
    await expect(listAuditLogs(catalog.as(role), {}, {})).rejects.toMatchObject(refused);
    await expect(readResourceLog(catalog.as(role), table.id, {})).rejects.toMatchObject(refused);
  }
  const other = await catalog.another();
  expect(await list({}, other)).toEqual([]);
  for (const id of [table.id, 'x']) {
    const read = readResourceLog(other.admin, id, {});
    await expect(read).rejects.toMatchObject({ code: 'NOT_FOUND' });
  }
});

test("a resource's log is its entries besides the versions of its documentation", async () => {
  const { id } = await catalog.resource({ definition: 'One' });
  await updateResource(catalog.admin, id, { pii: true });
  await updateResource(catalog.as('editor'), id, { definition: 'Two' });
  await archiveResource(catalog.admin, id);
  const log = await readResourceLog(catalog.admin, id, { pageSize: 2 });
  expect(log.entries.nodes.map(({ activityType }) => activityType)).toEqual([
    'table_deleted',
    'table_updated',
  ]);
  expect(await log.entries.count()).toBe(3);
  expect(log.versions.nodes).toMatchObject([
    { version: 2, definition: 'Two', authorId: catalog.idOf('editor') },
    { version: 1, definition: 'One' },
  ]);
  const made = { operator: 'exact', field: 'version_history_id', value: log.versions.nodes[0]?.id };
  expect(await list({ filter: made })).toMatchObject([{ activityType: 'table_updated' }]);
});

test('GraphQL and its own filter type say the same', async () => {
  const tag = await catalog.tag();
  const query = `query ($filter: AuditLogFilter!) {
    auditLogs(filter: $filter, sort: [{ field: "logged_at", order: desc }]) {
      totalCount
      nodes {
        activityType performerType loggedAt
        performerMetadata { name email } resourceMetadata { title icon type } eventBlocks { value }
      }
    }
  }`;
  const filter = { operator: 'exact', field: 'resource_id', value: tag.id };
  const answer = await catalog.graphql(query, { filter });
  expect(answer.data.auditLogs).toMatchObject({
    totalCount: 1,
    nodes: [
      {
        activityType: 'tag_created',
        performerType: 'API',
        resourceMetadata: { title: tag.name, icon: null, type: 'tag' },
        eventBlocks: [{ value: expect.stringContaining(tag.name) }],
      },
    ],
  });
  const refused = await catalog.graphql(query, { filter }, { as: 'editor' });
  expect(refused.errors?.[0]?.extensions.code).toBe('FORBIDDEN');
});

test('an auditor asks by actor, key, request, target and time, over both APIs', async () => {
  await using own = await openCatalog();
  const headers = { 'x-request-id': 'an-audited-request' };
  const caller = { as: 'editor' } as const;
  const made = await own.rest('POST', '/tag/', { body: { name: 'Gold' }, caller, headers });
  const { id } = made.body;
  await own.rest('PATCH', `/tag/${id}`, { body: { color: '#ffd700' }, headers });
  await own.tag({ name: 'Silver' });
  const { rows } = await own.owner.query(
    `select id from api_key where workspace_id = $1 and name = 'editor'`,
    [own.workspaceId],
  );
  const [{ id: keyId }] = rows;
  const query = `query ($filter: AuditLogFilter!) {
    auditLogs(filter: $filter, sort: [{ field: "sequence" }]) { nodes {
      activityType requestId keyId sequence changes { field before after note } } } }`;
  const ask = async (field: string, value: unknown, operator = 'exact') => {
    const filter = { operator, field, value };
    const { data, errors } = await own.graphql(query, { filter });
    expect(errors).toBeUndefined();
    const sort = encodeURIComponent(JSON.stringify({ field: 'sequence', order: 'asc' }));
    const path = `/activity_log/audit_logs/?filter=${encodeURIComponent(JSON.stringify(filter))}&sort=${sort}`;
    const { body } = await own.rest('GET', path);
    const types = data.auditLogs.nodes.map((node: { activityType: string }) => node.activityType);
    expect(body.results.map((one: { activity_type: string }) => one.activity_type)).toEqual(types);
    return { types, first: data.auditLogs.nodes[0], record: body.results[0] };
  };
  for (const [field, value, operator] of [
    ['performer_id', own.idOf('editor')],
    ['performer_email', 'editor@example.com'],
    ['performer_name', 'editor', 'contains'],
    ['key_id', keyId],
  ] as const) {
    expect((await ask(field, value, operator)).types, field).toEqual(['tag_created']);
  }
  const both = ['tag_created', 'tag_updated'];
  expect((await ask('request_id', 'an-audited-request')).types).toEqual(both);
  expect((await ask('resource_id', id)).types).toEqual(both);
  expect((await ask('resource_title', 'Gold')).types).toEqual(both);
  expect((await ask('activity_type', 'tag_updated')).types).toEqual(['tag_updated']);
  const { first, record } = await ask('activity_type', 'tag_updated');
  expect(first).toMatchObject({ requestId: 'an-audited-request', keyId: expect.any(String) });
  expect((await ask('sequence', first.sequence, 'gte')).types).toEqual([
    'tag_updated',
    'tag_created',
  ]);
  expect((await ask('logged_at', '2999-01-01T00:00:00Z', 'gt')).types).toEqual([]);
  expect(first.changes).toEqual([
    { field: 'color', before: expect.stringMatching(/^#/), after: '#ffd700', note: null },
  ]);
  expect(record).toMatchObject({
    request_id: 'an-audited-request',
    key_id: first.keyId,
    sequence: first.sequence,
    changed_fields: ['color'],
    changes: first.changes,
  });
});
