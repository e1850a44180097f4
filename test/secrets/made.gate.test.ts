// A secret that the server makes, and that of an OpenID client, is where it is shown once and nowhere else.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { freePort } from '../../scripts/free-port.mjs';
import { type HttpFake, startFake } from '../integrations/connectors/http-fake.ts';
import { type Started, startScript } from '../started.ts';
import { type Canary, canary, leaksIn, madeSecret } from './canaries.ts';
import { known } from './drive.ts';
import { said, startProviderEcho } from './echoes.ts';
import { failAtProvider, type Made, makeSecrets, signInAndOut } from './made.ts';
import { dumpOf, filesOf } from './stored.ts';
import { openVisitor, type Visitor } from './visitor.ts';

const client = canary('the secret of an OpenID client', (core) => `"${core}'\\/+&=%: {*`);
const folder = mkdtempSync(join(tmpdir(), 'headwater-made-'));
const dataDir = join(folder, 'data');
const runs: Started[] = [];
const all: Canary[] = [client];
const answers: string[] = [];
let printed = '';
let visitor: Visitor;
let provider: HttpFake;
let receiver: HttpFake & { told: string };

/** Start a server as on a terminal, where it shows its key and a link that signs in. */
function start(env: Readonly<Record<string, string>>): Started {
  const terminal = '--import data:text/javascript,process.stdout.isTTY=true';
  const started = startScript('start.mjs', {
    DATA_DIR: dataDir,
    LOG_LEVEL: 'debug',
    SLOW_STATEMENT_MS: '1',
    SECRETS_KEY: 'a-master-key-of-thirty-two-characters',
    ALLOW_PRIVATE_HOSTS: '127.0.0.0/8',
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} ${terminal}`,
    ...env,
  });
  runs.push(started);
  return started;
}

/** The file of a provider whose secret is in a variable. */
function signInFile(): string {
  const path = join(folder, 'sign-in.yaml');
  const issuer = `http://127.0.0.1:${provider.port}`;
  const one = { id: 'company', name: 'Work account', issuer, clientId: 'headwater' };
  writeFileSync(
    path,
    JSON.stringify({ providers: [{ ...one, clientSecretEnv: 'COMPANY_SECRET' }] }),
  );
  return path;
}

function keep({ secrets, answers: some }: Made): void {
  all.push(...secrets);
  answers.push(...some);
}

beforeAll(async () => {
  provider = await startProviderEcho();
  const told = { told: '' };
  const fake = await startFake(() => ({ status: 500, body: said(`Bearer ${told.told}`) }));
  receiver = Object.assign(told, fake);
  const PORT = String(await freePort());
  const started = start({
    ...{ PORT, PUBLIC_URL: `http://127.0.0.1:${PORT}`, COMPANY_SECRET: client.secret },
    SIGN_IN_FILE: signInFile(),
  });
  const address = await started.ready();
  const shown = () => /#code=([\w-]+)/.exec(started.output())?.[1] ?? '';
  await vi.waitFor(() => expect(shown()).not.toBe(''), { timeout: 10_000 });
  const key = /hwk_\w+/.exec(started.output())?.[0] ?? '';
  all.push(madeSecret('the key of the first admin', key));
  visitor = openVisitor(address, key);
  keep(await failAtProvider(address, provider));
  keep(await makeSecrets(visitor, address, receiver));
  keep(await signInAndOut(visitor, address, shown()));
  await visitor.readEverything(await known(visitor));
  // Refusals are noted in the audit log a moment later.
  await sleep(1_500);
  await started.stop();
  // The link and the key of the terminal are shown in these two places.
  printed = started.output().replace(`#code=${shown()}`, '').replace(key, '');
}, 300_000);

afterAll(async () => {
  for (const run of runs) await run.stop('SIGKILL');
  await provider?.[Symbol.asyncDispose]();
  await receiver?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

test('the secrets were used: there are as many as are made, and those who were sent them sent them back', () => {
  expect(all.map(({ name }) => name)).toEqual([
    'the secret of an OpenID client',
    'the key of the first admin',
    'the code of a provider',
    'the verifier of a sign-in',
    'a key',
    'a revoked key',
    'the secret of a webhook',
    'the next secret of that webhook',
    'a one-time code',
    'a session',
  ]);
  for (const { name, core } of all) expect(core.length, name).toBe(32);
  const token = provider.asked.find(({ url }) => url.pathname === '/token');
  const login = Buffer.from(token?.headers.authorization?.slice(6) ?? '', 'base64').toString();
  expect(decodeURIComponent(login.replaceAll('+', '%20'))).toBe(`headwater:${client.secret}`);
  expect(receiver.asked.length).toBe(2);
  expect(visitor.received.length).toBeGreaterThan(150);
  expect(printed).toContain('A sign-in by company was refused');
});

test('no answer reveals a secret, but the one that shows it', () => {
  // The first line is what was asked.
  const heard = visitor.received.map((text) => text.slice(text.indexOf('\n')));
  const leaks = [...heard, ...answers].flatMap((text) =>
    leaksIn(text, all).map((leak) => `${leak}: ${text.slice(0, 300)}`),
  );
  expect(leaks).toEqual([]);
});

test('nothing that was printed reveals a secret, but the link and the key of the terminal', () => {
  expect(leaksIn(printed, all)).toEqual([]);
});

test('nothing that is stored reveals a secret', async () => {
  for (const [path, bytes] of filesOf(dataDir)) {
    expect(leaksIn(bytes, all).map((leak) => `${leak} in ${path}`)).toEqual([]);
  }
  const stored = await dumpOf(dataDir, null);
  for (const word of ['webhook_secret_rotated', 'api_key_revoked', 'session_started']) {
    expect(stored).toContain(word);
  }
  expect(leaksIn(stored, all)).toEqual([]);
});
