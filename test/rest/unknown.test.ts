// What a request carries and no one reads: it is refused by name, or the answer warns of it.

import { expect, test } from 'vitest';
import { openCatalog } from '../catalog.ts';

const catalog = await openCatalog();

test.each([
  ['/table/tables?titel=orders', 'titel', /Did you mean title\?/],
  ['/table/tables?typo_param=1', 'typo_param', /no such parameter/],
  ['/table/columns?table_id=0d9f1c1e-6f0b-4c39-9d8a-2f1f0f6b7a51', 'table_id', /no such parameter/],
  ['/monitor/monitors?metric_type=zzz', 'metric_type', /no such parameter/],
  [
    '/resource/catalog?filter[operator]=exact&filter[field]=entity_type&filter[value]=dashboard',
    'filter[operator]',
    /Did you mean filter\?/,
  ],
])('%s is refused, and says what is meant', async (path, field, message) => {
  const { status, body } = await catalog.rest('GET', path);
  expect([status, body.code]).toEqual([400, 'BAD_REQUEST']);
  expect(body.errors[0]).toEqual({ field, message: expect.stringMatching(message) });
  expect(body.detail).toMatch(/Known are .*page, page_size/);
});

test('a path without parameters says so, and every unknown one is named', async () => {
  const { status, body } = await catalog.rest('POST', '/tag?name=gold&color=red', {
    body: { name: 'gold' },
  });
  expect([status, body.errors.map(({ field }: { field: string }) => field)]).toEqual([
    400,
    ['name', 'color'],
  ]);
  expect(body.detail).toContain('Send no parameters here.');
  expect((await catalog.rest('GET', '/tag')).body.count).toBe(0);
});

test('what clients send to everybody is taken: pages where there are none, a format, a cache buster', async () => {
  const properties = '/resource/all_v2/custom_properties?page=1&page_size=100&format=json&_=17';
  expect((await catalog.rest('GET', properties)).status).toBe(200);
  expect((await catalog.rest('GET', '/tag?format=json')).status).toBe(200);
});

test('lists with brackets and other names of a parameter are known', async () => {
  for (const query of ['teams[]=', 'teams=', 'title=x', 'integration_id=']) {
    expect((await catalog.rest('GET', `/resource/catalog?${query}`)).status).toBe(200);
  }
  expect((await catalog.rest('GET', '/integration/integrations?name=x')).status).toBe(200);
});

test('anyone who has no key learns of no parameter', async () => {
  const { status } = await catalog.rest('GET', '/tag?titel=x', { caller: { key: null } });
  expect(status).toBe(401);
});

test('uploads know their parameters and their fields', async () => {
  const { id } = await catalog.integration();
  const path = `/integration/integrations/${id}/import_metadata`;
  const form = (fields: Readonly<Record<string, string>>) => {
    const data = new FormData();
    for (const [name, value] of Object.entries(fields)) data.append(name, new Blob([value]), name);
    return data;
  };
  const csv = 'database,schema,name,col_name\nshop,public,orders,id';
  const post = (query: string, body: FormData) =>
    catalog.rest('POST', `${path}?dry_run=true${query}`, { body });
  const parameter = await post('&dryrun=true', form({ file: csv }));
  expect([parameter.status, parameter.body.errors[0].message]).toEqual([
    400,
    expect.stringContaining('Did you mean dry_run?'),
  ]);
  for (const field of ['files', 'resources_file']) {
    const refused = await post('', form({ file: csv, [field]: csv }));
    expect([refused.status, refused.body.errors[0].field]).toEqual([400, field]);
    expect(refused.body.detail).toContain('Known are file.');
  }
  const text = new FormData();
  text.append('dry_run', 'true');
  text.append('file', new Blob([csv]), 'tables.csv');
  const refused = await post('', text);
  expect([refused.status, refused.body.errors[0]]).toEqual([
    400,
    {
      field: 'dry_run',
      message: 'There is no such form field here. Send it as a parameter of the query.',
    },
  ]);
  const query = await catalog.rest('POST', `/lineage/impact?integration_id=${id}`, {
    body: form({ manifest: '{}' }),
  });
  expect([query.status, query.body.errors[0].message]).toEqual([
    400,
    'There is no such parameter here. Send it as a field of the form.',
  ]);
  expect((await post('', form({ file: csv }))).status).toBe(200);
});

test('a body may hold a whole record; what no one reads of it is said', async () => {
  const body = { name: 'silver', colour: '#aabbcc', entity_type: 'tag' };
  const made = await catalog.rest('POST', '/tag', { body });
  expect([made.status, made.body.name]).toEqual([201, 'silver']);
  expect(made.headers.get('warning')).toMatch(
    /^299 - "colour: There is no such field here\. Did you mean color\? entity_type: .*Known are name, description, color,/,
  );
  const { id } = await catalog.resource({ kind: 'table', title: 'orders' });
  const change = (fields: object) =>
    catalog.rest('PATCH', `/table/tables/${id}`, { body: { title: 'orders', ...fields } });
  const missed = await change({ descripton: 'One row per order' });
  expect([missed.status, missed.body.description]).toEqual([200, null]);
  expect(missed.headers.get('warning')).toContain('Did you mean description?');
  expect((await change({ entity_type: 'chart' })).headers.get('warning')).toBeNull();
});

test('where unknown parameters are to be warned of, the request is served and says so', async () => {
  const lenient = await openCatalog();
  await lenient.app({ REST_UNKNOWN_PARAMETERS: 'warn' });
  const { status, headers } = await lenient.rest('GET', '/table/tables?titel=ordres%C3%A9%22');
  expect(status).toBe(200);
  expect(headers.get('warning')).toMatch(/^299 - "titel: There is no such parameter here\. Did/);
  expect((await lenient.rest('GET', '/table/tables')).headers.get('warning')).toBeNull();
});

test.each([
  ['/monitor/incidents?status=nonsense', 'active, acknowledged, resolved'],
  ['/monitor/incidents?status=activ', 'Did you mean active?'],
  ['/monitor/monitors?status=broken', 'pending, learning, normal, incident, error, disabled'],
  ['/integration/integrations?type=postgress', 'did you mean postgres?'],
])('%s is refused with what is known', async (path, words) => {
  const { status, body } = await catalog.rest('GET', path);
  expect([status, body.detail]).toEqual([400, expect.stringContaining(words)]);
});

test.each(['postgress', 'postgre', 'Snowflke', 'mysqll', 'dbt_cor'])(
  'an integration of type %s is refused: it is nearly another one',
  async (type) => {
    const body = { type, name: 'Warehouse' };
    const made = await catalog.rest('POST', '/integration/integrations', { body });
    expect([made.status, made.body.errors[0].field]).toEqual([400, 'type']);
    expect(made.body.detail).toContain('did you mean');
  },
);

test.each(['looker', 'tableau', 'dbt_cloud', 'postgres', 'sql-server', 'dbt', 'hive', 'metabase'])(
  'an integration of type %s is made',
  async (type) => {
    const body = { type, name: 'Source' };
    expect((await catalog.rest('POST', '/integration/integrations', { body })).status).toBe(201);
  },
);
