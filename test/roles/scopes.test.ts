// The table of scopes: every query, mutation, subscription, operation of REST and tool of agents, asked with keys of an
// admin that have one scope each. What the table says is written by hand.

import type { GraphQLObjectType } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toolsWith } from '../../src/agents/mcp/tools.ts';
import type { ApiKeyScope } from '../../src/auth/key-scope.ts';
import { schema } from '../../src/graphql/schema.ts';
import { createApiKey } from '../../src/people/api-key.ts';
import { openCatalog } from '../catalog.ts';
import { digest } from '../digest.ts';
import { operationsOf } from '../rest/openapi/conform.ts';
import { requestFor } from './graphql-requests.ts';
import { nameOf, restRequestFor } from './rest-requests.ts';
import { tie } from './ties.ts';
import { allThings, anyCanary, openPlace, type Place } from './world.ts';

/** The scopes, as a row has them; a cell is whether a key of that scope is let in. */
const scopes = ['READ', 'WRITE', 'IMPORT', 'REPORT', 'ADMIN'] as const;

const reads = 'yes yes no no yes';
const writes = 'no yes no no yes';
const imports = 'no no yes no yes';
const reports = 'no no no yes yes';
const admins = 'no no no no yes';

const queries: Readonly<Record<string, readonly string[]>> = {
  [admins]: [
    'apiKeys',
    'auditLogs',
    'hostObstacle',
    'resourceLogs',
    'serviceAccounts',
    'sessions',
    'webhook',
    'webhooks',
  ],
  // Of these a key that imports reads some fields.
  'yes yes yes no yes': ['integration', 'integrations', 'job', 'jobs'],
};
const mutations: Readonly<Record<string, readonly string[]>> = {
  [imports]: ['importArtifacts', 'importCsv', 'importJsonl', 'triggerSync'],
  [admins]: [
    ...['addGroupMembers', 'addTeamMembers', 'archiveTeam', 'cancelJob', 'createApiKey'],
    ...['createGroup', 'createIntegration', 'createTeam', 'createUser', 'createWebhook'],
    ...['deactivateUser', 'deleteGroup', 'deleteIntegration', 'deleteWebhook'],
    ...['redeliverWebhook', 'removeGroupMembers', 'removeTeamMembers', 'revokeApiKey'],
    ...['rotateApiKey', 'rotateWebhookSecret', 'setIntegrationAddresses', 'signOutEverywhere'],
    ...['testConnection', 'testWebhook', 'updateGroup', 'updateIntegration', 'updateTeam'],
    ...['updateUser', 'updateWebhook', 'createServiceAccount', 'updateServiceAccount'],
    ...['inviteUser', 'revokeInvitation'],
  ],
};
const operations: Readonly<Record<string, readonly string[]>> = {
  [admins]: [
    ...['ListAuditLogs', 'ExportAuditLogs', 'ListResourceLogs', 'CreateIntegration', 'CreateUser'],
    ...['CreateGroup', 'CreateTeam', 'UpdateIntegration', 'DeleteIntegration', 'UpdateUser'],
    ...['DeactivateUser', 'UpdateGroup', 'DeleteGroup', 'UpdateTeam', 'DeleteTeam'],
    ...['ListApiKeys', 'CreateApiKey', 'RotateApiKey', 'RevokeApiKey', 'ListWebhooks'],
    ...['GetWebhook', 'CreateWebhook', 'UpdateWebhook', 'DeleteWebhook', 'RotateWebhookSecret'],
  ],
  [imports]: ['ImportMetadata', 'ImportJsonlMetadata', 'UploadArtifacts', 'TriggerSync'],
  // Jobs are followed by who imports.
  'yes yes yes no yes': ['ListBackgroundJobs', 'GetBackgroundJob'],
  [reads]: ['CallAgentTool', 'ImpactOfManifest'],
  [reports]: ['ReportLineage'],
  // Signed in place of a key.
  'yes yes yes yes yes': ['FollowRun'],
};

let place: Place;
let base: string;
const keys = new Map<ApiKeyScope, string>();
beforeAll(async () => {
  const catalog = await openCatalog();
  await catalog.app({ MCP_WRITES: 'true' });
  place = await openPlace(catalog);
  await tie(place);
  await Promise.all(allThings.map((thing) => place.hidden.one(thing)));
  await Promise.all(allThings.map((thing) => place.shown.one(thing)));
  base = await catalog.listen();
  for (const scope of scopes) {
    keys.set(scope, (await createApiKey(catalog.admin, { name: scope, scopes: [scope] })).key);
  }
}, 60_000);
afterAll(() => place.catalog[Symbol.asyncDispose]());

const keyOf = (scope: ApiKeyScope) => ({ key: keys.get(scope) ?? null });

interface Answered {
  readonly isRefused: boolean;
  readonly text: string;
}

