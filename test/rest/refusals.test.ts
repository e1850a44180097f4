// What every operation refuses: no key, a wrong one, an absent id, bad input, a role that may not.

import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import type { Role } from '../../src/auth/viewer.ts';
import { openCatalog, type RestAnswer } from '../catalog.ts';
import { conformance, type Documented, operationsOf } from './openapi/conform.ts';
import { seed } from './seed.ts';

vi.setConfig({ testTimeout: 120_000 });

const catalog = await openCatalog();
const api = await (await catalog.app()).rest();
const here = await seed(catalog);
const elsewhere = await seed(await catalog.another());
const { check } = conformance(api.document);
const operations = operationsOf(api.document);
const named = operations.map((one) => [one.operation.operationId, one] as const);

type Schema = Readonly<Record<string, unknown>>;
type Options = Parameters<typeof catalog.rest>[2];

const setting = {
  entity_ids: [here.params.table_id],
  properties: { [here.params.custom_property_id ?? '']: 'x' },
};

/** What the operations that need something in their bodies are sent to succeed with the rest. */
const needed: Readonly<Record<string, object>> = {
  CreateWebhook: { url: 'https://a.test/hook' },
  UpdateWebhook: { url: 'https://a.test/hook' },
  CreateLineage: { from_entity: here.params.table_id, to_entity: here.params.document_id },
  CreateLineageFromQuery: { sql: 'select 1', dialect: 'postgres' },
  ReplaceLineageFromQuery: { sql: 'select 1', dialect: 'postgres' },
  UpdateTag: { color: '#000000' },
  UpdateResourcesFromCsv: { content: 'id,title\n' },
  SetCustomProperty: { value: 'x' },
  ChangeCustomPropertyValue: { value: 'x' },
  SetCustomProperties: setting,
  ChangeCustomProperties: setting,
  UpdateReply: { definition: 'x' },
  CreateResource: { entity_type: 'table' },
  CreateEventCategory: { integration: here.params.integration_id },
  CreateMonitor: { target: here.params.table_id, metric_type: 'row_count' },
  TestMonitor: { target: here.params.table_id, metric_type: 'row_count' },
  CreateReply: { parent: here.params.question_id },
  CreateAnnouncement: { text: 'x', resource: here.params.table_id },
  UpdateAnnouncement: { text: 'x' },
  CreateComment: { text: 'x' },
  UpdateComment: { text: 'x' },
  UpdateCustomProperty: {},
  RunMonitors: { monitors: [here.params.monitor_id] },
};

/** An operation without what its aliases are called. */
function nameOf({ operation }: Documented): string {
  return operation.operationId.replace(/Alias\d+$/, '');
}

function isForm({ operation }: Documented): boolean {
  return operation.requestBody?.content['multipart/form-data'] !== undefined;
}

function bodyOf(one: Documented): object | undefined {
  if (isForm(one)) return new FormData();
  const name = nameOf(one);
  const isWhole = name.endsWith('ByPut');
  const title = isWhole || name.startsWith('Create') ? { title: 'x', name: 'x' } : {};
  const whole = isWhole ? { email: 'put@example.com', metric_type: 'row_count' } : {};
  return one.operation.requestBody && { ...title, ...whole, ...needed[name.replace(/ByPut$/, '')] };
}

function pathOf({ path }: Documented, fill = here.fill): string {
  return fill(path).replace('/api/v1', '');
}

async function ask(one: Documented, path: string, options: Options): Promise<RestAnswer> {
  const answer = await catalog.rest(one.method, path, options);
  const type = answer.headers.get('content-type');
  expect(check(one, answer.status, type, answer.text)).toEqual([]);
  return answer;
}

test.each(named)('%s wants a key, and one that works', async (_, one) => {
  for (const key of [null, 'hw_wrong', `${catalog.keyOf('admin')}x`]) {
    const answer = await ask(one, pathOf(one), { caller: { key }, ...withBody({ a: [] }, one) });
    expect([answer.status, answer.body.code]).toEqual([401, 'UNAUTHENTICATED']);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  }
});

function withBody(body: object | undefined, { method }: Documented): { body?: object } {
  return body === undefined || method === 'GET' ? {} : { body };
}

/** Those that take a signature in place of a key, and answer alike whatever else is wrong. */
const signed = ['FollowRun'];

const withIds = named.filter(([name, { path }]) => path.includes('{') && !signed.includes(name));

