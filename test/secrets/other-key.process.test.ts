// A start with another SECRETS_KEY: it says what can't be opened and what to do, and what it says works.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { type Started, startScript } from '../started.ts';

vi.setConfig({ testTimeout: 240_000 });

const first = 'first-key-of-thirty-two-characters';
const second = 'second-key-of-thirty-two-characters';

const folder = mkdtempSync(join(tmpdir(), 'headwater-other-key-'));
let started: Started | undefined;
afterAll(async () => {
  await started?.stop('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** Start the server with these keys, in place of the one that runs; how to ask it as an admin. */
async function startWith(secretsKey: string) {
  await started?.stop();
  started = startScript('start.mjs', { DATA_DIR: folder, SECRETS_KEY: secretsKey });
  const base = await started.ready();
  const authorization = `Bearer ${key ?? (await started.key())}`;
  key = authorization.slice('Bearer '.length);
  return async (query: string) => {
    const response = await fetch(`${base}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization },
      body: JSON.stringify({ query }),
    });
    return response.json();
  };
}
let key: string | undefined;

/** What the credentials are asked for in the test: they must be opened before the host is looked at. */
const tried = (id: string) => `mutation { testConnection(integrationId: "${id}") { ok } }`;

test('it names what cannot be opened and says what to do, which works', async () => {
  const ask = await startWith(first);
  const made = await ask(`mutation {
    createIntegration(type: "postgres", input: { name: "Warehouse", credentials: {
      host: "127.0.0.1", database: "shop", user: "headwater", password: "canary" } }) { id }
    createWebhook(input: { name: "Pager", url: "https://example.com/hook",
      events: [incident_opened] }) { webhook { id } }
  }`);
  expect(made.errors).toBeUndefined();
  const { id } = made.data.createIntegration;
  expect((await ask(tried(id))).errors).toBeUndefined();

  const other = await startWith(second);
  for (const what of [
    'The credentials of integrations Warehouse',
    'The secrets of webhooks Pager',
  ]) {
    await expect
      .poll(() => started?.output())
      .toContain(
        `${what} can't be opened: they were encrypted with another SECRETS_KEY. ` +
          'Start with both keys, the new one first (SECRETS_KEY=new,old), or enter them again.',
      );
  }
  const refused = await other(tried(id));
  expect(refused.errors[0].extensions.code).toBe('CONFLICT');
  expect(refused.errors[0].message).toMatch(
    /another SECRETS_KEY: .*both keys.*or enter .* again\.$/,
  );

  const both = await startWith(`${second},${first}`);
  for (const what of ['The credentials of integrations', 'The secrets of webhooks']) {
    const done = `${what} are encrypted with the new SECRETS_KEY: 1.`;
    await expect.poll(() => started?.output()).toContain(done);
  }
  expect(started?.output()).not.toContain("can't be opened");
  expect((await both(tried(id))).errors).toBeUndefined();

  // From then on the old key is needed by nothing.
  const last = await startWith(second);
  expect(started?.output()).not.toContain("can't be opened");
  expect((await last(tried(id))).errors).toBeUndefined();
});
