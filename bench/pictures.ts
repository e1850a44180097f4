// Measures pictures of lineage: the CPU that a layout takes, and how smoothly a large picture moves in a browser.
//
// Nothing is served: the browser's requests are answered here, with made-up resources. `npm run bench:pictures`; of
// another build with its folder: `npm run bench:pictures -- ../other/dist/explorer`. Frames a second say little on a busy
// machine: compare the CPU of a frame, of the page's thread and of all of the browser's processes, and that of the page's
// longest task. The load of the machine stands beside the figures.

import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { layOut } from '../src/explorer/lineage/layout/layout.ts';
import { type Browser, type Page, startBrowser } from '../test/browser.ts';
import { longestTaskOf } from './page-tasks.ts';
import { randomFrom } from './random.ts';

const built = process.argv[2] ?? join(import.meta.dirname, '../dist/explorer');
const origin = 'http://pictures.test';
const linksOfEach = 1.8;
/** Of the links those that come from anywhere before. */
const hubShare = 0.05;
const movesForMs = 3_000;
/** By then the first painting is there. */
const restMs = 1_500;

/** A layered graph, mostly of near layers, with some hubs. */
function graphOf(count: number) {
  const random = randomFrom(7);
  const ids = Array.from({ length: count }, (_, at) => `n${at}`);
  const links = Array.from({ length: Math.round(count * linksOfEach) }, (_, at) => {
    const to = 1 + random.whole(0, count - 2);
    const reach = random.even() < hubShare ? to : Math.min(to, Math.ceil(count / 12));
    const from = to - 1 - random.whole(0, reach - 1);
    return { id: `l${at}`, from: `n${Math.max(0, from)}`, to: `n${to}` };
  });
  return { ids, links };
}

function layoutCpuMs(count: number): number {
  const { ids, links } = graphOf(count);
  const boxes = ids.map((id) => ({ id, width: 244, height: 58 }));
  layOut(boxes, links);
  const before = process.cpuUsage();
  layOut(boxes, links);
  const { user, system } = process.cpuUsage(before);
  return Math.round((user + system) / 1000);
}

/** The answer to the page's operations, by their names. */
function answerTo(operation: string, count: number): object {
  const { ids, links } = graphOf(count);
  const nodes = ids.map((id, at) => ({
    ...{ depth: at, upstreamCount: 0, downstreamCount: 0 },
    resource: {
      ...{ __typename: 'Table', id, kind: 'table', title: `table_${at}` },
      ...{ titleFull: `analytics.marts.table_${at}`, openIncidents: [], childrenCount: 9 },
    },
  }));
  const edges = links.map(({ id, from, to }) => ({
    ...{ id, sourceId: from, targetId: to, origin: 'QUERY' },
  }));
  const tables = {
    truncated: false,
    truncatedReason: null,
    truncatedBy: null,
    truncatedAt: null,
    hiddenNodes: 0,
    totalNodes: count,
  };
  if (operation === 'LineagePicture') return { tables: { ...tables, asOf: '', nodes, edges } };
  const nothing = {
    truncated: false,
    hiddenNodes: 0,
    tables: [],
    others: [],
    possible: [],
    columns: [],
  };
  if (operation === 'ImpactOfChange') return { impact: nothing };
  const viewer = { id: 'v', name: 'Bench', email: '', role: 'viewer', workspace: { name: '' } };
  return { viewer: { ...viewer, allowedActions: [] } };
}

/** Frames a second while the picture is moved in one way. */
const moving = (way: string) => `new Promise((done) => {
  const picture = document.querySelector('.picture');
  const { left, top, width, height } = picture.getBoundingClientRect();
  const at = { clientX: left + width / 2, clientY: top + height / 2, bubbles: true, cancelable: true };
  let frames = 0;
  const began = performance.now();
  const step = (now) => {
    frames += 1;
    const turn = Math.floor((now - began) / 500) % 2 === 0 ? 1 : -1;
    const wheel = ${way === 'zoom' ? '{ deltaY: 12 * turn, ctrlKey: true }' : '{ deltaX: 14 * turn, deltaY: 18 * turn }'};
    picture.dispatchEvent(new WheelEvent('wheel', { ...at, ...wheel }));
    if (now - began < ${movesForMs}) return requestAnimationFrame(step);
    done({ frames, fps: Math.round(frames / ((now - began) / 1000)) });
  };
  requestAnimationFrame(step);
})`;

