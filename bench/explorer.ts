// Measures what the pages of the explorer cost in a browser, against the limits that people feel.
//
//   npm run bench -- explorer [--tables 100000] [--navigations 200]
//
// It prints the bytes of the first load and of each further page, the first paint over a slow line, the longest task
// while a picture of 2,000 cards is moved, what many navigations leave in memory, and how long lists are. It needs
// Chromium, and what `npm run tools` installs.

import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { packagedUrl } from '../src/database/attach.ts';
import { seeingEvery } from '../src/database/connections/session-settings.ts';
import {
  type Browser,
  type CDPSession,
  hasBrowser,
  type Page,
  startBrowser,
} from '../test/browser.ts';
import { bar, printBars } from './bars.ts';
import { type ImportServer, startImportServer } from './import-server.ts';

const { values } = parseArgs({
  options: {
    tables: { type: 'string', default: '100000' },
    navigations: { type: 'string', default: '200' },
  },
});
const tables = Number(values.tables);
const columns = 2_000;
const tags = 500;
const cards = 2_000;
const patience = { timeout: 120_000 };

const pages = [
  ...[
    '/',
    '/browse',
    '/documents',
    '/glossary',
    '/questions',
    '/monitors',
    '/incidents',
    '/impact',
  ],
  ...['/imports', '/imports/new', '/monitors/new', '/audit', '/admin', '/sessions', '/search?q=t'],
];

interface Filled {
  readonly schema: string;
  readonly wide: string;
  readonly hub: string;
}

async function main(): Promise<void> {
  if (!hasBrowser('The bench of the explorer')) return;
  const dataDir = await mkdtemp(join(tmpdir(), 'headwater-explorer-bench-'));
  const server = await startImportServer({ dataDir, databaseUrl: undefined });
  const client = new pg.Client({ connectionString: seeingEvery(packagedUrl(dataDir)) });
  client.on('error', (error) => console.error(error.message));
  const browser = await startBrowser();
  try {
    await client.connect();
    const filled = await fill(client);
    await measureBytes(browser, server, filled);
    await measurePaint(browser, server);
    await measurePanning(browser, server, filled);
    await measureNavigations(browser, server);
    await measureLists(browser, server, filled);
  } finally {
    await browser.close();
    await client.end();
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
  printBars();
}

/** A schema of many tables, one of them wide, a hub that many tables are made from, and many tags. */
async function fill(client: pg.Client): Promise<Filled> {
  const [database, schema, wide, hub] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  await client.query(
    `with place as (select id as workspace_id from workspace order by created_at limit 1),
      named (id, kind, title, full_title, parent_id) as (
        select $1::uuid, 'database', 'shop', 'shop', null::uuid
        union all select $2::uuid, 'schema', 'main', 'shop.main', $1::uuid
        union all select case n when 0 then $3::uuid when 1 then $4::uuid else gen_random_uuid() end, 'table',
          't_' || n, 'shop.main.t_' || n, $2::uuid from generate_series(0, $5::int - 1) n
        union all select gen_random_uuid(), 'column', 'c_' || n, 'shop.main.t_0.c_' || n, $3::uuid
          from generate_series(1, $6::int) n)
    insert into resource (workspace_id, id, kind, title, title_full, published, parent_id)
      select workspace_id, id, kind, title, full_title, true, parent_id from named, place`,
    [database, schema, wide, hub, tables, columns],
  );
  await client.query(
    `with place as (select id as workspace_id from workspace order by created_at limit 1)
    insert into lineage_edge (workspace_id, source_id, target_id, level, origin, implied)
      select r.workspace_id, $1::uuid, r.id, 'TABLE', 'IMPORT', false
        from resource r, place p where r.workspace_id = p.workspace_id and r.kind = 'table' and r.id <> $1
        order by r.title limit $2`,
    [hub, cards - 1],
  );
  await client.query(
    `insert into tag (workspace_id, id, name)
      select (select id from workspace order by created_at limit 1), gen_random_uuid(), 'tag ' || n
        from generate_series(1, $1::int) n`,
    [tags],
  );
  await client.query('analyze');
  return { schema, wide, hub };
}

async function open(browser: Browser, { key }: ImportServer): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1_440, height: 900 } });
  const page = await context.newPage();
  await page.addInitScript(`localStorage.setItem('headwater:api-key', ${JSON.stringify(key)})`);
  return page;
}

/** Wait until the page shows what it asked for. */
async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor(patience);
  await until(page, 'document.querySelectorAll(".waiting").length === 0');
}

/** Wait until something holds on the page, whose policy forbids what would look for itself. */
async function until(page: Page, holds: string): Promise<void> {
  const end = Date.now() + patience.timeout;
  while (!(await page.evaluate(holds))) {
    if (Date.now() > end) throw new Error(`It does not hold: ${holds}`);
    await page.waitForTimeout(20);
  }
}

