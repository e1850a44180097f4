// Refusals in the audit log: who was refused what, over both APIs, without anybody filling the log by trying.

import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { createRefusals, maxEntries } from '../../src/audit/refusal.ts';
import { makeKey } from '../../src/auth/key-form.ts';
import { serverViewer } from '../../src/auth/viewer.ts';
import { contextFor } from '../../src/context.ts';
import { transaction } from '../../src/database/transaction.ts';
import type { AuditLog } from '../../src/generated/prisma/client.ts';
import { createApiKey, revokeApiKey } from '../../src/people/api-key.ts';
import { deactivateUser } from '../../src/people/user.ts';
import { type Catalog, openCatalog } from '../catalog.ts';

async function refusals(catalog: Catalog): Promise<AuditLog[]> {
  return catalog.database.prisma.auditLog.findMany({
    where: {
      workspaceId: catalog.workspaceId,
      activityType: { in: ['permission_refused', 'access_refused', 'refusals_left_out'] },
    },
    orderBy: { sequence: 'asc' },
  });
}

const saysOf = (entries: readonly AuditLog[]) =>
  entries.map(({ eventBlocks }) => JSON.parse(JSON.stringify(eventBlocks))[0].value);

test('what GraphQL refuses is in the log: by whom, with which key, and what was meant', async () => {
  await using catalog = await openCatalog();
  const { id } = await catalog.tag();
  const answer = await catalog.graphql(
    'mutation ($id: ID!) { gone: deleteTag(id: $id) { id } }',
    { id },
    { as: 'viewer' },
  );
  expect(answer.errors?.[0]?.extensions.code).toBe('FORBIDDEN');
  await catalog.graphql('{ auditLogs { totalCount } }', {}, { as: 'editor' });
  const entries = await vi.waitFor(async () => {
    const found = await refusals(catalog);
    expect(found).toHaveLength(2);
    return found;
  });
  const key = await catalog.database.prisma.apiKey.findFirstOrThrow({
    where: { workspaceId: catalog.workspaceId, name: 'viewer' },
  });
  expect(entries[0]).toMatchObject({
    performerId: catalog.idOf('viewer'),
    performerType: 'API',
    keyId: key.id,
    requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    resourceId: id,
    changes: [{ field: 'request', after: 'deleteTag' }],
  });
  expect(saysOf(entries)).toEqual([
    "viewer Example was refused deleteTag: The role viewer can't edit tags; admin or editor can",
    "editor Example was refused auditLogs: The role editor can't read the audit log; admin can",
  ]);
});

test('what is refused has its own name in the log, whatever a client calls it and wherever it stands', async () => {
  await using catalog = await openCatalog();
  const { id } = await catalog.tag();
  const alias = 'a'.repeat(10_000);
  const field = (name: string) => `${name}: deleteTag(id: ${JSON.stringify(id)}) { id }`;
  const asks = [
    `mutation { ... on Mutation { ... { ${field('viewer')} } } }`,
    `mutation { ...Outer } fragment Outer on Mutation { ...Inner }
      fragment Inner on Mutation { ${field('tags')} }`,
    `mutation { ${field(alias)} }`,
  ];
  for (const ask of asks) {
    const { errors } = await catalog.graphql(ask, {}, { as: 'viewer' });
    expect(errors?.[0]?.extensions.code).toBe('FORBIDDEN');
  }
  const entries = await vi.waitFor(async () => {
    const found = await refusals(catalog);
    expect(found).toHaveLength(asks.length);
    return found;
  });
  const why = "The role viewer can't edit tags; admin or editor can";
  for (const entry of entries) {
    expect(entry).toMatchObject({ resourceId: id, changes: [{ after: 'deleteTag' }] });
    expect(saysOf([entry])).toEqual([`viewer Example was refused deleteTag: ${why}`]);
  }
});

test('what REST refuses is in the log, of operations, of keyed requests and of uploads', async () => {
  await using catalog = await openCatalog();
  const app = await catalog.app();
  const caller = { as: 'viewer' } as const;
  const body = { name: 'Gold' };
  const headers = { 'x-request-id': 'a-request-of-mine' };
  const { id } = await catalog.integration();
  const path = `/integration/integrations/${id}/import_metadata/`;
  for (const answer of [
    await catalog.rest('POST', '/tag/', { body, caller, headers }),
    await catalog.rest('POST', '/tag/', { body, caller, headers: { 'idempotency-key': 'k' } }),
    await catalog.rest('POST', path, { body: new FormData(), caller }),
  ]) {
    expect(answer.status).toBe(403);
  }
  await app.settle();
  const entries = await refusals(catalog);
  expect(saysOf(entries).map((words) => words.split(':')[0])).toEqual([
    'viewer Example was refused createTag',
    'viewer Example was refused createTag',
    expect.stringMatching(/^viewer Example was refused Import/),
  ]);
  expect(entries[0]?.requestId).toBe('a-request-of-mine');
  expect(entries[2]?.resourceId).toBe(id);
  expect(await catalog.database.prisma.tag.count({ where: { name: 'Gold' } })).toBe(0);
});