/** Reads the CPU that the page's thread, and all processes of the browser, took so far, in milliseconds. */
async function openMeter(page: Page, browser: Browser) {
  const ofPage = await page.context().newCDPSession(page);
  await ofPage.send('Performance.enable', { timeDomain: 'threadTicks' });
  const ofBrowser = await browser.newBrowserCDPSession();
  return async () => {
    const { metrics } = await ofPage.send('Performance.getMetrics');
    const { processInfo } = await ofBrowser.send('SystemInfo.getProcessInfo');
    const thread = metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0;
    const all = processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0);
    return { thread: thread * 1000, all: all * 1000 };
  };
}

type Meter = Awaited<ReturnType<typeof openMeter>>;

interface Moved {
  readonly frames: number;
  readonly fps: number;
}

/** Move the picture one way, and say what a frame of that took. */
async function measure(page: Page, meter: Meter, way: string): Promise<object> {
  const before = await meter();
  const { frames, ...moved }: Moved = await page.evaluate(moving(way));
  const after = await meter();
  const each = (spent: number) => Math.round((spent / frames) * 10) / 10;
  return {
    ...moved,
    threadMsPerFrame: each(after.thread - before.thread),
    browserMsPerFrame: each(after.all - before.all),
  };
}

async function framesOf(count: number): Promise<object> {
  const browser = await startBrowser();
  const page = await browser.newPage({ viewport: { width: 1_440, height: 900 } });
  const meter = await openMeter(page, browser);
  await page.addInitScript("localStorage.setItem('headwater:api-key', 'none')");
  await page.route('**/*', (route) => {
    const url = new URL(route.request().url());
    if (url.pathname === '/graphql') {
      const { operationName } = route.request().postDataJSON();
      return route.fulfill({ json: { data: answerTo(String(operationName), count) } });
    }
    const isPage = !url.pathname.startsWith('/assets/');
    const file = join(built, isPage ? 'index.html' : url.pathname);
    const types = { js: 'text/javascript', css: 'text/css', html: 'text/html' };
    const type = Object.entries(types).find(([end]) => file.endsWith(end))?.[1];
    return route.fulfill({ body: readFileSync(file), contentType: type ?? 'application/json' });
  });
  const traced = <T extends object>(work: () => Promise<T>) =>
    longestTaskOf({ browser, page }, work);
  const load = await traced(() => open(page));
  const near = await traced(() => measure(page, meter, 'pan'));
  for (let press = 0; press < 12; press += 1) await page.locator('.zoom button').last().click();
  const far = await traced(() => measure(page, meter, 'pan'));
  const zoom = await traced(() => measure(page, meter, 'zoom'));
  await browser.close();
  return { cards: count, loadOfMachine: loadavg()[0], load, near, far, zoom };
}

/** Open the picture, and wait until it has come to rest. */
async function open(page: Page): Promise<{ firstCardMs: number }> {
  const began = performance.now();
  await page.goto(`${origin}/lineage/n0?steps=10&plain=1`);
  await page.locator('.card').first().waitFor({ timeout: 60_000 });
  const firstCardMs = Math.round(performance.now() - began);
  await page.waitForTimeout(restMs);
  return { firstCardMs };
}

for (const count of [50, 500, 2_000, 5_000]) {
  console.log(`Layout of ${count} cards: ${layoutCpuMs(count)} ms of CPU`);
}
for (const count of [500, 2_000]) console.log(JSON.stringify(await framesOf(count)));
