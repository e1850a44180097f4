// A picture of lineage in the frame of somebody else's page, in a real browser; no other page of ours shows there.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Browser, hasBrowser, startBrowser } from '../../browser.ts';
import { type Catalog, openCatalog } from '../../catalog.ts';

describe.skipIf(!hasBrowser('Pictures in frames'))('in a browser', () => {
  let catalog: Catalog;
  let browser: Browser;
  let wiki: Server;
  let framed = '';
  beforeAll(async () => {
    catalog = await openCatalog();
    browser = await startBrowser();
    wiki = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(`<h1>Wiki</h1><iframe src="${framed}" width="900" height="300"></iframe>`);
    });
    await new Promise<void>((resolve) => {
      wiki.listen(0, '127.0.0.1', resolve);
    });
  });
  afterAll(async () => {
    await browser?.close();
    wiki?.close();
    await catalog?.[Symbol.asyncDispose]();
  });

  test('a wiki shows the picture and no other page', async () => {
    const base = await catalog.listen();
    const [raw, orders] = [
      await catalog.resource({ title: 'raw' }),
      await catalog.resource({ title: 'orders' }),
    ];
    const { data } = await catalog.graphql(
      `mutation { createLineage(input: { fromId: "${raw.id}", toId: "${orders.id}" }) { id }
        embedLineage(input: { resourceId: "${orders.id}" }) { url } }`,
    );
    const { port } = wiki.address() as AddressInfo;
    const page = await browser.newPage();
    const open = async (address: string) => {
      framed = base + address;
      await page.goto(`http://127.0.0.1:${port}/`);
      return page.frameLocator('iframe');
    };
    const picture = await open(data.embedLineage.url);
    await picture.getByRole('img', { name: 'Lineage' }).waitFor();
    await picture.getByText('orders', { exact: true }).last().waitFor();
    await picture.getByText('raw', { exact: true }).last().waitFor();
    expect(await picture.locator('path').count()).toBe(1);

    const said: string[] = [];
    page.on('console', (message) => said.push(message.text()));
    await open('/');
    await expect.poll(() => said.join('\n')).toContain('frame-ancestors');
    await page.close();
  });
});
