// The stream of the audit log as the operator sets it: over TLS, to a receiver whose certificate is checked.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { type Started, startScript } from '../started.ts';
import { linesOf, startSyslog } from './receivers.ts';

vi.setConfig({ testTimeout: 240_000 });

const folder = mkdtempSync(join(tmpdir(), 'headwater-audit-stream-'));
const runs: Started[] = [];
afterAll(async () => {
  for (const run of runs) await run.stop('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

test('entries come over TLS to who has a certificate that is trusted, and to no one else', async () => {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'],
      ...['-addext', 'subjectAltName=DNS:localhost', '-keyout', key, '-out', certificate],
    ],
    { stdio: 'ignore' },
  );
  await using server = await startSyslog({
    key: readFileSync(key),
    cert: readFileSync(certificate),
  });
  const settings = {
    DATA_DIR: join(folder, 'data'),
    AUDIT_STREAM_URL: `syslogs://localhost:${server.port}`,
    ALLOW_PRIVATE_HOSTS: '127.0.0.1,::1',
  };
  const strange = startScript('start.mjs', settings);
  runs.push(strange);
  await strange.ready();
  await expect
    .poll(() => strange.output(), { timeout: 60_000 })
    .toMatch(/could not be sent to its receiver.*self-signed certificate/);
  expect(server.messages).toEqual([]);
  await strange.stop();
  const trusting = startScript('start.mjs', { ...settings, NODE_EXTRA_CA_CERTS: certificate });
  runs.push(trusting);
  await trusting.ready();
  await expect.poll(() => server.messages.length, { timeout: 60_000 }).toBeGreaterThan(1);
  expect(JSON.parse(linesOf(server.messages)[0] ?? '')).toMatchObject({
    ...{ position: 1, entry: { activity_type: 'user_created', credential: 'SERVER' } },
  });
  expect(await trusting.stop()).toBe(0);
});
