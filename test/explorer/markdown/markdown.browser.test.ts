// Documentation that wants to do harm: it is shown as text, runs nothing and loads nothing.

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Browser, hasBrowser, startBrowser } from '../../browser.ts';
import { type Catalog, openCatalog } from '../../catalog.ts';
import { visit } from '../visit.ts';

vi.setConfig({ testTimeout: 240_000 });

const run = 'window.harmed=1';
const away = 'https://elsewhere.example';

const attacks = [
  `<script>${run}</script>`,
  `<script src="${away}/x.js"></script>`,
  `<img src=x onerror="${run}">`,
  `<img src="${away}/pixel.png">`,
  `<svg onload="${run}">`,
  `<svg><script>${run}</script></svg>`,
  `<svg><animate onbegin="${run}" attributeName=x dur=1s>`,
  `<math><a xlink:href="javascript:${run}">x</a></math>`,
  `<iframe src="javascript:${run}"></iframe>`,
  `<iframe srcdoc="<script>parent.${run}</script>"></iframe>`,
  `<object data="javascript:${run}"></object>`,
  `<embed src="javascript:${run}">`,
  `<base href="${away}/">`,
  `<link rel="stylesheet" href="${away}/x.css">`,
  `<meta http-equiv="refresh" content="0;url=${away}">`,
  `<style>@import "${away}/x.css";</style>`,
  `<div style="background:url(${away}/x.png)">x</div>`,
  `<form action="${away}"><input name=x autofocus onfocus="${run}"></form>`,
  `<details open ontoggle="${run}">x</details>`,
  `<video><source onerror="${run}"></video>`,
  `<body onload="${run}">`,
  `<template><script>${run}</script></template>`,
  `<noscript><p title="</noscript><img src=x onerror=${run}>"></noscript>`,
  `<!--><img src=x onerror=${run}>-->`,
  `<p onclick="${run}">x</p>`,
  `[one](javascript:${run})`,
  `[two](JaVaScRiPt:${run})`,
  `[three](java\nscript:${run})`,
  `[four](&#106;avascript:${run})`,
  `[five](vbscript:${run})`,
  `[six](data:text/html,<script>${run}</script>)`,
  `[seven](\u0001javascript:${run})`,
  `[eight](javascript&colon;${run})`,
  `<javascript:${run}>`,
  `[nine]: javascript:${run}\n\n[nine]`,
  `![ten](javascript:${run})`,
  `![eleven](${away}/pixel.png)`,
  `![twelve" onerror="${run}](x)`,
  `[thirteen](x "y\\" onclick=\\"${run}")`,
  `| a |\n|---|\n| <img src=x onerror=${run}> |`,
  `- [ ] <input onfocus=${run} autofocus>`,
  `~~<b onmouseover=${run}>x</b>~~`,
  `\`\`\`"><script>${run}</script>\nx\n\`\`\``,
  `[^1]\n\n[^1]: <script>${run}</script>`,
];

describe.skipIf(!hasBrowser('Markdown in a browser'))('in a browser', () => {
  let browser: Browser;
  let catalog: Catalog;
  beforeAll(async () => {
    catalog = await openCatalog();
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  test('none of forty attacks runs, loads or leaves a link that does', async () => {
    expect(attacks.length).toBeGreaterThanOrEqual(40);
    const definition = ['# Shown', ...attacks, 'The **end**.'].join('\n\n');
    const { id } = await catalog.resource({
      title: 'harmful',
      definition,
      description: attacks[0],
    });
    await using visited = await visit(browser, {
      base: await catalog.listen(),
      key: catalog.keyOf('admin'),
      path: `/resource/${id}`,
    });
    const { page, elsewhere, problems } = visited;
    const text = page.locator('.markdown');
    await text.locator('strong', { hasText: 'end' }).waitFor();
    // What would run when it is touched.
    for (const link of await text.locator('a').all()) await link.hover();
    await page.waitForTimeout(300);
    expect(await page.evaluate('window.harmed')).toBeUndefined();
    expect(elsewhere).toEqual([]);
    // The policy had nothing to forbid: it is the second wall.
    expect(problems).toEqual([]);
    const found = await text.evaluate((place) => {
      const all = [...place.querySelectorAll('*')];
      return {
        tags: [...new Set(all.map(({ localName }) => localName))],
        attributes: [...new Set(all.flatMap((one) => one.getAttributeNames()))],
        links: all.flatMap((one) => one.getAttribute('href') ?? []),
      };
    });
    const harmful =
      /^(script|img|svg|math|iframe|object|embed|base|link|meta|style|form|video|template)$/;
    expect(found.tags.filter((tag) => harmful.test(tag))).toEqual([]);
    expect(found.attributes.filter((name) => /^on|^style$|^src/.test(name))).toEqual([]);
    expect(found.links.filter((link) => /^\W*(javascript|vbscript|data):/i.test(link))).toEqual([]);
  });

  test('a text that takes too long is shown as it was written, and the page and other texts as ever', async () => {
    const slow = '*_'.repeat(10_000);
    const { id } = await catalog.resource({ kind: 'question', title: 'slow', definition: slow });
    const reply = { kind: 'question_reply', title: 'slow', parentId: id } as const;
    await catalog.resource({ ...reply, definition: slow });
    await catalog.resource({ ...reply, definition: 'A **good** answer.' });
    await using visited = await visit(browser, {
      base: await catalog.listen(),
      key: catalog.keyOf('viewer'),
      path: `/resource/${id}`,
    });
    const { page, problems } = visited;
    const written = page.locator('.as-written');
    await page.locator('.markdown strong', { hasText: 'good' }).waitFor();
    await expect.poll(() => written.count()).toBe(2);
    expect((await written.first().textContent())?.length).toBe(slow.length);
    expect(await page.getByText('This text took too long to format.').count()).toBe(2);
    expect(problems).toEqual([]);
  });

  test('of a long text the beginning is shown, and all of it to who asks', async () => {
    const { id } = await catalog.resource({
      title: 'long',
      definition: `${'word '.repeat(15_000)}\n\nThe **end**.`,
    });
    await using visited = await visit(browser, {
      base: await catalog.listen(),
      key: catalog.keyOf('viewer'),
      path: `/resource/${id}`,
    });
    const { page } = visited;
    await page.getByText('Showing the first 50,000 of 75,014 characters').waitFor();
    const end = page.locator('.markdown strong', { hasText: 'end' });
    expect(await end.count()).toBe(0);
    expect((await page.locator('.markdown').textContent())?.length).toBeLessThanOrEqual(50_001);
    await page.getByRole('button', { name: 'Show all' }).click();
    await end.waitFor();
    expect(await page.getByRole('button', { name: 'Show all' }).count()).toBe(0);
  });
});
