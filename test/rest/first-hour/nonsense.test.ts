// Every parameter of every list, asked for with what means nothing: it is refused by name, or it is free text.

import { getNamedType, isLeafType, isNonNullType } from 'graphql';
import { expect, test } from 'vitest';
import { schema } from '../../../src/graphql/schema.ts';
import { openCatalog } from '../../catalog.ts';
import { operationsOf } from '../openapi/conform.ts';
import { seed } from '../seed.ts';

const catalog = await openCatalog();
const { document } = await (await catalog.app()).rest();
const stock = await seed(catalog);
const { params } = stock;

const nonsense = 'no such thing';

/** Parameters that any text is a value of. */
const freeText = ['title', 'search', 'default_database', 'default_schema'];

/** What an operation needs besides the parameter in question. */
const neededIn: Readonly<Record<string, string>> = {
  ListMeasurements: `monitor=${params.monitor_id}`,
  ListResourceLogs: `resource_id=${params.table_id}`,
  PreviewLineageFromQuery: 'sql=select+1&dialect=postgres',
};

const parameters = operationsOf(document).flatMap(({ method, path, operation }) =>
  (operation.parameters ?? [])
    .filter((one) => one.in === 'query' && !freeText.includes(one.name))
    .map(({ name }): [method: string, path: string, name: string, id: string] => [
      method,
      path,
      name,
      operation.operationId.replace(/Alias\d+$/, ''),
    ]),
);

test('there are parameters of every kind', () => {
  const names = new Set(parameters.map(([, , name]) => name));
  expect([...names]).toEqual(
    expect.arrayContaining(['filter', 'sort', 'page', 'status', 'type', 'dry_run', 'parent_id']),
  );
});

test.each(parameters)('%s %s refuses nonsense as %s', async (method, path, name, id) => {
  const query = new URLSearchParams(neededIn[id]);
  query.set(name, nonsense);
  const asked = `${stock.fill(path).replace('/api/v1', '')}?${query}`;
  const { status, body } = await catalog.rest(method, asked);
  // An id that names one thing is that of nothing.
  const isAbsent = status === 404 && /^(resource|table)_id$/.test(name);
  const named = body.errors?.map(({ field }: { field: string }) => field.split('.')[0]);
  expect([status, named]).toEqual(isAbsent ? [404, undefined] : [400, [name]]);
  expect(body.detail.length).toBeGreaterThan(10);
});

/** The fields of a filter that the document lists. */
function fieldsOf(schemaName: string): readonly string[] {
  const { properties }: { properties?: unknown } = { ...document.components.schemas[schemaName] };
  const { field } = Object(properties);
  return field.enum.filter((one: unknown) => one !== null);
}

/** Fields of filters that hold text of people, or of sources. */
const textFields = new Set([
  'synonyms',
  ...['title', 'title_full', 'description', 'definition', 'native_type', 'databuilder_id'],
  ...['database', 'schema', 'data_type'],
  ...['performer_email', 'performer_name', 'request_id', 'client_address', 'resource_title'],
]);

const filtered = [
  ['/resource/catalog', 'ResourceFilter'],
  ['/activity_log/audit_logs', 'AuditLogFilter'],
].flatMap(([path = '', name = '']) =>
  fieldsOf(name).map((field): [path: string, field: string] => [path, field]),
);

const withFilter = (path: string, filter: object) =>
  catalog.rest('GET', `${path}?filter=${encodeURIComponent(JSON.stringify(filter))}`);

test.each(filtered)(
  'a filter of %s refuses nonsense for %s, or it is text',
  async (path, field) => {
    for (const filter of [
      { operator: 'exact', field, value: nonsense },
      { operator: 'in', field, value: [nonsense] },
    ]) {
      const { status, body } = await withFilter(path, filter);
      if (textFields.has(field)) {
        expect([status, body.count]).toEqual([200, 0]);
      } else {
        expect([status, body.errors?.[0].field]).toEqual([400, 'filter.value']);
      }
    }
  },
);

test.each([
  ['resource_type', 'tabel', 'Did you mean table?'],
  ['related_resource_type', 'measurment', 'Did you mean measurement?'],
])(
  'a filter of the audit log by an unknown %s lists those that there are',
  async (field, value, hint) => {
    const { body } = await withFilter('/activity_log/audit_logs', {
      operator: 'exact',
      field,
      value,
    });
    expect(body.errors[0].message).toMatch(/^Use one of database, schema, table, .*/);
    expect(body.errors[0].message).toContain(hint);
  },
);

test.each([
  [{ operater: 'contains', field: 'title', value: 'x' }, 'filter.operator'],
  [{ operator: 'is_set', field: 'owners', valeu: false }, 'filter.value'],
  [{ operator: 'exact', feild: 'title', value: 'x' }, 'filter.field'],
])('a filter with a member that it does not have is refused: %j', async (filter, meant) => {
  const { status, body } = await withFilter('/resource/catalog', filter);
  expect([status, body.detail]).toEqual([400, expect.stringContaining(`Did you mean ${meant}?`)]);
});

const { table_id: target = '' } = params;
const source = (credentials: object) => ({ type: 'postgres', name: 'Source', credentials });

