// Credentials at rest: what opens them, and what does not.

import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  openCredentials,
  rewrapCredentials,
  sealCredentials,
} from '../../src/integrations/credentials.ts';
import { updateIntegration } from '../../src/integrations/integration.ts';
import { rewrap, seal, unseal } from '../../src/secrets/envelope.ts';
import { keyRing, type MasterKey } from '../../src/secrets/master-key.ts';
import { openCatalog } from '../catalog.ts';
import { secretsKey } from '../surroundings.ts';

const key = (id: string): MasterKey => ({ id, key: randomBytes(32) });
const [one, two] = [key('one'), key('two')];

test('an envelope opens with its key and its owner only', () => {
  const envelope = seal(one, 'mine', '{"password":"plain as day"}');
  expect(envelope).not.toContain('plain');
  expect(Buffer.from(envelope.split(':')[3] ?? '', 'base64').toString('latin1')).not.toContain(
    'plain',
  );
  expect(unseal([two, one], 'mine', envelope)).toBe('{"password":"plain as day"}');
  expect(unseal([two], 'mine', envelope)).toBeNull();
  expect(() => unseal([one], 'yours', envelope)).toThrow();
  expect(() => unseal([{ ...two, id: 'one' }], 'mine', envelope)).toThrow();
});

test('two envelopes of one text have nothing in common', () => {
  const [a, b] = [seal(one, 'mine', 'x').split(':'), seal(one, 'mine', 'x').split(':')];
  expect(a[2]).not.toBe(b[2]);
  expect(a[3]).not.toBe(b[3]);
});

test('a bit that is changed anywhere is noticed', () => {
  const parts = seal(one, 'mine', 'text').split(':');
  for (const part of [2, 3]) {
    const bytes = Buffer.from(parts[part] ?? '', 'base64');
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const envelope = parts.with(part, changed.toString('base64')).join(':');
      expect(() => unseal([one], 'mine', envelope)).toThrow();
    }
  }
});

test('a new master key takes an envelope over without its text being sealed again', () => {
  const before = seal(one, 'mine', 'text');
  const after = rewrap([two, one], 'mine', before);
  expect(after?.split(':')[1]).toBe('two');
  expect(after?.split(':')[3]).toBe(before.split(':')[3]);
  expect(unseal([two], 'mine', after ?? '')).toBe('text');
  expect(rewrap([two, one], 'mine', after ?? '')).toBe(after);
  expect(rewrap([two], 'mine', before)).toBeNull();
});

test('the credentials of one integration do not open for another, nor in another workspace', async () => {
  await using catalog = await openCatalog();
  const other = await catalog.another();
  const { admin } = catalog;
  const a = await catalog.integration({ type: 'postgres' });
  const b = await catalog.integration({ type: 'postgres' });
  const c = await other.integration({ type: 'postgres' });
  const sealed = await sealCredentials(admin, a.id, { password: 'secret' });
  for (const { workspaceId, id } of [a, b, c]) {
    await catalog.database.prisma.integration.update({
      where: { workspaceId_id: { workspaceId, id } },
      data: { credentials: sealed },
    });
  }
  expect(await openCredentials(admin, a.id)).toEqual({ password: 'secret' });
  await expect(openCredentials(admin, b.id)).rejects.toThrow();
  await expect(openCredentials(other.admin, c.id)).rejects.toThrow();
  await expect(openCredentials(other.admin, a.id)).rejects.toThrow('not found');
});

test('credentials are replaced whole, and cleared by an empty object', async () => {
  await using catalog = await openCatalog();
  const { admin } = catalog;
  const { id } = await catalog.integration({ type: 'postgres' });
  await updateIntegration(admin, id, { credentials: { host: 'a', password: 'b' } });
  await updateIntegration(admin, id, { credentials: { host: 'c' } });
  expect(await openCredentials(admin, id)).toEqual({ host: 'c' });
  await updateIntegration(admin, id, { name: 'left alone' });
  expect(await openCredentials(admin, id)).toEqual({ host: 'c' });
  await updateIntegration(admin, id, { credentials: {} });
  expect(await openCredentials(admin, id)).toEqual({});
});

test('after a change of the master key all is sealed under the new one', async () => {
  await using catalog = await openCatalog({ alone: true });
  const { admin, database, surroundings } = catalog;
  const { id } = await catalog.integration({ type: 'postgres', name: 'Warehouse' });
  await updateIntegration(admin, id, { credentials: { password: 'secret' } });
  const next = 'another-key-another-key-another-key';

  surroundings.masterKeys = keyRing({ secretsKey: next, dataDir: '' });
  await expect(openCredentials(admin, id)).rejects.toThrow('SECRETS_KEY');
  expect(await rewrapCredentials(database, surroundings.masterKeys)).toEqual({
    rewrapped: 0,
    unknown: ['Warehouse'],
  });

  surroundings.masterKeys = keyRing({ secretsKey: `${next},${secretsKey}`, dataDir: '' });
  expect(await openCredentials(admin, id)).toEqual({ password: 'secret' });
  expect(await rewrapCredentials(database, surroundings.masterKeys)).toEqual({
    rewrapped: 1,
    unknown: [],
  });
  expect(await rewrapCredentials(database, surroundings.masterKeys)).toEqual({
    rewrapped: 0,
    unknown: [],
  });

  surroundings.masterKeys = keyRing({ secretsKey: next, dataDir: '' });
  expect(await openCredentials(admin, id)).toEqual({ password: 'secret' });
  // Once, by the server, without anything of the secret.
  const entries = await database.prisma.auditLog.findMany({
    where: { activityType: 'secrets_resealed' },
  });
  expect(entries).toMatchObject([
    {
      ...{ performerType: 'SYSTEM', performerId: null, credential: 'SERVER', requestId: null },
      ...{ workspaceId: catalog.workspaceId, relatedResourceIds: [id] },
      relatedResourceType: 'integration',
      changes: [{ field: 'masterKeyId', before: null }],
    },
  ]);
  expect(JSON.stringify(entries, (_, value) => (typeof value === 'bigint' ? 0 : value))).toContain(
    'Headwater encrypted the credentials of integrations with the new SECRETS_KEY: 1',
  );
});

test('without a key of the operator a file is made that only its owner may read', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'headwater-key-'));
  try {
    const dataDir = join(folder, 'data');
    const one = keyRing({ secretsKey: undefined, dataDir });
    const two = keyRing({ secretsKey: undefined, dataDir });
    const [made] = one();
    expect(two()[0].id).toBe(made.id);
    const path = join(dataDir, 'secrets.key');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await readFile(path, 'utf8')).trim().length).toBeGreaterThanOrEqual(43);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('a key file that cannot be made is said, and nothing is sealed', async () => {
  await using catalog = await openCatalog({ alone: true });
  const { admin, database, surroundings } = catalog;
  surroundings.masterKeys = keyRing({ secretsKey: undefined, dataDir: '/dev/null/data' });
  const { id } = await catalog.integration({ type: 'postgres' });
  const update = updateIntegration(admin, id, { credentials: { password: randomUUID() } });
  await expect(update).rejects.toThrow('SECRETS_KEY');
  const stored = await database.prisma.integration.findFirst({ where: { id } });
  expect(stored?.credentials).toBeNull();
});
