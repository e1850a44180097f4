// The last way in for admins: no key, role or user is taken away with it, anyone else who is at it.

import { expect, test } from 'vitest';
import { createApiKey, revokeApiKey } from '../../src/people/api-key.ts';
import { viewerOfKey } from '../../src/people/sign-in.ts';
import { deactivateUser, updateUser } from '../../src/people/user.ts';
import { type Catalog, openCatalog } from '../catalog.ts';

const nobody =
  'This is the last working admin key. Create another one first, for an active user with the role admin.';
const day = 24 * 3_600_000;

async function keysOf({ database, workspaceId }: Catalog, role: string) {
  const where = { workspaceId, name: role };
  return database.prisma.apiKey.findMany({ where, select: { id: true } });
}

/** The one key that the workspace's admin starts with. */
async function firstKey(catalog: Catalog): Promise<string> {
  const [key] = await keysOf(catalog, 'admin');
  return key?.id ?? '';
}

/** What lets an admin in for good. */
const lasting = { scopes: ['ADMIN'], expiresAt: null };

test('the last key of an admin cannot be revoked, over both APIs', async () => {
  await using catalog = await openCatalog();
  const id = await firstKey(catalog);
  const query = 'mutation ($id: ID!) { revokeApiKey(id: $id) { revokedAt } }';
  const { data, errors } = await catalog.graphql(query, { id });
  expect([data, errors?.[0]?.message, errors?.[0]?.extensions.code]).toEqual([
    { revokeApiKey: null },
    nobody,
    'CONFLICT',
  ]);
  // Keys of others, and one of an admin who was deactivated, are no way in.
  const gone = await catalog.user({ role: 'admin' });
  await createApiKey(catalog.admin, { ...lasting, name: 'gone', userId: gone.id });
  await deactivateUser(catalog.admin, gone.id);
  await expect(revokeApiKey(catalog.admin, id)).rejects.toMatchObject({ code: 'CONFLICT' });
  expect((await catalog.graphql('{ viewer { role } }')).data.viewer.role).toBe('admin');

  const second = await createApiKey(catalog.admin, { ...lasting, name: 'second' });
  expect((await revokeApiKey(catalog.admin, id)).revokedAt).not.toBeNull();
  expect((await revokeApiKey(catalog.admin, id)).revokedAt).not.toBeNull();
  const last = revokeApiKey(catalog.admin, second.apiKey.id);
  await expect(last).rejects.toMatchObject({ message: nobody });
});

test('the admin who alone has a key keeps role and account, over both APIs', async () => {
  await using catalog = await openCatalog();
  const me = catalog.idOf('admin');
  const second = await catalog.user({ role: 'admin' });
  for (const body of [{ role: 'editor' }, { role: 'guest' }]) {
    const answer = await catalog.rest('PATCH', `/user/${me}`, { body });
    expect([answer.status, answer.body.detail]).toEqual([409, nobody]);
  }
  const deleted = await catalog.rest('DELETE', `/user/${me}`);
  expect([deleted.status, deleted.body.detail]).toEqual([409, nobody]);
  const query =
    'mutation ($id: ID!, $input: UpdateUserInput!) { updateUser(id: $id, input: $input) { id } }';
  for (const input of [{ role: 'viewer' }, { archived: true }]) {
    const { errors } = await catalog.graphql(query, { id: me, input });
    expect(errors?.[0]?.message).toBe(nobody);
  }
  await createApiKey(catalog.admin, { ...lasting, name: 'second', userId: second.id });
  expect((await catalog.rest('PATCH', `/user/${me}`, { body: { role: 'editor' } })).status).toBe(
    200,
  );
});

test('keys that expire do not take the place of the last one that does not', async () => {
  await using catalog = await openCatalog();
  const id = await firstKey(catalog);
  const now = Date.now();
  const until = new Date(now + 10 * day);
  const expiring = [new Date(now + day), until].map((expiresAt) =>
    createApiKey(catalog.admin, { ...lasting, name: 'short', expiresAt }),
  );
  const [one, other] = await Promise.all(expiring);
  await expect(revokeApiKey(catalog.admin, id)).rejects.toMatchObject({
    code: 'CONFLICT',
    message: `The other admin keys expire, the last one at ${until.toISOString()}. First create one for an admin that does not expire.`,
  });
  // Those that expire may go while the lasting one is there.
  await revokeApiKey(catalog.admin, one?.apiKey.id ?? '');
  const third = await createApiKey(catalog.admin, { ...lasting, name: 'lasting' });
  await revokeApiKey(catalog.admin, id);

  // Where all expire already, one that works is enough; one that has expired is none.
  await catalog.database.prisma.apiKey.update({
    where: { workspaceId_id: { workspaceId: catalog.workspaceId, id: third.apiKey.id } },
    data: { expiresAt: new Date(now + 2 * day) },
  });
  catalog.setTime(new Date(now + 3 * day));
  const last = revokeApiKey(catalog.admin, other?.apiKey.id ?? '');
  await expect(last).rejects.toMatchObject({ message: nobody });
  catalog.setTime(new Date(now + day));
  await revokeApiKey(catalog.admin, third.apiKey.id);
});

test('a key that a start made and no one used is no way in', async () => {
  await using catalog = await openCatalog();
  const id = await firstKey(catalog);
  const { apiKey } = await createApiKey(catalog.admin, { ...lasting, name: 'start' });
  const { workspaceId, database } = catalog;
  await database.prisma.apiKey.update({
    where: { workspaceId_id: { workspaceId, id: apiKey.id } },
    data: { madeAtStart: true },
  });
  await expect(revokeApiKey(catalog.admin, id)).rejects.toMatchObject({ message: nobody });
});

test('of two admins who revoke each other’s key at once one keeps theirs, every time', async () => {
  await using catalog = await openCatalog();
  for (let round = 0; round < 10; round += 1) {
    const other = await catalog.another();
    const second = await other.user({ role: 'admin' });
    const { key, apiKey } = await createApiKey(other.admin, {
      ...lasting,
      name: 'b',
      userId: second.id,
    });
    const results = await Promise.allSettled([
      revokeApiKey(other.admin, apiKey.id),
      revokeApiKey(other.contextOf(second), await firstKey(other)),
    ]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const left = [key, other.keyOf('admin')].map((one) =>
      viewerOfKey(other.database, one, new Date()),
    );
    expect((await Promise.all(left)).filter((viewer) => viewer !== null)).toHaveLength(1);
  }
});

test('of two who take the last two ways in by different means one is refused', async () => {
  await using catalog = await openCatalog();
  for (let round = 0; round < 5; round += 1) {
    const other = await catalog.another();
    const second = await other.user({ role: 'admin' });
    await createApiKey(other.admin, { ...lasting, name: 'b', userId: second.id });
    const results = await Promise.allSettled([
      updateUser(other.admin, second.id, { role: 'viewer' }),
      revokeApiKey(other.contextOf(second), await firstKey(other)),
    ]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  }
});