test.each([
  ['POST', '/monitor/monitors', { target, metric_type: 'row_count', metric_config: { wher: '1' } }],
  ['POST', '/monitor/monitors', { target, metric_type: 'row_count', schedule: { cadense: 'x' } }],
  ['PATCH', `/auth/teams/${params.id}`, { sidebar_settings: { catalgo: false } }],
])('%s %s refuses a misspelled member of %j', async (method, path, body) => {
  const counted = (await catalog.rest('GET', '/monitor/monitors')).body.count;
  const answer = await catalog.rest(method, path, { body });
  expect([answer.status, answer.body.errors]).toEqual([
    400,
    [
      {
        field: expect.stringMatching(/^[a-z_]+\.(wher|cadense|catalgo)$/),
        message: expect.stringMatching(
          /^There is no such (member here|setting)\. Did you mean ([a-z_]+\.)?(where|cadence|catalog)\?$/,
        ),
      },
    ],
  ]);
  expect((await catalog.rest('GET', '/monitor/monitors')).body.count).toBe(counted);
});

test('a misspelled credential is refused: it would connect in another way than was meant', async () => {
  const login = { host: 'db.example.com', database: 'shop', user: 'headwater' };
  const make = (credentials: object) =>
    catalog.rest('POST', '/integration/integrations', { body: source(credentials) });
  const { status, body } = await make({ ...login, sll: 'require' });
  expect([status, body.errors]).toEqual([
    400,
    [{ field: 'credentials.sll', message: 'There is no such field. Did you mean ssl?' }],
  ]);
  // What clients of other catalogs have besides is no typo, and is kept, and not shown, as the rest is.
  const others = { token: 'canary', database_role: 'reader', 'postgres://u:canary@h/db': '' };
  const kept = await make({ ...login, ...others });
  expect([kept.status, kept.body.credentials]).toEqual([201, {}]);
  expect(kept.text).not.toContain('canary');
  const made = await make({ ...login, sslmode: 'require', Username: 'headwater' });
  expect(made.status).toBe(201);
  const tried = await catalog.graphql(
    `mutation ($id: ID!, $credentials: JSON) {
      testConnection(integrationId: $id, credentials: $credentials) { ok }
    }`,
    { id: made.body.id, credentials: { ...login, pasword: 'x' } },
  );
  expect(tried.errors?.[0]?.message).toContain('Did you mean password?');
});

/** Arguments of GraphQL that any text is a value of; types and kinds of jobs are no closed sets. */
const freeArguments = /^(query|title|titleFull|search|kind|defaultDatabase|defaultSchema)$/;

const argumentsOfText = Object.values(schema.getQueryType()?.getFields() ?? {}).flatMap((field) =>
  field.args
    .filter(({ type }) => ['ID', 'String'].includes(getNamedType(type).name))
    .filter(({ name }) => !freeArguments.test(name))
    .map((arg): [query: string, name: string] => [field.name, arg.name]),
);

/** What a query needs besides the argument in question, by the names of arguments and of types. */
const needed: Readonly<Record<string, unknown>> = {
  ...{ dialect: 'postgres', sql: 'select 1', query: 'x', manifest: '{}' },
  ...{ ID: params.table_id, DateTime: '2024-01-01T00:00:00Z', MetricType: 'row_count' },
};

test.each(argumentsOfText)('the query %s refuses nonsense as %s', async (name, argument) => {
  const field = schema.getQueryType()?.getFields()[name];
  const args = (field?.args ?? []).filter(
    (one) => one.name === argument || (isNonNullType(one.type) && one.defaultValue === undefined),
  );
  const values = Object.fromEntries(
    args.map(({ name: key, type }) => {
      const text = key === argument ? nonsense : (needed[key] ?? needed[getNamedType(type).name]);
      return [key, /^\[/.test(String(type)) ? [text] : text];
    }),
  );
  const declared = args.map(({ name: key, type }) => `$${key}: ${type}`).join(', ');
  const given = args.map(({ name: key }) => `${key}: $${key}`).join(', ');
  const selected = field && isLeafType(getNamedType(field.type)) ? '' : '{ __typename }';
  const { data, errors } = await catalog.graphql(
    `query (${declared}) { ${name}(${given}) ${selected} }`,
    values,
  );
  const code = errors?.[0]?.extensions?.code;
  // What is asked for by its id is not there; `resource`, `node` and `nodes` say so by null.
  const isNothing =
    errors === undefined &&
    /^(id|ids)$/.test(argument) &&
    [data[name]].flat().every((one) => one === null);
  expect([name, argument, isNothing || /^(BAD_REQUEST|NOT_FOUND)$/.test(String(code))]).toEqual([
    name,
    argument,
    true,
  ]);
});

test('a typed filter of the audit log lists what entries are about', async () => {
  const ask = (type: string) =>
    catalog.graphql(`{ auditLogs(where: { resourceType: { eq: "${type}" } }) { totalCount } }`);
  const { errors } = await ask('tabel');
  expect(errors?.[0]?.message).toMatch(
    /^where\.resourceType\.eq: Use one of .*Did you mean table\?$/,
  );
  expect((await ask('table')).data.auditLogs.totalCount).toBeGreaterThan(0);
});

test('nothing of this was unexpected', () => {
  expect(catalog.unexpected).toEqual([]);
});
