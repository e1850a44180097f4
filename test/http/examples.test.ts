// The examples of the documentation: each that can be run is run, and each that can't says what it needs.

import { execFile, execFileSync } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Catalog, openCatalog } from '../catalog.ts';
import { filesMatching, root } from '../house/sources.ts';
import { shapeOf } from '../rest/page.ts';

/** A block of a page, with the comment that stands above it. */
interface Block {
  readonly page: string;
  readonly language: string;
  readonly mark: string;
  readonly code: string;
}

const blocks = filesMatching(/^(README|CONTRIBUTING|SECURITY|docs\/.*)\.md$/).flatMap(
  ({ path, text }): Block[] =>
    [...text.matchAll(/^(?:<!-- (.*?) -->\n)?```(sh|graphql|json)(?: \S+)?\n(.*?)^```$/gms)].map(
      ([, mark = '', language = '', code = '']) => ({ page: path, language, mark, code }),
    ),
);

/** What a test machine may lack. */
const needs = ['needs: dbt', 'needs: GitHub'];

/** Blocks that other tests run or read: page, language, words of the block, and the test with words of it. */
const elsewhere: readonly (readonly [string, string, string, string, string])[] = [
  ['README.md', 'sh', '', 'test/house/readme.test.ts', 'the commands of the README'],
  ['docs/api.md', 'sh', '', 'test/rest/contract.test.ts', 'docs/api.md'],
  ['docs/api.md', 'json', '', 'test/rest/contract.test.ts', 'page.files'],
  ['docs/moving.md', 'sh', 'API=', 'test/rest/contract.test.ts', "['API', "],
  ['docs/imports.md', 'json', '', 'test/http/documentation.test.ts', "block('imports'"],
  ['docs/agents.md', 'json', 'mcpServers', 'test/agents/mcp.test.ts', 'mcpServers'],
  [
    'docs/notifications.md',
    'json',
    'incident_opened',
    'test/notifications/incidents.test.ts',
    'docs/notifications.md',
  ],
  [
    'docs/graphql.md',
    'json',
    '"sha256Hash"',
    'test/graphql/persisted/persisted-requests.test.ts',
    'sha256Hash',
  ],
  [
    'docs/graphql.md',
    'json',
    '"documentId"',
    'test/graphql/persisted/persisted-requests.test.ts',
    'documentId',
  ],
  ['docs/operations.md', 'json', '"level"', 'test/tracing/log.process.test.ts', 'operations.md'],
  ['docs/operations.md', 'sh', 'run key', 'test/commands/key.process.test.ts', "['key', ...args]"],
  [
    'docs/operations.md',
    'sh',
    'run backup',
    'test/database/backups/command.process.test.ts',
    "command('restore'",
  ],
  [
    'docs/operations.md',
    'sh',
    'run workspace',
    'test/commands/workspace.process.test.ts',
    "workspace('export', ",
  ],
  [
    'docs/operations.md',
    'sh',
    'run retention',
    'test/commands/retention.process.test.ts',
    "retention(settings, '--dry-run')",
  ],
  ['docs/database.md', 'sh', 'psql', 'test/commands/db-url.process.test.ts', '```sh'],
  [
    'docs/database.md',
    'sh',
    'run backup',
    'test/database/backups/command.process.test.ts',
    "command('backup'",
  ],
];

const isElsewhere = ({ page, language, code }: Block) =>
  elsewhere.some(([of, is, words]) => of === page && is === language && code.includes(words));
/** Operations of REST carry directives of their own, and are checked at the start. */
const isOfRest = ({ code }: Block) => code.includes('@rest');
const open = blocks.filter(
  (block) => !needs.includes(block.mark) && !isElsewhere(block) && !isOfRest(block),
);
const named = (block: Block) =>
  [`${block.page}: ${block.code.trim().split('\n')[0]?.slice(0, 60)}`, block] as const;
const of = (language: string) => open.filter((block) => block.language === language).map(named);

let catalog: Catalog;
let values: Readonly<Record<string, unknown>>;
let folder: string;
const absent = '0d9f1c1e-6f0b-4c39-9d8a-2f1f0f6b7a51';

