// Ten tasks of a working day in a browser, by pointer and by keyboard alone: each is possible, and what it takes is printed.

import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { hasBrowser, type Page } from '../../browser.ts';
import { root } from '../../house/sources.ts';
import { startPostgres, type TestServer } from '../../servers.ts';
import { type Demo, named, openDemo, waiting, whenKnown } from '../demo.ts';
import { Hand, type Means } from './hand.ts';

vi.setConfig({ testTimeout: 400_000, hookTimeout: 300_000 });

const shop = `
  create schema shop;
  create table shop.orders (id bigint primary key, amount numeric);
  create view shop.large as select id from shop.orders where amount > 100;
  create role reader login password 'only-reads';
  grant usage on schema shop to reader; grant select on all tables in schema shop to reader`;

/** What a task took. */
interface Took {
  readonly task: string;
  readonly clicks: number;
  readonly typed: number;
  readonly seconds: number;
}

describe.skipIf(!hasBrowser('Ten tasks in a browser'))('in a browser', () => {
  let demo: Demo;
  let server: TestServer | null;
  const ids = { orders: '', carts: '', guide: '', dbt: '' };
  beforeAll(async () => {
    server = await startPostgres();
    await server?.run(shop);
    demo = await openDemo({ ALLOW_PRIVATE_HOSTS: '127.0.0.0/8' });
    const { search, carts, guides, integrations } = await demo.ask(
      `{ search(query: "fct_orders", first: 1) { nodes { resource { id } } }
        carts: resources(first: 1, where: { kind: { eq: table }, titleFull: { contains: "main.carts" } }) { nodes { id } }
        guides: resources(first: 1, where: { title: { eq: "Start here" } }) { nodes { id } }
        integrations(first: 20) { nodes { id name } } }`,
    );
    ids.orders = search.nodes[0].resource.id;
    ids.carts = carts.nodes[0].id;
    ids.guide = guides.nodes[0].id;
    ids.dbt = integrations.nodes.find((one: { name: string }) => one.name === 'Shop analytics').id;
  });
  afterAll(async () => {
    await demo?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
  });

  describe.each(['pointer', 'keyboard'] as const)('by %s', (means: Means) => {
    const took: Took[] = [];
    afterAll(() => {
      const lines = took.map(({ task, clicks, typed, seconds }) =>
        [task.padEnd(58), clicks, typed, seconds.toFixed(1)].join('\t'),
      );
      console.log(
        [`by ${means}`, 'clicks', 'fields', 'seconds'].join('\t'),
        `\n${lines.join('\n')}`,
      );
    });

    /** A task from a page on; at most as many presses and fields as it may take. */
    const task = (
      name: string,
      most: { readonly clicks: number; readonly typed: number },
      from: () => string,
      act: (hand: Hand, page: Page) => Promise<void>,
    ) =>
      test(name, async () => {
        await using visited = await demo.open({ path: from() });
        const { page, problems } = visited;
        await whenKnown(page);
        const hand = new Hand(page, means);
        const began = performance.now();
        await act(hand, page);
        const { clicks, typed } = hand;
        took.push({ task: name, clicks, typed, seconds: (performance.now() - began) / 1000 });
        expect(
          { clicks: clicks <= most.clicks, typed: typed <= most.typed, problems },
          `${clicks} clicks, ${typed} fields`,
        ).toEqual({
          ...{ clicks: true, typed: true, problems: [] },
        });
      });

    const ofTable = (tab = '') => `/resource/${ids.orders}${tab}`;
    const lineageOfColumn = (page: Page) =>
      page
        .getByRole('row', { name: /^order_id/ })
        .getByRole('link')
        .nth(1);
    const rail = (page: Page) =>
      page.getByRole('complementary').getByRole('navigation', { name: 'Main' });

    task(
      'find by half a name, and understand',
      { clicks: 0, typed: 1 },
      () => '/',
      async (hand, page) => {
        await hand.type(page.getByRole('combobox', { name: 'Search the catalog' }), 'fct_ordrs');
        await page
          .getByRole('option', { name: /fct_orders/ })
          .first()
          .waitFor(waiting);
        await page.keyboard.press('Enter');
        await page.getByRole('heading', { name: 'fct_orders', level: 1 }).waitFor(waiting);
        await page.getByText('One row per placed order with its worth in euro.').waitFor(waiting);
        await page
          .getByRole('navigation', { name: 'Summary' })
          .getByText('1,742,118')
          .waitFor(waiting);
      },
    );

    task(
      'a column is dropped: what breaks, and whom to notify',
      { clicks: 1, typed: 0 },
      ofTable,
      async (hand, page) => {
        await hand.press(lineageOfColumn(page));
        const aside = page.getByRole('complementary', { name: 'Impact' });
        await aside.getByText('Owners to notify:').waitFor(waiting);
      },
    );

    task(
      'lineage of a column: three steps, filter, time, share',
      { clicks: 6, typed: 0 },
      ofTable,
      async (hand, page) => {
        await hand.press(lineageOfColumn(page));
        await hand.pick(page.getByLabel('Steps'), '3');
        await hand.press(page.locator('summary', { hasText: 'Kinds' }));
        await hand.press(page.getByRole('checkbox', { name: 'chart' }));
        await hand.press(page.locator('.time summary'));
        await hand.keys(page.getByRole('slider').first(), 'ArrowLeft');
        const view = new URL(page.url()).searchParams;
        expect([view.get('steps'), view.get('only')]).toEqual(['3', '1']);
      },
    );

    task(
      'connect PostgreSQL, and see its tables',
      { clicks: 4, typed: 6 },
      () => '/',
      async (hand, page) => {
        await hand.press(rail(page).getByRole('link', { name: 'Sources' }));
        await hand.press(page.getByRole('link', { name: 'New source' }));
        const fields = {
          ...{ Name: named('Shop'), Host: '127.0.0.1', 'Port (optional)': String(server?.port) },
          ...{ Database: 'postgres', User: 'reader', 'Password (optional)': 'only-reads' },
        };
        for (const [label, text] of Object.entries(fields)) {
          await hand.type(page.getByLabel(label, { exact: true }), text);
        }
        await hand.press(page.getByRole('button', { name: 'Save and test connection' }));
        await page.getByText('Connection works').waitFor(waiting);
        await hand.press(page.getByRole('button', { name: 'Sync now' }));
        await page.getByText('queued').first().waitFor(waiting);
        await demo.work();
        await page.getByRole('link', { name: /^Browse \d+ tables?$/ }).waitFor(waiting);
      },
    );

    task(
      'a dbt project is uploaded',
      { clicks: 3, typed: 0 },
      () => `/imports/${ids.dbt}`,
      async (hand, page) => {
        await hand.give(
          page.getByLabel(/Drop files here/),
          ['manifest.json', 'catalog.json'].map((name) => join(root, 'prisma/demo/project', name)),
        );
        await hand.press(page.getByRole('button', { name: 'Preview changes' }));
        await hand.press(page.getByRole('button', { name: /^Import/ }));
        await demo.work();
        await page
          .getByRole('region', { name: 'Uploads' })
          .getByText(/^Imported/)
          .waitFor(waiting);
      },
    );

    task(
      'a monitor is made, breaks, and is followed to the end',
      { clicks: 9, typed: 3 },
      () => `/resource/${ids.carts}`,
      async (hand, page) => {
        await hand.press(page.getByRole('link', { name: /^Quality/ }));
        await hand.press(page.getByRole('link', { name: 'Add monitor' }));
        await hand.tick(page.getByRole('radio', { name: 'Manual' }));
        await hand.type(page.getByLabel('Maximum'), '1');
        const name = named('Carts');
        await hand.type(page.getByLabel(/^Name/), name);
        await hand.press(page.getByRole('button', { name: 'Create monitor' }));
        await page.getByRole('heading', { name, level: 1 }).waitFor(waiting);
        await hand.press(page.getByRole('button', { name: 'Run now' }));
        await page.getByRole('button', { name: 'Running …' }).waitFor(waiting);
        await demo.work();
        await hand.press(
          page
            .locator('main')
            .getByRole('link', { name: /above 1/ })
            .first(),
        );
        await hand.press(page.getByRole('button', { name: 'Acknowledge' }));
        await hand.type(page.getByRole('textbox', { name: 'Comment' }), 'The till sent cents.');
        await hand.press(page.getByRole('button', { name: 'Add comment' }));
        await hand.press(page.getByRole('button', { name: 'Resolve' }));
        await page.getByRole('button', { name: 'Reopen' }).waitFor(waiting);
      },
    );

    task(
      'documentation is written, and a version restored',
      { clicks: 4, typed: 1 },
      () => `/documents/${ids.guide}`,
      async (hand, page) => {
        await hand.press(page.getByRole('button', { name: 'Edit' }));
        const text = named('Read this first');
        await hand.type(page.getByRole('textbox', { name: 'Documentation' }), text);
        await page.keyboard.press('Control+s');
        await page.getByRole('button', { name: 'Edit' }).waitFor(waiting);
        await page.getByText(text).waitFor(waiting);
        await hand.press(page.getByRole('link', { name: 'Versions' }));
        const versions = page.getByRole('navigation', { name: 'Versions' });
        await hand.press(versions.locator('button, a').nth(1));
        await hand.press(page.getByRole('button', { name: /^Restore version/ }));
      },
    );

    task(
      'a question is asked, answered, and the answer accepted',
      { clicks: 5, typed: 2 },
      () => ofTable('?tab=questions'),
      async (hand, page) => {
        await hand.press(page.locator('summary', { hasText: 'Ask a question' }));
        const asked = named('Is tax in it?');
        await hand.type(page.getByLabel('Question', { exact: true }), asked);
        await hand.press(page.getByRole('button', { name: 'Ask question', exact: true }));
        const question = page.getByRole('group').filter({ hasText: asked });
        await hand.press(question.locator('summary').first());
        await hand.type(question.getByLabel('Reply', { exact: true }), 'It is not.');
        await hand.press(question.getByRole('button', { name: 'Send reply' }));
        await hand.press(question.getByRole('button', { name: 'Accept answer' }));
        await question.getByText('answered', { exact: true }).waitFor(waiting);
      },
    );

    task(
      'a person is invited, and a team made',
      { clicks: 7, typed: 2 },
      () => '/',
      async (hand, page) => {
        await hand.press(rail(page).getByRole('link', { name: 'Settings' }));
        await hand.press(page.getByRole('link', { name: 'Invite people' }));
        const side = page.locator('.side');
        await hand.type(
          side.getByLabel('Email'),
          `${named('noa').replace(' ', '.')}@harbor.example`,
        );
        await hand.pick(side.getByLabel('Role'), 'editor');
        await hand.press(side.getByRole('button', { name: 'Create invitation' }));
        await hand.press(page.getByRole('dialog').getByRole('button', { name: 'Done' }));
        await hand.press(page.getByRole('link', { name: 'Teams', exact: true }));
        await hand.press(page.getByRole('link', { name: 'New team' }));
        const team = named('Auditors');
        await hand.type(side.getByLabel('Name'), team);
        await page.keyboard.press('Enter');
        await page.getByRole('row').getByRole('link', { name: team }).waitFor(waiting);
      },
    );

    task('who changed what', { clicks: 1, typed: 0 }, ofTable, async (hand, page) => {
      await hand.press(
        page
          .getByRole('navigation', { name: 'Summary' })
          .getByRole('link', { name: /^Last change/ }),
      );
      await page.getByRole('heading', { name: 'Version history' }).waitFor(waiting);
    });
  });
});
