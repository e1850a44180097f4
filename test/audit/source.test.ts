// Where an entry of the audit log comes from: the address of a client, and what let it act.

import { expect, test } from 'vitest';
import { record } from '../../src/audit/audit.ts';
import type { AuditLog } from '../../src/generated/prisma/client.ts';
import { clientAddressOf } from '../../src/http/client-address.ts';
import { enqueueJob } from '../../src/jobs/job.ts';
import { startWorker } from '../../src/jobs/worker.ts';
import { makeAdminKey } from '../../src/people/admin-key.ts';
import { type Catalog, openCatalog } from '../catalog.ts';
import { type Served, serveApp } from '../serve.ts';
import { OurPage } from '../sign-in/page.ts';

const making = 'mutation ($name: String!) { createTag(input: { name: $name }) { id } }';

/** Ask a server in its own words; what it answers. */
async function send(base: string, key: string, query: string, more: object = {}) {
  const { headers = {}, variables = {} } = more as { headers?: object; variables?: object };
  const response = await fetch(`${base}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${key}`,
      ...headers,
    },
    body: JSON.stringify({ query, variables }),
  });
  return response.json();
}

const entriesOf = (catalog: Catalog, activityType: string): Promise<AuditLog[]> =>
  catalog.database.prisma.auditLog.findMany({
    where: { activityType, workspaceId: catalog.workspaceId },
    orderBy: { sequence: 'asc' },
  });

/** The server of a catalog behind a proxy that it trusts. */
async function serveBehindProxy(catalog: Catalog): Promise<Served> {
  return serveApp(await catalog.app(), {}, 0, true);
}

test('an entry has the address of the client and the kind of credential, in both APIs', async () => {
  await using catalog = await openCatalog();
  const base = await catalog.listen();
  const key = catalog.keyOf('admin');
  await send(base, key, making, { variables: { name: 'graphql' } });
  await fetch(`${base}/api/v1/tag/tags`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'rest' }),
  });
  const query = `{ auditLogs(where: { credential: { eq: "API_KEY" }, clientAddress: { eq: "127.0.0.1" } },
    orderBy: { sequence: asc }) { nodes { activityType clientAddress credential } } }`;
  const entry = { clientAddress: '127.0.0.1', credential: 'API_KEY', activityType: 'tag_created' };
  expect((await catalog.graphql(query)).data?.auditLogs.nodes).toEqual([entry, entry]);
  const filter = { operator: 'exact', field: 'client_address', value: '127.0.0.1' };
  const asked = `?filter=${encodeURIComponent(JSON.stringify(filter))}`;
  const { body } = await catalog.rest('GET', `/activity_log/audit_logs/${asked}`);
  expect(body.results).toHaveLength(2);
  expect(body.results[0]).toMatchObject({ client_address: '127.0.0.1', credential: 'API_KEY' });
  const wrong = { operator: 'exact', field: 'credential', value: 'KEY' };
  const refused = await catalog.rest(
    'GET',
    `/activity_log/audit_logs/?filter=${encodeURIComponent(JSON.stringify(wrong))}`,
  );
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('API_KEY')]);
});

test('only a trusted proxy says where a request comes from, and only by what it added last', async () => {
  await using catalog = await openCatalog();
  const direct = await catalog.listen();
  await using behind = await serveBehindProxy(catalog);
  const key = catalog.keyOf('admin');
  const headers = { 'x-forwarded-for': '198.51.100.66, 203.0.113.7' };
  for (const [name, base] of [
    ['direct', direct],
    ['behind', behind.base],
  ] as const) {
    await send(base, key, making, { headers, variables: { name } });
  }
  // Refusals have it as well, of roles and of keys that work no more.
  await send(behind.base, catalog.keyOf('viewer'), making, { headers, variables: { name: 'no' } });
  await (await catalog.app()).settle();
  const made = await entriesOf(catalog, 'tag_created');
  expect(made.map(({ clientAddress }) => clientAddress)).toEqual(['127.0.0.1', '203.0.113.7']);
  expect(await entriesOf(catalog, 'permission_refused')).toMatchObject([
    { clientAddress: '203.0.113.7', credential: 'API_KEY' },
  ]);
});

test('a person who is signed in, their sign-in, a job and a command are told apart', async () => {
  await using catalog = await openCatalog({ alone: true });
  const app = await catalog.app();
  const page = new OurPage(await catalog.listen());
  const userId = catalog.idOf('admin');
  await page.signIn(app.makeCode({ workspaceId: catalog.workspaceId, userId }));
  expect(await page.ask(making.replace('($name: String!)', '').replace('$name', '"page"'))).toEqual(
    expect.anything(),
  );
  await makeAdminKey(catalog.database, { email: 'second@example.com' });
  const sources = async (activityType: string) =>
    (await entriesOf(catalog, activityType)).map(({ credential, clientAddress }) => [
      credential,
      clientAddress,
    ]);
  expect(await sources('session_started')).toEqual([['SIGN_IN', '127.0.0.1']]);
  expect(await sources('tag_created')).toEqual([['SESSION', '127.0.0.1']]);
  expect(await sources('user_created')).toEqual([['COMMAND', null]]);
  expect(await sources('api_key_created')).toEqual([['COMMAND', null]]);
  const worker = startWorker({
    ...{ database: catalog.database, surroundings: catalog.surroundings },
    handlers: { probe: ({ ctx }) => record(ctx, { activity: 'tag_updated', says: 'Done.' }) },
    onError: (error) => expect.unreachable(String(error)),
  });
  await enqueueJob(catalog.admin, { kind: 'probe', title: 'Probe' });
  await expect.poll(() => sources('tag_updated')).toEqual([['JOB', null]]);
  await worker.stop();
  await page.signOut();
  expect(await sources('session_ended')).toEqual([['SESSION', '127.0.0.1']]);
});

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['198.51.100.66,203.0.113.7 ', '203.0.113.7'],
  ['203.0.113.7:4711', '203.0.113.7'],
  ['[2001:db8::7]:4711', '2001:db8::7'],
  ['2001:db8::7', '2001:db8::7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['198.51.100.66, unknown', '10.0.0.1'],
  ["'; drop table", '10.0.0.1'],
  ['', '10.0.0.1'],
])('of the forwarded addresses %j the client has %s', (forwarded, address) => {
  const headers = { 'x-forwarded-for': forwarded };
  const socket = { remoteAddress: '::ffff:10.0.0.1' };
  expect(clientAddressOf({ headers, socket }, true)).toBe(address);
  expect(clientAddressOf({ headers, socket }, false)).toBe('10.0.0.1');
  expect(clientAddressOf({ headers, socket: { remoteAddress: undefined } }, false)).toBeNull();
});