beforeAll(async () => {
  catalog = await openCatalog();
  folder = await mkdtemp(join(tmpdir(), 'examples-'));
  await cp(join(root, 'prisma/demo/project'), join(folder, 'target'), { recursive: true });
  const make = async (query: string) => {
    const { data, errors } = await catalog.graphql(query);
    expect(errors).toBeUndefined();
    return data.made.id;
  };
  const schema = await catalog.resource({ kind: 'schema', title: 'public' });
  const table = await catalog.resource({ kind: 'table', title: 'orders', parentId: schema.id });
  const column = await catalog.resource({ kind: 'column', title: 'id', parentId: table.id });
  const unwatched = await catalog.resource({ kind: 'table', title: 'customers' });
  const monitor = await make(
    `mutation { made: createMonitor(input: { targetId: "${table.id}", metricType: row_count }) { id } }`,
  );
  const { id: analysts } = await catalog.group({ name: 'Analysts' });
  const shop = await make('mutation { made: createIntegration(input: { name: "Shop" }) { id } }');
  const live = await make(
    'mutation { made: createIntegration(type: "postgres", input: { name: "Warehouse", credentials: { host: "db.example.com", database: "shop", user: "reader" } }) { id } }',
  );
  const inWarehouse = { kind: 'table', title: 'facts', integrationId: live } as const;
  const { id: warehouseTable } = await catalog.resource(inWarehouse);
  const { id: tag } = await catalog.tag({ name: 'pii' });
  const file = 'database,schema,name,col_name\nshop,public,orders,id\n';
  const me = catalog.idOf('admin');
  values = {
    ...{ schema: schema.id, table: table.id, column: column.id, id: table.id },
    ...{ one: unwatched.id, other: absent, monitor, analysts, me, user: me, person: me },
    ...{ words: 'orders', since: '2026-01-01T00:00:00Z', after: null, assignee: null },
    ...{ from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z', n: 1000 },
    ...{ kinds: ['table'], ownerIds: [], tagIds: [], filter: null, warehouse: absent },
    warehouseTable,
    ...{ integration: shop, file, tag },
  };
});
afterAll(async () => {
  expect(catalog.unexpected).toEqual([]);
  await rm(folder, { recursive: true, force: true });
});

/** What an example is about, where its variables alone do not say it. */
const special: Readonly<Record<string, (all: typeof values) => object>> = {
  MonitorMonth: ({ monitor }) => ({ id: monitor }),
};

test('every example is run here, elsewhere, or says what a test machine may lack', () => {
  expect(blocks.length).toBeGreaterThan(120);
  const marks = new Set(blocks.map(({ mark }) => mark).filter((mark) => /^needs\b/.test(mark)));
  expect([...marks].filter((mark) => !needs.includes(mark))).toEqual([]);
  for (const [page, language, words, file, said] of elsewhere) {
    expect(blocks.filter((one) => one.page === page && one.language === language)).not.toEqual([]);
    const [found] = filesMatching(new RegExp(`^${file.replaceAll('.', '\\.')}$`));
    expect([page, words, file, found?.text.includes(said)]).toEqual([page, words, file, true]);
  }
  const other = open.filter(({ language, mark }) => language === 'json' && mark === '');
  expect(other.map(named).map(([name]) => name)).toEqual([]);
});

/** The operation of a block, sent with a value for each of its variables. */
async function run(code: string) {
  const [, name = ''] = /^\s*(?:query|mutation|subscription) (\w+)/m.exec(code) ?? [];
  const asked = [...(code.split('{')[0]?.matchAll(/\$(\w+):/g) ?? [])].map(([, one = '']) => one);
  const all = { ...values, ...special[name]?.(values) };
  const given = Object.fromEntries(asked.map((one) => [one, Reflect.get(all, one)]));
  expect(Object.entries(given).filter(([, value]) => value === undefined)).toEqual([]);
  return catalog.graphql(code, given);
}

test.each(of('graphql'))('%s', async (_, block) => {
  if (block.code.includes('$warehouse')) {
    const { data } = await catalog.graphql(
      `mutation { createIntegration(type: "postgres", input: { name: "Warehouse",
        credentials: { host: "127.0.0.1", port: 1, database: "shop", user: "a", password: "b" } }) { id } }`,
    );
    values = { ...values, warehouse: data.createIntegration.id };
  }
  const answer = await run(block.code);
  const at = blocks.indexOf(block);
  const next = blocks[at + 1];
  if (next?.mark !== 'answer') return expect(answer.errors).toBeUndefined();
  const said = JSON.parse(next.code);
  expect(Object.keys(answer).sort()).toEqual(Object.keys(said).sort());
  expect(shapeOf(answer.data)).toEqual(shapeOf(said.data));
  expect(answer.errors).toMatchObject(said.errors);
});

test.each(of('json'))('%s', async (_, { mark, code }) => {
  const said = JSON.parse(code);
  const [, kind, what = ''] = /^(answer|error of|filter)(?:: (.*))?$/.exec(mark) ?? [];
  // The answer of the query above it is compared there.
  if (kind === 'answer') return;
  if (kind === 'filter') {
    const query = `query ($filter: AuditLogFilter) { ${what}(filter: $filter) { totalCount } }`;
    const { errors } = await catalog.graphql(query, { filter: said });
    return expect(errors).toBeUndefined();
  }
  expect([mark, kind]).toEqual([mark, 'error of']);
  const { errors } = await catalog.graphql(what.replace('$table', `"${values.table}"`));
  expect(errors?.[0]?.extensions).toEqual(said);
});

const hasTools = ((): boolean => {
  try {
    execFileSync('bash', ['-c', 'command -v curl && command -v jq']);
    return true;
  } catch {
    console.warn('Skipped: the shell lines of the documentation. They need bash, curl and jq.');
    return false;
  }
})();

test.skipIf(!hasTools)('the lines for the shell run one after the other', async () => {
  const { id } = await catalog.integration({ type: 'dbt_core' });
  const env = {
    ...process.env,
    API: `${await catalog.listen()}/api/v1`,
    KEY: `Authorization: Bearer ${catalog.keyOf('admin')}`,
    INTEGRATION: id,
  };
  const lines = of('sh');
  expect(lines.length).toBeGreaterThanOrEqual(3);
  for (const [name, { code }] of lines) {
    const done = await promisify(execFile)('bash', ['-ec', code], { env, cwd: folder }).catch(
      (error) => error,
    );
    expect([name, done.stderr?.includes('error'), done.code ?? 0]).toEqual([name, false, 0]);
  }
});
