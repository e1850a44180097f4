// A server that is restarted under open pages: they say so, come back by themselves, and go on being live.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { freePort } from '../../scripts/free-port.mjs';
import { type Browser, hasBrowser, startBrowser } from '../browser.ts';
import { type Started, startScript } from '../started.ts';
import { waiting } from './demo.ts';
import { visit } from './visit.ts';

/** A start takes seconds of CPU, which others may want as well. */
const started = { timeout: 120_000 };
vi.setConfig({ testTimeout: 300_000, hookTimeout: 180_000 });

const away = 'Can’t reach the server. Reconnecting';

describe.skipIf(!hasBrowser('A restart in a browser'))('in a browser', () => {
  let browser: Browser;
  let folder: string;
  let port: number;
  let server: Started;
  let base: string;
  let key: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'headwater-restart-'));
    port = await freePort();
    server = start();
    base = await server.ready();
    key = await server.key();
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });

  // What a first try stopped, a second one finds running.
  beforeEach(async () => {
    if (server.child.exitCode === null && server.child.signalCode === null) return;
    server = start();
    await server.ready();
  });

  /** The server as a process of its own, on the same port and data each time. */
  const start = () =>
    startScript('start.mjs', { DATA_DIR: join(folder, 'data'), PORT: String(port) });

  async function ask(query: string, variables: object = {}) {
    const answer = await fetch(`${base}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors } = await answer.json();
    expect(errors).toBeUndefined();
    return data;
  }

  const upload = (id: string, name: string) =>
    ask(
      'mutation ($id: ID!, $content: String!) { importCsv(integrationId: $id, content: $content) { created } }',
      { id, content: `database,schema,name,col_name\nd,s,${name},id\n` },
    );

  test.each(['SIGTERM', 'SIGKILL'] as const)(
    'a page outlives a server that %s ends: what is written stays, and what happens is seen',
    async (signal) => {
      const { createIntegration } = await ask(
        'mutation ($input: CreateIntegrationInput!) { createIntegration(type: "custom", input: $input) { id } }',
        { input: { name: `Until ${signal}` } },
      );
      await upload(createIntegration.id, 'orders');
      const { resources } = await ask(
        'query ($id: ID!) { resources(first: 1, where: { integrationId: { eq: $id }, kind: { eq: table } }) { nodes { id } } }',
        { id: createIntegration.id },
      );
      const table = resources.nodes[0].id;

      await using watching = await visit(browser, {
        ...{ base, key, path: `/imports/${createIntegration.id}` },
      });
      await using writing = await visit(browser, { base, key, path: `/resource/${table}` });
      const jobs = watching.page.locator('.jobs > li');
      await expect.poll(() => jobs.count(), waiting).toBe(1);
      await writing.page.getByRole('button', { name: 'Add documentation' }).click();
      const text = writing.page.getByRole('textbox', { name: 'Documentation' });
      await text.fill('Half of it');

      await server.stop(signal);
      // No one touches the page: it learns of it from the connection that is cut.
      await watching.page.getByText(away).waitFor(started);
      await text.fill('Half of it, and the rest');
      await writing.page.getByRole('button', { name: 'Save' }).click();
      await writing.page.getByText('Not saved. Your text is kept in this tab.').waitFor(started);
      expect(await text.inputValue()).toBe('Half of it, and the rest');

      server = start();
      expect(await server.ready()).toBe(base);
      await expect.poll(() => watching.page.getByText(away).count(), started).toBe(0);
      await expect.poll(() => jobs.count(), started).toBe(1);
      // The page was not loaded again, and is live.
      await upload(createIntegration.id, 'refunds');
      await expect.poll(() => jobs.count(), started).toBe(2);
      await jobs.first().getByText('succeeded').waitFor(started);
      expect(
        watching.files.filter((file) => file.endsWith(`/imports/${createIntegration.id}`)),
      ).toHaveLength(1);

      await writing.page.getByRole('button', { name: 'Save' }).click();
      await writing.page.getByRole('button', { name: 'Edit', exact: true }).waitFor(started);
      const { resource } = await ask('query ($id: ID!) { resource(id: $id) { definition } }', {
        id: table,
      });
      expect(resource.definition).toBe('Half of it, and the rest');
      expect([...watching.problems, ...writing.problems]).toEqual([]);
    },
  );
});
