// Keys and webhooks over REST: made, replaced and ended there, and no list shows what they are secret for.

import { expect, test } from 'vitest';
import { openCatalog } from '../catalog.ts';

const catalog = await openCatalog();
await catalog.app({ ALLOW_PRIVATE_HOSTS: '127.0.0.0/8' });
const { rest } = catalog;

test('a key made over REST works within its scopes, is replaced with an overlap, and ends', async () => {
  const body = { name: 'Dashboard', scopes: ['READ'], expires_at: '2999-01-01T00:00:00Z' };
  const made = await rest('POST', '/auth/api_keys', { body });
  expect([made.status, made.body.api_key.expires_at]).toEqual([201, '2999-01-01T00:00:00.000Z']);
  const caller = { key: made.body.key };
  expect((await rest('GET', '/tag', { caller })).status).toBe(200);
  expect((await rest('POST', '/tag', { body: { name: 'x' }, caller })).status).toBe(403);
  expect((await rest('GET', '/auth/api_keys', { caller })).status).toBe(403);

  const path = `/auth/api_keys/${made.body.api_key.id}`;
  const next = await rest('POST', `${path}/rotate`, { body: { overlap_hours: 1 } });
  expect(next.body.api_key).toMatchObject({ name: 'Dashboard', scopes: ['READ'] });
  expect((await rest('GET', '/tag', { caller })).status).toBe(200);
  expect((await rest('GET', '/tag', { caller: { key: next.body.key } })).status).toBe(200);

  expect((await rest('DELETE', path)).status).toBe(204);
  expect((await rest('GET', '/tag', { caller })).status).toBe(401);
  const refused = await rest('POST', `${path}/rotate`, { body: {} });
  expect([refused.status, refused.body.detail]).toEqual([
    409,
    'The key has ended: make another one.',
  ]);

  const { text, body: list } = await rest('GET', '/auth/api_keys');
  expect(list.results.find((one: { id: string }) => path.endsWith(one.id)).revoked_at).toBeTruthy();
  for (const { key } of [made.body, next.body]) expect(text).not.toContain(key);
});

test('people make and see keys of their own alone, and wrong fields are named', async () => {
  const caller = { key: catalog.keyOf('viewer') };
  const own = await rest('POST', '/auth/api_keys', { body: { name: 'Notebook' }, caller });
  expect([own.status, own.body.api_key.scopes]).toEqual([201, ['READ']]);
  const seen = await rest('GET', '/auth/api_keys', { caller });
  const users = seen.body.results.map((one: { user_id: string }) => one.user_id);
  expect(new Set(users)).toEqual(new Set([own.body.api_key.user_id]));
  const other = { name: 'Other', user_id: catalog.admin.viewer.id };
  expect((await rest('POST', '/auth/api_keys', { body: other, caller })).status).toBe(403);
  const wrong = { name: 'x', scopes: ['READ'], integration_id: own.body.api_key.id };
  const answer = await rest('POST', '/auth/api_keys', { body: wrong });
  expect([answer.status, answer.body.errors[0].field]).toEqual([400, 'integration_id']);
});

test('a webhook is made, changed, given another secret and deleted; no answer repeats a secret', async () => {
  const body = { name: 'Relay', url: 'http://127.0.0.1:9/hook', events: ['job_failed'] };
  const made = await rest('POST', '/webhooks', { body });
  expect([made.status, made.body.secret.slice(0, 6)]).toEqual([201, 'whsec_']);
  const path = `/webhooks/${made.body.webhook.id}`;
  const stale = await rest('PATCH', path, {
    body: { is_enabled: false },
    headers: { 'if-match': '"7"' },
  });
  expect(stale.status).toBe(412);
  const changed = await rest('PATCH', path, { body: { is_enabled: false } });
  expect(changed.body).toMatchObject({ name: 'Relay', is_enabled: false, events: ['job_failed'] });
  const rolled = await rest('POST', `${path}/rotate_secret`, { body: { overlap_hours: 0 } });
  expect(rolled.body.secret).not.toBe(made.body.secret);
  expect(rolled.body.webhook.previous_until).toBeNull();
  const read = await rest('GET', path);
  const list = await rest('GET', '/webhooks');
  for (const { secret } of [made.body, rolled.body]) {
    expect(read.text + list.text).not.toContain(secret);
  }
  expect((await rest('DELETE', path)).status).toBe(204);
  expect((await rest('GET', path)).status).toBe(404);
});
