// The slips of a first hour: each is answered with what is wrong, and with what was meant or is allowed.

import { expect, test } from 'vitest';
import { openCatalog } from '../../catalog.ts';
import { seed } from '../seed.ts';

const catalog = await openCatalog();
const { params } = await seed(catalog);

const filtered = (path: string, filter: object) =>
  `${path}?filter=${encodeURIComponent(JSON.stringify(filter))}`;
const exact = (field: string, value: string) => ({ operator: 'exact', field, value });

test.each([
  [
    filtered('/resource/catalog', exact('entity_type', 'tabel')),
    'filter.value',
    /use one of .*table/,
  ],
  [
    filtered('/resource/catalog', { operator: 'and', operands: [] }),
    'filter.operands',
    /at least one/,
  ],
  [
    filtered('/activity_log/audit_logs', exact('performer_type', 'api')),
    'filter.value',
    /Use one of API, USER, SYSTEM\. Did you mean API\?/,
  ],
  [
    filtered('/activity_log/audit_logs', exact('activity_type', 'tabel_updated')),
    'filter.value',
    /Use one of .* and \d+ more\. Did you mean table_updated\?/,
  ],
  ['/table/tables?integration_id=nope', 'integration_id', /Use an id, which is a UUID\./],
  ['/table/tables?parent_id=nope', 'parent_id', /Use an id/],
  ['/monitor/measurements?incident_id=null', 'incident_id', /Use an id/],
  ['/monitor/measurements?monitor=nope', 'monitor', /Use an id/],
  ['/monitor/measurements', 'monitor', /^Give this or incident_id\.$/],
  ['/lineage/lineage_from_query?sql=selec&dialect=postgres', 'sql', /^[^']*got 'selec'\.$/],
])('%s is refused for %s', async (path, field, message) => {
  const { status, body } = await catalog.rest('GET', path);
  expect([status, body.code]).toEqual([400, 'BAD_REQUEST']);
  expect(body.errors[0]).toEqual({ field, message: expect.stringMatching(message) });
});

test('the words that filters of the audit log take are taken', async () => {
  for (const [field, value] of [
    ['performer_type', 'API'],
    ['activity_type', 'table_created'],
  ] as const) {
    const { status, body } = await catalog.rest(
      'GET',
      filtered('/activity_log/audit_logs', exact(field, value)),
    );
    expect([field, status, body.results[0]?.[field]]).toEqual([field, 200, value]);
  }
});

test.each([
  ['GET', '/tables/tables', 'Did you mean /api/v1/table/tables?'],
  ['POST', '/monitor/monitor', 'Did you mean /api/v1/monitor/monitors?'],
  ['GET', '/nothing/of/the/kind', 'Path not found. All paths are listed at /api/v1/docs.'],
])('%s %s says where all paths are, and the nearest', async (method, path, words) => {
  const { status, body } = await catalog.rest(method, path);
  expect([status, body.code, body.detail]).toEqual([
    404,
    'NOT_FOUND',
    expect.stringContaining(words),
  ]);
});

test.each([
  [`/resource/all/${params.table_id}`, 200],
  ['/resource/all/nope', 404],
  ['/tag/nope', 404],
])('%s is a path, whatever its id: %s', async (path, expected) => {
  const { status, body } = await catalog.rest('GET', path);
  expect(status).toBe(expected);
  expect(body.detail ?? '').not.toContain('Path not found');
});

test('an enum that is missed lists its values, in a query and in a variable', async () => {
  const asked = 'query ($status: IncidentStatus) { incidents(status: $status) { totalCount } }';
  const all = 'Use one of active, acknowledged, resolved.';
  const said = async (query: string, variables = {}) =>
    (await catalog.graphql(query, variables)).errors?.[0]?.message;
  expect(await said('{ incidents(status: nonsense) { totalCount } }')).toContain(all);
  expect(await said('{ incidents(status: "active") { totalCount } }')).toMatch(
    /cannot represent non-enum value: a string\. Did you mean the enum value "active"\?$/,
  );
  expect(await said(asked, { status: 'nonsense' })).toContain(all);
  expect(await said(asked, { status: 'resolve' })).toMatch(
    /Did you mean the enum value "resolved"/,
  );
  expect(await said(asked, { status: 'resolved' })).toBeUndefined();
  // Of more than a message holds none is listed.
  const activity = '{ auditLogs(where: { activityType: { eq: zzz } }) { totalCount } }';
  expect(await said(activity)).toMatch(/"zzz" does not exist in "AuditActivity" enum\.$/);
});

const columns = 'database,schema,name,col_name';

/** What is said of a CSV that is uploaded into an integration of its own. */
async function upload(csv: string, query = '') {
  const { id } = await catalog.integration();
  const body = new FormData();
  body.append('file', new Blob([csv]), 'tables.csv');
  const path = `/integration/integrations/${id}/import_metadata${query}`;
  return catalog.rest('POST', path, { body });
}

test('an unknown column is named without quotes where fields are named', async () => {
  const { body } = await upload(`${columns},table\nshop,public,orders,id,x\n`);
  expect(body.errors[0]).toEqual({
    field: 'table',
    message: expect.stringContaining('"table" is not a column; allowed are'),
  });
});

test('nothing of this was unexpected', () => {
  expect(catalog.unexpected).toEqual([]);
});
