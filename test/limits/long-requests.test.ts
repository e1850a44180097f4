// Requests that may take as long as they need: of one key so many are worked on at once, over both APIs.

import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { takeImportPlace } from '../../src/database/connections/limits.ts';
import { type Catalog, openCatalog } from '../catalog.ts';
import { clientsOf } from './client.ts';

/** A catalog whose keys have one place each, and whose imports wait in line until told otherwise. */
async function openHeld() {
  const folder = await mkdtemp(join(tmpdir(), 'long-requests-test-'));
  const catalog = await openCatalog({ alone: true, maxConnections: 5 });
  const clients = await clientsOf(catalog, { REQUESTS_PER_KEY: '1', DATA_DIR: folder });
  const { pool } = catalog.database;
  const { signal } = new AbortController();
  const held = await Promise.all([1, 2].map(() => takeImportPlace(pool, signal, () => {})));
  return {
    ...{ catalog, ...clients },
    letGo() {
      for (const place of held) place[Symbol.dispose]();
    },
    spooled: async () => (await readdir(join(folder, 'uploads'))).length,
    async [Symbol.asyncDispose]() {
      await catalog[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const line = JSON.stringify({ entity_type: 'table', databuilder_id: 'a', title: 'a' });

/** Upload a line, as the admin, over HTTP. */
async function upload(origin: string, catalog: Catalog, id: string, query = '') {
  const body = new FormData();
  body.append('resources_file', new Blob([line]), 'resources.jsonl');
  const path = `/api/v1/integration/integrations/${id}/import_jsonl_metadata${query}`;
  const headers = { authorization: `Bearer ${catalog.keyOf('admin')}` };
  return fetch(origin + path, { method: 'POST', headers, body });
}

const importing = `mutation ($id: ID!, $line: String!) {
  importJsonl(integrationId: $id, resources: $line) { created }
}`;
const review = 'impactOfManifest(manifest: "{}") { unchanged }';

test('an import that is answered keeps its place, and others of its key are refused before their files come', async () => {
  await using held = await openHeld();
  const { catalog, origin, admin, editor } = held;
  const [one, other] = [await catalog.integration(), await catalog.integration()];
  const first = await upload(origin, catalog, one.id, '?async=true');
  expect([first.status, await held.spooled()]).toEqual([202, 1]);

  const refused = upload(origin, catalog, other.id);
  const inText = admin.graphql(importing, { id: other.id, line });
  const inQuery = admin.graphql(`{ ${review} }`);
  // What has a time of its own goes on next to it, and so does another key.
  expect((await admin.graphql('{ viewer { id } }')).code).toBeUndefined();
  expect((await editor.graphql(`{ ${review} }`)).code).toBe('BAD_REQUEST');
  const { status, headers } = await refused;
  expect([status, headers.get('retry-after')]).toEqual([429, '10']);
  for (const { status, code, headers, body } of [await inText, await inQuery]) {
    expect([status, code, headers.get('retry-after')]).toEqual([429, 'TOO_MANY_REQUESTS', '10']);
    expect(body.errors[0].message).toMatch(/^1 requests of this key that may take long/);
  }
  expect(await held.spooled()).toBe(1);

  held.letGo();
  await expect.poll(held.spooled).toBe(0);
  expect((await upload(origin, catalog, other.id)).status).toBe(204);
  const deleted = await admin.rest('DELETE', `/integration/integrations/${one.id}`);
  expect(deleted.status).toBe(204);
  const { body } = await admin.graphql(importing, { id: other.id, line });
  expect(body.data.importJsonl).toEqual({ created: 0 });
  expect(catalog.unexpected).toEqual([]);
});

test('one that waits for its turn is worked on when it comes', async () => {
  await using held = await openHeld();
  const { catalog, origin } = held;
  const [one, other] = [await catalog.integration(), await catalog.integration()];
  const both = [one, other].map(({ id }) => upload(origin, catalog, id));
  await expect.poll(() => held.spooled().catch(() => 0)).toBe(1);
  held.letGo();
  for (const { status } of await Promise.all(both)) expect(status).toBe(204);
  await expect.poll(held.spooled).toBe(0);
});

test('one request reviews nine manifests at most', async () => {
  await using catalog = await openCatalog();
  const { viewer } = await clientsOf(catalog, {});
  const messageOf = async (reviews: number) => {
    const fields = Array.from({ length: reviews }, (_, n) => `r${n}: ${review}`);
    return (await viewer.graphql(`{ ${fields.join(' ')} }`)).body.errors[0].message;
  };
  expect(await messageOf(9)).not.toMatch(/costs/);
  expect(await messageOf(10)).toMatch(/^This request costs 500,010/);
});