test('a key that works no more is in the log with what it came for, whatever ended it', async () => {
  await using catalog = await openCatalog();
  const user = await catalog.user({ firstName: 'Ada', lastName: 'Away' });
  const expiresAt = new Date(Date.now() + 60_000);
  const make = (name: string, more = {}) => createApiKey(catalog.admin, { name, ...more });
  const [revoked, expired, ofUser] = [
    await make('revoked'),
    await make('expired', { expiresAt }),
    await make('of Ada', { userId: user.id }),
  ];
  await revokeApiKey(catalog.admin, revoked.apiKey.id);
  await deactivateUser(catalog.admin, user.id);
  catalog.setTime(new Date(expiresAt.getTime() + 60_000));
  const headers = { 'x-request-id': 'a-request-of-a-lapsed-key' };
  const first = await catalog.rest('GET', '/tag/tags', { caller: revoked, headers });
  expect(first.status).toBe(401);
  const second = await catalog.graphql('{ viewer { id } }', {}, expired);
  expect(second.errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
  const third = await catalog.rest('POST', '/tag/', { body: { name: 'Gold' }, caller: ofUser });
  expect(third.status).toBe(401);
  const entries = await vi.waitFor(async () => {
    const found = await refusals(catalog);
    expect(found).toHaveLength(3);
    return found;
  });
  expect(new Set(saysOf(entries))).toEqual(
    new Set([
      'Admin was refused GET /api/v1/tag/tags: The key was revoked',
      'Admin was refused POST /graphql: The key has expired',
      'Ada Away was refused POST /api/v1/tag/: The account of the key was deactivated',
    ]),
  );
  const keyIds = [revoked, expired, ofUser].map(({ apiKey }) => apiKey.id);
  expect(new Set(entries.map(({ keyId }) => keyId))).toEqual(new Set(keyIds));
  expect(entries.find(({ keyId }) => keyId === keyIds[0])).toMatchObject({
    ...{ activityType: 'access_refused', performerType: 'API' },
    ...{ performerId: catalog.idOf('admin'), requestId: 'a-request-of-a-lapsed-key' },
  });
});

test('a lapsed key that goes on trying is counted, and costs no statement while it is remembered', async () => {
  await using catalog = await openCatalog();
  const made = await createApiKey(catalog.admin, { name: 'revoked' });
  await revokeApiKey(catalog.admin, made.apiKey.id);
  const app = await catalog.app();
  await catalog.rest('GET', '/tag/tags', { caller: made });
  const { statements } = await catalog.counting(async () => {
    for (let turn = 0; turn < 50; turn += 1) await catalog.rest('GET', '/tag', { caller: made });
  });
  expect(statements.filter((text) => text.includes('api_key'))).toEqual([]);
  await app.settle();
  const entries = await refusals(catalog);
  expect(entries).toHaveLength(maxEntries + 1);
  expect(saysOf(entries).at(-1)).toMatch(
    /^Admin was refused 46 more requests within a minute: GET/,
  );
});

test('what is not there, or wrong, is no refusal', async () => {
  await using catalog = await openCatalog();
  await catalog.rest('GET', `/resource/all/${randomUUID()}`);
  await catalog.rest('POST', '/tag/', { body: { color: 'pink' } });
  for (const key of [null, 'made-up-by-a-client', makeKey(randomUUID())]) {
    await catalog.rest('GET', '/tag', { caller: { key } });
  }
  await (await catalog.app()).settle();
  expect(await refusals(catalog)).toEqual([]);
});

test('of many refusals of a key in a minute a few are written, and of the others how many', async () => {
  await using catalog = await openCatalog();
  const { database } = catalog;
  const noting = createRefusals({ database, onUnexpected: console.error, windowMs: 300 });
  const refuse = (request: string, role: 'viewer' | 'guest' = 'viewer') =>
    noting.note(catalog.as(role), { request, message: 'No.' });
  for (let turn = 0; turn < maxEntries + 7; turn += 1) refuse(turn % 2 ? 'createTag' : 'vote');
  refuse('createTag', 'guest');
  const entries = await vi.waitFor(async () => {
    const found = await refusals(catalog);
    expect(found).toHaveLength(maxEntries + 2);
    return found;
  });
  expect(saysOf(entries).at(-1)).toBe(
    'viewer Example was refused 7 more requests within a minute: createTag (4), vote (3)',
  );
  expect(saysOf(entries).filter((words) => words.startsWith('guest'))).toHaveLength(1);
  // The next minute starts over, and what is left out of it is written at the end as well.
  for (let turn = 0; turn < maxEntries + 1; turn += 1) refuse(`request${turn}`);
  await noting.settle();
  const later = (await refusals(catalog)).slice(entries.length);
  expect(later).toHaveLength(maxEntries + 1);
  expect(saysOf(later)).toContain(
    `viewer Example was refused one more request within a minute: request${maxEntries} (1)`,
  );
});

test('two keys of one person are counted by themselves', async () => {
  await using catalog = await openCatalog();
  const { database } = catalog;
  const noting = createRefusals({ database, onUnexpected: console.error });
  for (const name of ['one', 'other']) {
    const { apiKey } = await createApiKey(catalog.admin, { name, userId: catalog.idOf('viewer') });
    const ctx = contextFor(database, { ...catalog.as('viewer').viewer, keyId: apiKey.id });
    for (let turn = 0; turn < maxEntries + 1; turn += 1) {
      noting.note(ctx, { request: name, message: 'No.' });
    }
  }
  await noting.settle();
  const said = saysOf(await refusals(catalog));
  for (const name of ['one', 'other']) {
    expect(said.filter((words) => words.includes(`${name}: No`))).toHaveLength(maxEntries);
    expect(said).toContain(
      `viewer Example was refused one more request within a minute: ${name} (1)`,
    );
  }
});

test('a thousand names of requests do not make a long entry', async () => {
  await using catalog = await openCatalog();
  const { database } = catalog;
  const noting = createRefusals({ database, onUnexpected: console.error });
  for (let turn = 0; turn < 1_000; turn += 1) {
    noting.note(catalog.as('viewer'), { request: `request${turn}`, message: 'No.' });
  }
  await noting.settle();
  const entries = await refusals(catalog);
  expect(entries).toHaveLength(maxEntries + 1);
  const last = saysOf(entries).find((words) => words.includes('more requests'));
  expect(last).toContain(`refused ${1_000 - maxEntries} more requests`);
  expect(last).toContain(`others (${1_000 - maxEntries - 20})`);
});

test('whom the server refuses is counted by account, and those without one together', async () => {
  await using catalog = await openCatalog();
  const { database, workspaceId } = catalog;
  const noting = createRefusals({ database, onUnexpected: console.error });
  const ctx = contextFor(database, serverViewer(workspaceId));
  const refuse = (targetId: string | null) =>
    noting.note(ctx, {
      ...{ activity: 'access_refused', request: 'a sign-in by link', message: 'No.', targetId },
    });
  const ids = [catalog.idOf('viewer'), catalog.idOf('guest'), null];
  for (let turn = 0; turn <= maxEntries; turn += 1) ids.forEach(refuse);
  await noting.settle();
  const entries = await refusals(catalog);
  expect(saysOf(entries)).toEqual([
    ...Array(maxEntries * 3).fill('Headwater refused a sign-in by link: No'),
    ...Array(3).fill('Headwater refused one more request within a minute: a sign-in by link (1)'),
  ]);
  expect(new Set(entries.map(({ activityType }) => activityType))).toEqual(
    new Set(['access_refused', 'refusals_left_out']),
  );
});

test('long names and reasons of requests do not make a long entry', async () => {
  await using catalog = await openCatalog();
  const { database } = catalog;
  const noting = createRefusals({ database, onUnexpected: console.error });
  const message = 'No. '.repeat(100_000);
  for (let turn = 0; turn < maxEntries + 20; turn += 1) {
    const request = `${turn}${'\u{1f511}'.repeat(100_000)}`;
    noting.note(catalog.as('viewer'), { request, message });
  }
  await noting.settle();
  const entries = await refusals(catalog);
  expect(entries).toHaveLength(maxEntries + 1);
  for (const entry of entries) {
    expect(JSON.stringify([entry.changes, entry.eventBlocks]).length).toBeLessThan(10_000);
  }
  // A name of 100 characters is whole.
  noting.note(catalog.as('guest'), { request: 'r'.repeat(100), message: 'No.' });
  noting.note(catalog.as('guest'), { request: 's'.repeat(101), message: 'No.' });
  await noting.settle();
  expect(saysOf(await refusals(catalog)).slice(-2)).toEqual([
    `guest Example was refused ${'r'.repeat(100)}: No`,
    `guest Example was refused ${'s'.repeat(100)}: No`,
  ]);
});

test('a refusal within a transaction that is undone is in the log all the same', async () => {
  await using catalog = await openCatalog();
  const { database } = catalog;
  const noting = createRefusals({ database, onUnexpected: console.error });
  const undone = transaction(catalog.as('viewer'), async (tx) => {
    noting.note(tx, { request: 'createTag', message: 'No.' });
    throw new Error('Undone.');
  });
  await expect(undone).rejects.toThrow('Undone.');
  await noting.settle();
  expect(await refusals(catalog)).toHaveLength(1);
});
