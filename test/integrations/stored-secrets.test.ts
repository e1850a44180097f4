// Changing the credentials of a source: what is read of them, and which secrets stay, on a real PostgreSQL server.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCredentials } from '../../src/integrations/credentials.ts';
import { type Catalog, openCatalog } from '../catalog.ts';
import { startPostgres, type TestServer } from '../servers.ts';

/** The servers of tests trust everybody; this login has to say its password. */
const onlyWithPassword = `
  do $$ begin execute format('copy (select unnest(array[%L, %L, %L])) to %L',
    'host all rotated all scram-sha-256', 'local all all trust', 'host all all all trust',
    current_setting('hba_file')); perform pg_reload_conf(); end $$`;

let server: TestServer | null;
beforeAll(async () => {
  server = await startPostgres();
  await server?.run(`create schema shop; create table shop.orders (id bigint);
    create role rotated login password 'first-secret';
    grant usage on schema shop to rotated; grant select on all tables in schema shop to rotated;
    ${onlyWithPassword}`);
}, 60_000);
afterAll(() => server?.[Symbol.asyncDispose]());

async function openPlace({ port }: TestServer) {
  const catalog = await openCatalog({ alone: true });
  await catalog.app({ ALLOW_PRIVATE_HOSTS: '127.0.0.0/8' });
  const place = { host: '127.0.0.1', port, database: 'postgres', user: 'rotated' };
  const { data } = await catalog.graphql(
    `mutation ($credentials: JSON) { createIntegration(type: "postgres", input: {
      name: "Shop", credentials: $credentials }) { id version } }`,
    { credentials: { ...place, password: 'first-secret' } },
  );
  return { catalog, place, id: String(data.createIntegration.id) };
}

const tryThem = (catalog: Catalog, id: string, credentials: object) =>
  catalog.graphql(
    `mutation ($id: ID!, $credentials: JSON) {
      testConnection(integrationId: $id, credentials: $credentials, keepsSecrets: true) { ok } }`,
    { id, credentials },
  );
const save = (catalog: Catalog, id: string, credentials: object) =>
  catalog.graphql(
    `mutation ($id: ID!, $credentials: JSON) {
      updateIntegration(id: $id, input: { credentials: $credentials, keepsSecrets: true }) {
        shownCredentials } }`,
    { id, credentials },
  );

test('a rotated password is tried before it is saved, and nothing else has to be entered', async (t) => {
  if (!server) return t.skip();
  const { catalog, place, id } = await openPlace(server);
  await using _catalog = catalog;
  await server.run(`alter role rotated password 'second-secret'`);
  const ok = async (credentials: object) =>
    (await tryThem(catalog, id, credentials)).data.testConnection.ok;
  expect(await ok(place)).toBe(false);
  expect(await ok({ ...place, password: 'second-secret' })).toBe(true);
  // Trying them kept nothing.
  expect(await openCredentials(catalog.admin, id)).toMatchObject({ password: 'first-secret' });
  const saved = await save(catalog, id, { ...place, password: 'second-secret' });
  expect(saved.data.updateIntegration.shownCredentials).toEqual(place);
  expect(await ok({ ...place, include: 'shop' })).toBe(true);
  await save(catalog, id, { ...place, include: 'shop', exclude: 'tmp_*' });
  expect(await openCredentials(catalog.admin, id)).toEqual({
    ...{ ...place, include: 'shop', exclude: 'tmp_*', password: 'second-secret' },
  });
});

test('a stored secret goes nowhere else than where it was entered for', async (t) => {
  if (!server) return t.skip();
  const { catalog, place, id } = await openPlace(server);
  await using _catalog = catalog;
  for (const other of [{ host: '127.0.0.2' }, { port: 1 }, { user: 'x' }, { ssl: 'disable' }]) {
    for (const send of [tryThem, save]) {
      const { errors } = await send(catalog, id, { ...place, ...other });
      expect(errors?.[0]?.extensions?.code).toBe('BAD_REQUEST');
      expect(errors?.[0]?.message).toMatch(/^Password: Enter it again.* this changes: /);
    }
  }
  // With the password it is a change like any other; a port as text is the same port.
  const moved = { ...place, port: String(place.port), host: '127.0.0.2', password: 'again' };
  expect((await save(catalog, id, moved)).errors).toBeUndefined();
  const { host, ...rest } = moved;
  expect(await openCredentials(catalog.admin, id)).toEqual({ host, ...rest });
  // Without asking for it, what is left out is gone, as ever.
  await catalog.graphql(
    `mutation ($id: ID!, $credentials: JSON) {
      updateIntegration(id: $id, input: { credentials: $credentials }) { id } }`,
    { id, credentials: place },
  );
  expect(await openCredentials(catalog.admin, id)).toEqual(place);
});

test('only those who may change credentials read them, and never a secret', async () => {
  await using catalog = await openCatalog();
  const { data } = await catalog.graphql(
    `mutation ($credentials: JSON) { createIntegration(type: "postgres", input: {
      name: "Shop", credentials: $credentials }) { id shownCredentials } }`,
    {
      credentials: {
        ...{ hostname: 'db.example.com', user: 'reader', password: 'canary-one' },
        ...{ database: 'postgres://reader:canary-two@db/shop', other: 'canary-three' },
      },
    },
  );
  const { id, shownCredentials } = data.createIntegration;
  expect(shownCredentials).toEqual({ host: 'db.example.com', user: 'reader' });
  const asked = 'query ($id: ID!) { integration(id: $id) { hasCredentials shownCredentials } }';
  const editor = await catalog.graphql(asked, { id }, { as: 'editor' });
  expect(editor.data.integration).toEqual({ hasCredentials: true, shownCredentials: null });
});

test('a private host is named with the setting that allows it', async () => {
  await using catalog = await openCatalog({ alone: true });
  await catalog.app({ ALLOW_PRIVATE_HOSTS: '127.0.0.0/8' });
  const obstacle = async (host: string) =>
    (
      await catalog.graphql(
        'query ($host: String!) { hostObstacle(host: $host) { message setting } }',
        { host },
      )
    ).data.hostObstacle;
  expect(await obstacle('127.0.0.1')).toBeNull();
  expect(await obstacle('10.1.2.3')).toEqual({
    message: expect.stringContaining('in a private network'),
    setting: 'ALLOW_PRIVATE_HOSTS=10.1.2.3/32',
  });
  expect((await obstacle('[fd00::7]')).setting).toBe('ALLOW_PRIVATE_HOSTS=fd00::7/128');
  // No setting allows the metadata service of a cloud.
  expect(await obstacle('169.254.169.254')).toEqual({
    message: 'Connections to 169.254.169.254 are not allowed.',
    setting: null,
  });
  expect((await obstacle('nowhere.invalid')).setting).toBeNull();
});