/** Bytes of scripts and styles, by address: where a visit begins there, and where it comes from the first page. */
async function measureBytes(browser: Browser, server: ImportServer, { wide, hub }: Filled) {
  const all: { path: string; first: number; further: number; requests: number }[] = [];
  for (const path of [...pages, `/resource/${wide}`, `/lineage/${hub}`]) {
    const first = await counted(browser, server, (page) => page.goto(server.base + path));
    // From the first page, as a click does.
    const further = await counted(
      browser,
      server,
      (page) => page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)})`),
      (page) => page.goto(server.base),
    );
    all.push({ path, first: first.bytes, further: further.bytes, requests: first.requests });
  }
  const inKb = (bytes: number) => `${(bytes / 1_000).toFixed(1)} kB`;
  for (const { path, first, further, requests } of all)
    console.log(
      `${path.slice(0, 30).padEnd(32)}${inKb(first)} in ${requests}, further ${inKb(further)}`,
    );
  const most = (of: 'first' | 'further') => all.toSorted((one, other) => other[of] - one[of])[0];
  const [first, further] = [most('first'), most('further')];
  bar(
    'first load on any address, at most 150 kB',
    (first?.first ?? 0) <= 150_000,
    `${inKb(first?.first ?? 0)} for ${first?.path.slice(0, 12)}`,
  );
  bar(
    'each further page, at most 60 kB',
    (further?.further ?? 0) <= 60_000,
    `${inKb(further?.further ?? 0)} for ${further?.path.slice(0, 12)}`,
  );
}

/** The files that something loads, in a browser of its own and behind what comes `before`: their bytes and number. */
async function counted(
  browser: Browser,
  server: ImportServer,
  act: (page: Page) => Promise<unknown>,
  before?: (page: Page) => Promise<unknown>,
): Promise<{ bytes: number; requests: number }> {
  const page = await open(browser, server);
  if (before) {
    await before(page);
    await settled(page);
  }
  const sizes: Promise<number>[] = [];
  page.on('requestfinished', (request) => {
    if (!request.url().includes('/assets/') && request.resourceType() !== 'document') return;
    sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
  });
  await act(page);
  // The heading of the page before is still there when it begins.
  await page.waitForTimeout(1_000);
  await settled(page);
  await page.waitForTimeout(1_000);
  const loaded = await Promise.all(sizes);
  await page.context().close();
  return { bytes: loaded.reduce((sum, size) => sum + size, 0), requests: loaded.length };
}

/** The first paint at 400 kbit/s and 400 ms. */
async function measurePaint(browser: Browser, server: ImportServer): Promise<void> {
  const page = await open(browser, server);
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    ...{ offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 },
  });
  await page.goto(server.base, { waitUntil: 'commit', ...patience });
  const painted = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime";
  await until(page, painted);
  const ms = Number(await page.evaluate(painted));
  bar('first paint at 400 kbit/s and 400 ms, within 1 s', ms <= 1_000, `${ms.toFixed(0)} ms`);
  await page.context().close();
}

/** The longest task while the picture is moved about. */
async function measurePanning(browser: Browser, server: ImportServer, { hub }: Filled) {
  const page = await open(browser, server);
  await page.goto(`${server.base}/lineage/${hub}?plain=1&steps=1`);
  await page
    .getByText(`${cards.toLocaleString('en')} resources`)
    .first()
    .waitFor(patience);
  await settled(page);
  await page.waitForTimeout(3_000);
  await page.evaluate(`window.longest = 0; new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration);
  }).observe({ type: 'longtask', buffered: false })`);
  await page.mouse.move(700, 300);
  await page.mouse.down();
  for (let at = 0; at < 200; at += 1) await page.mouse.move(700 + 2 * (at % 100), 300 + 2 * at);
  await page.mouse.up();
  for (let at = 0; at < 60; at += 1) await page.mouse.wheel(0, at < 30 ? 120 : -120);
  await page.waitForTimeout(500);
  const longest = Number(await page.evaluate('window.longest'));
  const seen = longest === 0 ? 'none above 50 ms' : `${longest.toFixed(0)} ms`;
  bar(`${cards} cards moved, no task above 50 ms`, longest <= 50, seen);
  await page.context().close();
}

/** What is left in memory after many pages. */
async function measureNavigations(browser: Browser, server: ImportServer): Promise<void> {
  const page = await open(browser, server);
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  await page.goto(server.base);
  await settled(page);
  // The browser keeps texts of numbers in a table that grows once, by 64 kB, whenever enough of them were asked for.
  await page.evaluate('for (let at = 0; at < 20_000; at += 1) String(at)');
  const look = async () => {
    await session.send('HeapProfiler.collectGarbage');
    const { metrics } = await session.send('Performance.getMetrics');
    const of = (name: string) => metrics.find((one) => one.name === name)?.value ?? 0;
    const heap = await bytesOfObjects(session);
    return { heap, nodes: of('Nodes'), listeners: of('JSEventListeners') };
  };
  const names = ['Monitors', 'Incidents', 'Browse', 'Documents', 'Home', 'Sources', 'Questions'];
  const rail = page.getByRole('complementary').getByRole('navigation', { name: 'Main' });
  // Whole rounds: what is compared is the same page, early and late.
  const count = names.length * Math.ceil(Number(values.navigations) / names.length);
  let early: Awaited<ReturnType<typeof look>> | undefined;
  for (let at = 0; at < count; at += 1) {
    const name = names[at % names.length] ?? 'Home';
    await rail.getByRole('link', { name, exact: true }).click();
    await settled(page);
    if (at === names.length * Math.ceil(count / (4 * names.length)) - 1) early = await look();
  }
  const late = await look();
  const growth = late.heap / (early?.heap ?? late.heap) - 1;
  bar(
    `${count} navigations leave nothing behind`,
    growth < 0.02 && late.nodes <= 1.1 * (early?.nodes ?? 0),
    `objects ${(late.heap / 1e6).toFixed(1)} MB, ${(100 * growth).toFixed(1)} % more than early, ${late.nodes} nodes (${early?.nodes}), ${late.listeners} listeners (${early?.listeners})`,
  );
  await page.context().close();
}

/**
 * Bytes of what the program of the page keeps: objects, closures, arrays and texts. What the browser compiles of a
 * program that runs on, and what it notes of requests, is not counted: it grows to a bound of the browser's own.
 */
async function bytesOfObjects(session: CDPSession): Promise<number> {
  const parts: string[] = [];
  const add = ({ chunk }: { chunk: string }) => parts.push(chunk);
  session.on('HeapProfiler.addHeapSnapshotChunk', add);
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  session.off('HeapProfiler.addHeapSnapshotChunk', add);
  const { snapshot, nodes } = JSON.parse(parts.join(''));
  const { node_fields: fields, node_types: types } = snapshot.meta;
  const [type, size] = [fields.indexOf('type'), fields.indexOf('self_size')];
  let bytes = 0;
  for (let at = 0; at < nodes.length; at += fields.length) {
    if (kept.includes(types[type][nodes[at + type]])) bytes += nodes[at + size];
  }
  return bytes;
}

const kept = ['object', 'closure', 'array', 'string', 'concatenated string', 'number'];

/** How long the longest lists take to be there, and to be gone on with. */
async function measureLists(browser: Browser, server: ImportServer, { schema, wide }: Filled) {
  const page = await open(browser, server);
  const took = async (act: () => Promise<unknown>) => {
    const began = performance.now();
    await act();
    return performance.now() - began;
  };
  const rows = page.locator('.browsed tbody tr');
  const first = await took(async () => {
    await page.goto(`${server.base}/browse/${schema}`);
    await rows.first().waitFor(patience);
  });
  const before = await rows.count();
  const more = await took(async () => {
    await page.getByRole('button', { name: 'Show more' }).first().click();
    await rows.nth(before).waitFor(patience);
  });
  const title = `${tables.toLocaleString('en')} resources browsed`;
  bar(
    title,
    first < 5_000,
    `first rows ${first.toFixed(0)} ms, ${before} more ${more.toFixed(0)} ms`,
  );
  const all = page.getByRole('row', { name: /^c_/ });
  const listed = await took(async () => {
    await page.goto(`${server.base}/resource/${wide}`);
    await all.first().waitFor(patience);
    const further = page.locator('.columns').getByRole('button', { name: /^Show more/ });
    for (let shown = await all.count(); shown < columns; shown = await all.count()) {
      await further.click();
      await all.nth(shown).waitFor(patience);
    }
  });
  const count = await all.count();
  bar(
    `${columns} columns listed`,
    listed < 10_000 && count === columns,
    `${count} rows in ${listed.toFixed(0)} ms`,
  );
  const chosen = await took(async () => {
    await page.getByRole('combobox', { name: 'Add a tag' }).fill('tag 499');
    await page.getByRole('option', { name: 'tag 499' }).click();
    await page.getByRole('button', { name: 'Remove tag 499' }).waitFor(patience);
  });
  bar(`one of ${tags} tags chosen`, chosen < 5_000, `${chosen.toFixed(0)} ms`);
  await page.context().close();
}

await main();