/** The row of what is asked for by `ask`: first by those whom the table refuses, which changes nothing. */
async function rowOf(
  name: string,
  expected: string,
  ask: (scope: ApiKeyScope) => Promise<Answered>,
): Promise<string> {
  const cells = expected.split(' ');
  const row: string[] = [];
  for (const [at, scope] of scopes.entries()) {
    // What an admin may is held by the tables of roles; here it would end what the others ask for.
    if (scope === 'ADMIN') {
      row.push('yes');
      continue;
    }
    const { isRefused, text } = await ask(scope);
    row.push(isRefused ? 'no' : 'yes');
    if (cells[at] === 'no' || scope === 'REPORT') {
      expect(text, `${name} shows this to a key with ${scope}`).not.toContain(anyCanary);
    }
  }
  return row.join(' ');
}

/** What the rows of names are, where they are not the usual one. */
function expectedOf(
  table: Readonly<Record<string, readonly string[]>>,
  usual: (name: string) => string,
) {
  const rows = new Map(Object.entries(table).flatMap(([row, names]) => names.map((n) => [n, row])));
  return { of: (name: string) => rows.get(name) ?? usual(name), names: [...rows.keys()] };
}

/** What a key asks for that imports. */
const counted = 'created updated staled changes { title } problems';
const ofJob = 'id state progressStep logs lastError';
const ofImports: Readonly<Record<string, string>> = {
  ...{ importArtifacts: counted, importCsv: counted, importJsonl: counted, triggerSync: ofJob },
  ...{ integration: 'id name type', integrations: 'totalCount nodes { id name type }' },
  ...{ job: ofJob, jobs: `nodes { ${ofJob} }`, jobChanged: ofJob },
};
/** A request up to the arguments of its field, and the rest of it. */
const upToSelection = /^(\w+(?: \([^)]*\))? \{ \w+(?:\([^)]*\))?) \{[\s\S]*$/;

let count = 0;
const newName = () => {
  count += 1;
  return `made-${count}`;
};

const isRefusal = (message: string) => message.includes('This needs a key with the scope');

async function graphqlTable(
  kind: 'query' | 'mutation' | 'subscription',
  type: GraphQLObjectType | null | undefined,
  table: Readonly<Record<string, readonly string[]>>,
  usual: string,
) {
  const { of, names } = expectedOf(table, () => usual);
  const fields = Object.values(type?.getFields() ?? {});
  expect(names.filter((name) => !fields.some((field) => field.name === name))).toEqual([]);
  for (const field of fields) {
    const row = await rowOf(field.name, of(field.name), async (scope) => {
      const request = await requestFor(kind, field, place.shown.one, newName());
      const { variables } = request;
      const few = scope === 'IMPORT' ? ofImports[field.name] : undefined;
      // Its own selection, in place of all that there is.
      const query = few ? request.query.replace(upToSelection, `$1 { ${few} } }`) : request.query;
      const answer = await place.catalog.graphql(query, variables, keyOf(scope));
      const text = JSON.stringify(answer);
      const sent = JSON.stringify(variables);
      return { isRefused: isRefusal(text), text: text.replaceAll(sent, '') };
    });
    expect.soft(row, field.name).toBe(of(field.name));
  }
}

test('each query is for keys that read, but for what is for admins', async () => {
  const before = await digest(place.catalog, ['audit_']);
  await graphqlTable('query', schema.getQueryType(), queries, reads);
  expect(await digest(place.catalog, ['audit_'])).toEqual(before);
}, 240_000);

test('each mutation is for keys that write, but for what is for admins and for imports', async () => {
  await graphqlTable('mutation', schema.getMutationType(), mutations, writes);
}, 240_000);

test('each operation of REST is for the same keys as what it runs', async () => {
  const { document } = await (await place.catalog.app()).rest();
  const all = operationsOf(document);
  const usual = new Map(all.map((one) => [nameOf(one), one.method === 'GET' ? reads : writes]));
  const { of, names } = expectedOf(operations, (name) => usual.get(name) ?? reads);
  expect(names.filter((name) => !usual.has(name))).toEqual([]);
  for (const one of all) {
    const name = nameOf(one).replace(/ByPut$/, '');
    const row = await rowOf(name, of(name), async (scope) => {
      const { method, path, body } = await restRequestFor(one, place.shown.one, newName());
      const more = body ? { body } : {};
      const { text } = await place.catalog.rest(method, path, { caller: keyOf(scope), ...more });
      return { isRefused: isRefusal(text), text };
    });
    expect.soft(row, one.operation.operationId).toBe(of(name));
  }
}, 240_000);

test('each tool of agents is for the same keys as what it runs', async () => {
  const tools = toolsWith(true);
  const writing = new Set([...tools.keys()].filter((name) => !toolsWith(false).has(name)));
  expect([writing.size > 0, tools.size > writing.size]).toEqual([true, true]);
  for (const name of tools.keys()) {
    const expected = writing.has(name) ? writes : reads;
    const id = await place.shown.one('table');
    const row = await rowOf(name, expected, async (scope) => {
      const text = await callTool(scope, name, { ...argumentsOf(name, id) });
      expect(text, name).not.toContain('Unrecognized');
      return { isRefused: isRefusal(text), text };
    });
    expect.soft(row, name).toBe(expected);
  }
}, 120_000);

/** Arguments that a tool takes, so that it gets as far as its operation. */
function argumentsOf(name: string, id: string): object {
  const byName: Readonly<Record<string, object>> = {
    search: { query: 'x' },
    lineage_path: { from: id, to: id },
    get_resources: { ids: [id] },
    health: { ids: [id] },
    find_columns: { of: id },
    impact: { of: [id] },
    impact_of_manifest: { manifest: '{}' },
    sql_lineage: { sql: 'select 1', dialect: 'postgres' },
    measurements: { monitorId: id },
    update_documentation: { id, description: 'x' },
    create_question: { title: 'x' },
    reply: { questionId: id, text: 'x' },
    add_tag: { id, tagId: id },
    comments: { resourceId: id },
    add_comment: { resourceId: id, text: 'x' },
    acknowledge_incident: { id },
    create_lineage: { fromId: id, toId: id },
  };
  const without = ['monitors', 'incidents', 'questions', 'documents', 'tags'];
  return byName[name] ?? (without.includes(name) ? {} : { id });
}

async function callTool(scope: ApiKeyScope, name: string, given: object): Promise<string> {
  const response = await fetch(`${base}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
      authorization: `Bearer ${keys.get(scope)}`,
    },
    body: JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name, arguments: given },
    }),
  });
  return response.text();
}

test('subscriptions are for keys that read; one that imports follows a job', async () => {
  for (const [name] of Object.entries(schema.getSubscriptionType()?.getFields() ?? {})) {
    const field = schema.getSubscriptionType()?.getFields()[name];
    if (!field) throw new Error(`There is no ${name}.`);
    const { query, variables } = await requestFor('subscription', field, place.shown.one, name);
    for (const scope of ['IMPORT', 'REPORT'] as const) {
      const response = await fetch(`${base}/graphql`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'text/event-stream',
          authorization: `Bearer ${keys.get(scope)}`,
        },
        body: JSON.stringify({ query, variables }),
      });
      const text = await response.text();
      expect(isRefusal(text), `${name}, ${scope}: ${text}`).toBe(true);
      expect(text).not.toContain(anyCanary);
    }
  }
});

test('a key that imports knows its integration and the jobs of it alone', async () => {
  const { catalog } = place;
  const one = await catalog.integration({ name: 'mine' });
  const other = await catalog.integration({ name: `${anyCanary} other` });
  const input = { name: 'CI', scopes: ['IMPORT'], integrationId: one.id };
  const { key } = await createApiKey(catalog.admin, input);
  const ask = (query: string, variables: object = {}) => catalog.graphql(query, variables, { key });
  const csv = 'database,schema,name,col_name\nshop,public,made,id';
  const into = `mutation ($id: ID!, $csv: String!) {
    importCsv(integrationId: $id, content: $csv) { created } }`;
  expect((await ask(into, { id: one.id, csv })).data.importCsv.created).toBeGreaterThan(0);
  expect((await catalog.graphql(into, { id: other.id, csv })).errors).toBeUndefined();
  const seen = await ask('{ integrations { nodes { id name } } jobs { nodes { title } } }');
  expect(seen.data.integrations.nodes).toEqual([{ id: one.id, name: 'mine' }]);
  expect(seen.data.jobs.nodes).toHaveLength(1);
  expect(JSON.stringify(seen)).not.toContain(anyCanary);
  const elsewhere = await ask(into, { id: other.id, csv });
  expect(elsewhere.errors?.[0]?.message).toBe('This key imports into another integration only.');
  const integration = await ask('query ($id: ID!) { integration(id: $id) { name } }', {
    id: other.id,
  });
  expect(integration.errors?.[0]?.extensions.code).toBe('NOT_FOUND');
  for (const query of [
    '{ jobs { nodes { user { email } } } }',
    '{ integrations { nodes { credentials } } }',
  ]) {
    expect((await ask(query)).errors?.[0]?.extensions.code).toBe('FORBIDDEN');
  }
  const form = new FormData();
  form.append('file', new Blob([csv]), 'a.csv');
  for (const [id, status] of [
    [one.id, 204],
    [other.id, 403],
  ] as const) {
    const path = `/integration/integrations/${id}/import_metadata`;
    expect((await catalog.rest('POST', path, { body: form, caller: { key } })).status).toBe(status);
  }
});