test.each(withIds)(
  '%s lets nobody know whether an id is absent or of another workspace',
  async (_, one) => {
    const parameters = [...one.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    for (const parameter of parameters) {
      const other = elsewhere.fill(`{${parameter}}`);
      for (const id of [randomUUID(), other, 'no-uuid', '%00', encodeURIComponent('ü/x')]) {
        const path = pathOf({ ...one, path: one.path.replace(`{${parameter}}`, id) });
        const answer = await ask(one, path, withBody(bodyOf(one), one));
        expect([id, answer.status, answer.body.code]).toEqual([id, 404, 'NOT_FOUND']);
        expect(answer.body.detail).not.toContain(catalog.workspaceId);
      }
    }
  },
);

interface Field {
  readonly name: string;
  readonly schema: Schema;
  readonly required: boolean;
}

function fieldsOf({ operation }: Documented): Field[] {
  const content = operation.requestBody?.content['application/json']?.schema;
  if (!content || !('$ref' in content)) return [];
  const schema = api.document.components.schemas[String(content.$ref).split('/').at(-1) ?? ''];
  const { properties = {}, required = [] } = { ...schema };
  return Object.entries(properties as Record<string, Schema>).map(([name, one]) => ({
    name,
    schema: one,
    required: (required as readonly string[]).includes(name),
  }));
}

/** A value that a schema does not take, or nothing where it takes all. */
function wrongFor(schema: Schema): unknown {
  if (String(schema.description).includes('ignored')) return undefined;
  const types = [schema.type ?? []].flat();
  if ('$ref' in schema || 'anyOf' in schema) return 'no object';
  if (types.includes('string')) return { no: 'text' };
  if (types.includes('array')) return { no: 'list' };
  // Of free JSON its feature says what it has to be.
  if (types.includes('object')) return undefined;
  if (types.length > 0) return 'nonsense';
  return undefined;
}

/** Words that are none of a closed set, and text for JSON that is to be an object. */
function wrongWordFor({ enum: words, type }: Schema): unknown {
  const isObject = [type ?? []].flat().includes('object');
  return Array.isArray(words) || isObject ? 'nonsense' : undefined;
}

const withBodies = named.filter(([, one]) => fieldsOf(one).length > 0);

test.each(withBodies)('%s names each field of its body that is wrong', async (_, one) => {
  const fields = fieldsOf(one);
  const wrong = fields.flatMap(({ name, schema }) => {
    const value = wrongFor(schema);
    return value === undefined ? [] : [[name, value] as const];
  });
  const refusedFor = async (body: object) => {
    const answer = await ask(one, pathOf(one), { body });
    expect([answer.status, answer.body.code]).toEqual([400, 'BAD_REQUEST']);
    return answer.body.errors.map(({ field }: { field: string }) => field.split('.')[0]);
  };
  for (const [name, value] of wrong) {
    expect(await refusedFor({ ...bodyOf(one), [name]: value })).toEqual([name]);
  }
  for (const { name, schema } of fields) {
    const word = wrongWordFor(schema);
    if (word !== undefined)
      expect(await refusedFor({ ...bodyOf(one), [name]: word })).toEqual([name]);
  }
  // The answer stops at twenty.
  const first = wrong.map(([name]) => name).slice(0, 20);
  const all = await refusedFor({ ...bodyOf(one), ...Object.fromEntries(wrong) });
  expect(all.sort()).toEqual(first.sort());
  const required = fields.filter((field) => field.required).map(({ name }) => name);
  if (required.length > 0) {
    const missing = await refusedFor({});
    expect(missing.length).toBeGreaterThan(0);
    expect(required).toEqual(expect.arrayContaining(missing));
  }
  for (const body of ['[]', 'null', '"text"', '{', '{"a":}']) {
    expect((await ask(one, pathOf(one), { body })).status).toBe(400);
  }
});

const withQueries = named.filter(([, { operation }]) =>
  (operation.parameters ?? []).some((one) => one.in === 'query'),
);

/** Queries that lists which need some are asked with besides the wrong one. */
const asked: Readonly<Record<string, string>> = {
  ListMeasurements: `monitor=${here.params.monitor_id}`,
  ListResourceLogs: `resource_id=${here.params.table_id}`,
  PreviewLineageFromQuery: 'sql=select+1&dialect=postgres',
};

test.each(withQueries)('%s names each parameter of its query that is wrong', async (_, one) => {
  for (const { name, schema, in: place } of one.operation.parameters ?? []) {
    const form: Schema = { ...schema };
    const isJson = form.contentSchema !== undefined;
    const isText = form.type === 'string' && !isJson && !form.format && !form.enum;
    if (place !== 'query' || isText || form.type === 'array') continue;
    const wrong = isJson ? '{"operator":"like"}' : 'nonsense';
    const values = name.startsWith('page') ? [wrong, '0', '-1', '1.5', '99999999999'] : [wrong];
    for (const value of name === 'page_size' ? [...values, '1001'] : values) {
      // Of what is given twice the last counts.
      const query = `${asked[nameOf(one)] ?? ''}&${name}=${encodeURIComponent(value)}`;
      const path = `${pathOf(one)}?${query}`;
      const answer = await ask(one, path, withBody(bodyOf(one), one));
      // What names a thing that there is not may be 404.
      if (form.format === 'uuid' && answer.status === 404) continue;
      const field = answer.body.errors?.[0]?.field.split('.')[0];
      expect([path, answer.status, field]).toEqual([path, 400, name]);
    }
  }
});

/** By operation, the highest role that it refuses; the operations of a tag unless named. */
const refused: Readonly<Record<string, Role>> = {
  ...{ 'Audit log': 'editor', Integrations: 'editor', Teams: 'editor', People: 'editor' },
  ...{ Resources: 'viewer', Catalog: 'viewer', Documents: 'viewer', Events: 'viewer' },
  ...{ Collections: 'viewer', Glossary: 'viewer', Lineage: 'viewer', Monitors: 'viewer' },
  ...{ Tags: 'viewer', 'Custom properties': 'viewer', Webhooks: 'editor', Questions: 'viewer' },
  ...{ CreateQuestion: 'guest', CreateReply: 'guest', CreateComment: 'guest' },
  ...{ UpdateComment: 'guest', UpdateCommentByPut: 'guest', DeleteComment: 'guest' },
  ...{ UploadImage: 'guest' },
  ...{ ListIntegrations: 'viewer', GetIntegration: 'viewer', ListFailingTests: 'viewer' },
  ...{ ListChatChannels: 'viewer', ListWebhooks: 'editor', GetWebhook: 'editor' },
  ...{ ListUsers: 'guest', GetUser: 'guest', ListGroups: 'guest', GetGroup: 'guest' },
};
/** Reading needs no permission where what one may not see is just not there. */
const readers = new Set(Object.keys(refused));

function refusedBy(one: Documented): Role | undefined {
  const { tags } = one.operation;
  const name = nameOf(one);
  if (signed.includes(name)) return undefined;
  if (one.method === 'GET' && tags[0] !== 'Audit log' && !readers.has(name)) return undefined;
  return refused[name] ?? refused[tags[0] ?? ''];
}

const guarded = named.flatMap(([name, one]) => {
  const role = refusedBy(one);
  return role ? [[name, role, one] as const] : [];
});

test.each(guarded)('%s refuses the role %s', async (_, role, one) => {
  const answer = await ask(one, `${pathOf(one)}?${asked[nameOf(one)] ?? ''}`, {
    ...withBody(bodyOf(one), one),
    caller: { as: role },
  });
  expect([answer.status, answer.body?.code]).toEqual([403, 'FORBIDDEN']);
  expect(answer.body.detail).toContain(role);
});

test('every operation that writes refuses some role, and every list that refuses none answers', async () => {
  const open = named.filter(([, one]) => refusedBy(one) === undefined);
  // Tools only read, whatever the method that calls them; keys of their own everybody makes.
  const forAll = ['CallAgentTool', 'CreateApiKey', 'RotateApiKey', 'RevokeApiKey', ...signed];
  const writes = open.filter(([name, { method }]) => method !== 'GET' && !forAll.includes(name));
  expect(writes).toEqual([]);
  for (const [name, one] of open.filter(
    ([, { method, path }]) => method === 'GET' && !path.includes('{'),
  )) {
    const path = `${pathOf(one)}?${asked[nameOf(one)] ?? ''}`;
    const { status } = await ask(one, path, { caller: { as: 'guest' } });
    expect([name, [200, 404].includes(status)]).toEqual([name, true]);
  }
});

test('nothing of this was unexpected', () => {
  expect(catalog.unexpected).toEqual([]);
});
