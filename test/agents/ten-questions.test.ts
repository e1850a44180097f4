// Ten questions that people ask of a catalog, as an agent answers them: with few calls, and few tokens.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadDemo } from '../../src/demo/demo.ts';
import { type Catalog, openCatalog } from '../catalog.ts';
import { root } from '../house/sources.ts';
import { hasTool } from '../tool.ts';

let catalog: Catalog;
let folder: string;
let base: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'headwater-agents-'));
  catalog = await openCatalog();
  await catalog.app({ FILES_DIR: folder });
  await loadDemo(catalog, () => {}, folder);
  base = await catalog.listen();
});
afterAll(async () => {
  expect(catalog.unexpected).toEqual([]);
  await catalog[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

/** A call of a tool, and what must stand in its answer. */
type Call = readonly [tool: string, given: object, ...expected: readonly string[]];

const questions: readonly (readonly [question: string, ...calls: readonly Call[]])[] = [
  [
    'Which dashboards break if I drop orders.discount_code?',
    ['impact', { of: ['shop.public.orders.discount_code'] }, 'analytics.raw_shop.orders'],
  ],
  [
    'Who owns revenue?',
    ['search', { query: 'revenue' }, 'analytics.marts.daily_revenue'],
    ['get_resource', { id: 'daily_revenue' }, '"owners":[{"name":"'],
  ],
  [
    "Is yesterday's data fresh?",
    ['health', { ids: ['fct_orders', 'daily_revenue'] }, 'lastRun', '"dataTests":[{', 'monitors'],
  ],
  [
    'Which tables hold personal information, and which are tagged core?',
    ['search', { is: 'pii', kinds: ['table'] }, 'customers'],
    ['search', { tag: 'core' }, 'analytics.core.fct_orders'],
  ],
  ['What does Anna own?', ['search', { owner: 'anna' }, 'shop.public.orders']],
  ['List all dashboards', ['search', { kinds: 'dashboard', limit: 50 }, 'Company.Sales overview']],
  ['What is wrong now, and why?', ['incidents', { status: 'active' }, '"reasons":["']],
  [
    'How is fct_orders computed?',
    ['get_sql', { id: 'fct_orders' }, 'select', 'analytics.staging.stg_orders'],
  ],
  [
    'What is the SQL for revenue by country?',
    ['find_columns', { keyword: 'country', of: 'analytics' }, 'analytics.core.dim_customers'],
    ['get_sql', { id: 'analytics.marts.daily_revenue' }, 'select'],
  ],
  [
    'Where do the columns of fct_orders come from, all the way?',
    [
      'lineage',
      { id: 'fct_orders', direction: 'upstream', level: 'column', depth: 20 },
      'shop.public.orders',
    ],
  ],
];

/** Tokens as the answers before were counted. */
const tokensOf = (text: string) => Math.ceil(Buffer.byteLength(text) / 4);

test.skipIf(!hasTool('@modelcontextprotocol/client'))(
  'ten questions take an agent few calls and tokens',
  async () => {
    const client = await connect();
    let calls = 0;
    let tokens = 0;
    for (const [question, ...asked] of questions) {
      let own = 0;
      for (const [name, given, ...expected] of asked) {
        const { isError, content } = await client.callTool({ name, arguments: given });
        const [{ text }] = content;
        expect([question, name, isError ?? false, text]).toEqual([
          question,
          name,
          false,
          expect.any(String),
        ]);
        for (const part of expected) expect(text, `${question} ${name}`).toContain(part);
        own += tokensOf(text);
      }
      if (process.env.AGENT_FIGURES) console.info(question, asked.length, own);
      calls += asked.length;
      tokens += own;
    }
    const { tools } = await client.listTools();
    const listed = tokensOf(
      JSON.stringify(
        tools.map(({ outputSchema: _out, ...tool }: { outputSchema: object }) => tool),
      ),
    );
    if (process.env.AGENT_FIGURES) console.info({ calls, tokens, listed });
    await client.close();
    // It took 40 calls and 23,900 tokens where four of them had no answer.
    expect(calls).toBeLessThanOrEqual(14);
    expect(tokens).toBeLessThan(10_000);
    expect(listed).toBeLessThan(5_000);
  },
);

test.skipIf(!hasTool('@modelcontextprotocol/client'))(
  'a name that nothing has, or several, is answered with those that are near',
  async () => {
    const client = await connect();
    const said = async (name: string, given: object) => {
      const { isError, content } = await client.callTool({ name, arguments: given });
      return { isError: isError ?? false, text: String(content[0].text) };
    };
    const near = await said('get_resource', { id: 'fct_ordres' });
    expect(near).toEqual({
      isError: true,
      text: expect.stringContaining('analytics.core.fct_orders'),
    });
    const several = await said('get_columns', { id: 'orders' });
    expect(several.isError).toBe(true);
    expect(several.text).toContain('"shop.public.orders" (table, ');
    expect(several.text).toContain('"analytics.raw_shop.orders" (table, ');
    // The end of a full name is enough where only one has it.
    const one = await said('get_resource', { id: 'Public.Orders' });
    expect(one).toEqual({ isError: false, text: expect.stringContaining('shop.public.orders') });
    const both = await said('get_resources', {
      ids: ['fct_orders', 'dim_customers', 'fct_orders'],
    });
    expect(JSON.parse(both.text).resources.totalCount).toBe(2);
    await client.close();
  },
);

test.skipIf(!hasTool('@modelcontextprotocol/client'))(
  'an answer stays within its budget, and says what is not there',
  async () => {
    const client = await connect();
    const call = async (name: string, given: object) => {
      // The client holds the answer against the output schema.
      const { content } = await client.callTool({ name, arguments: given });
      return { tokens: tokensOf(content[0].text), answer: JSON.parse(content[0].text) };
    };
    const given = { kinds: ['column'], first: 50 };
    const whole = await call('search', { ...given, maxTokens: 20_000 });
    expect(whole.answer).not.toHaveProperty('leftOut');
    const part = await call('search', { ...given, maxTokens: 800 });
    const { leftOut, search } = part.answer;
    expect(part.tokens).toBeLessThan(900);
    const rows = search.nodes.length;
    expect(leftOut).toEqual([
      `search.nodes: ${rows} of 50 are here; ask again with first: ${rows}.`,
    ]);
    expect(search.nodes).toEqual(whole.answer.search.nodes.slice(0, rows));
    // A cursor of the whole page would skip what was left out.
    expect(search.pageInfo).toEqual({ hasNextPage: true });
    await client.close();
  },
);

test.skipIf(!hasTool('@modelcontextprotocol/client'))(
  'names are completed for prompts, and ids for pages',
  async () => {
    const client = await connect();
    const complete = async (ref: object, argument: object) =>
      (await client.complete({ ref, argument })).completion.values;
    const prompt = { type: 'ref/prompt', name: 'what_breaks' };
    expect(await complete(prompt, { name: 'name', value: 'fct_ord' })).toContain(
      'analytics.core.fct_orders',
    );
    expect(await complete(prompt, { name: 'name', value: '' })).toEqual([]);
    expect(await complete(prompt, { name: 'other', value: 'orders' })).toEqual([]);
    const incident = { type: 'ref/prompt', name: 'explain_incident' };
    expect(await complete(incident, { name: 'id', value: '' })).not.toEqual([]);
    const { resourceTemplates } = await client.listResourceTemplates();
    const page = { type: 'ref/resource', uri: resourceTemplates[0].uriTemplate };
    const [id] = await complete(page, { name: 'id', value: 'fct_orders' });
    const read = await client.readResource({ uri: page.uri.replace('{id}', id) });
    expect(read.contents[0].text).toContain('fct_orders');
    await client.close();
  },
);

async function connect() {
  const path = `${root}/tools/node_modules/@modelcontextprotocol/client/dist/index.mjs`;
  const { Client, StreamableHTTPClientTransport } = await import(pathToFileURL(path).href);
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: 'auto' } },
  );
  const requestInit = { headers: { authorization: `Bearer ${catalog.keyOf('viewer')}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${base}/mcp`), { requestInit }));
  return client;
}
