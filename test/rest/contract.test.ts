// docs/api.md, walked on a real server: every line does what the page says it does.
// `npm run docs:api` writes the answers into the page instead.

import { readFile, writeFile } from 'node:fs/promises';
import { STATUS_CODES } from 'node:http';
import { afterAll, expect, test, vi } from 'vitest';
import { openCatalog } from '../catalog.ts';
import { additions } from './openapi/additions.ts';
import { conformance, operationsOf } from './openapi/conform.ts';
import { documented } from './openapi/reference.ts';
import {
  type Example,
  isSameAnswer,
  type Kind,
  printer,
  readCommand,
  readPage,
  shapeOf,
  shapeWithin,
} from './page.ts';
import { seedBreach } from './seed.ts';

vi.setConfig({ testTimeout: 120_000 });

const file = new URL('../../docs/api.md', import.meta.url);
const text = await readFile(file, 'utf8');
const page = readPage(text);
const isWriting = process.env.UPDATE_API_PAGE === '1';

const catalog = await openCatalog({ alone: true });
// Only a loaded machine takes as long as a request may take.
await catalog.app({ REQUEST_TIMEOUT_MS: '100000' });
const origin = await catalog.listen();
const { document } = await (await catalog.app()).rest();
const operations = operationsOf(document);
const { check } = conformance(document);
await seedBreach(catalog);

const variables = new Map([
  ['API', `${origin}/api/v1`],
  ['KEY', `Authorization: Bearer ${catalog.keyOf('admin')}`],
]);
/** Ids, of which the page prints the beginning. */
const uuid = /"([0-9a-f]{8})(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"/g;
const answers = new Map<Example, string>();
const print = printer();
const walked = new Set<string>();
/** Fields of answers that no answer of the page shows. */
const unshown = new Set<string>();

afterAll(async () => {
  if (isWriting) await writeFile(file, withAnswers());
});

function named(variable: string): string {
  const found = variables.get(variable);
  if (found === undefined) throw new Error(`The page uses $${variable} before it names it.`);
  return found;
}

/** The documented operation that a call is one of: spelled-out paths come before parameters. */
function operationOf(method: string, path: string) {
  const plain = path.replace(/\/$/, '');
  const fits = operations.filter((one) => {
    const pattern = one.path.replace(/\/$/, '').replaceAll(/\{\w+\}/g, '[^/]+');
    return one.method === method && new RegExp(`^${pattern}$`).test(plain);
  });
  return fits.sort((one, other) => one.path.split('{').length - other.path.split('{').length)[0];
}

function at(body: unknown, place: string): unknown {
  return place
    .split('.')
    .reduce<unknown>(
      (value, step) =>
        typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined,
      body,
    );
}

test.each(page.examples.map((one) => [one.command.slice(0, 160), one] as const))(
  '%s',
  async (_, example) => {
    const { method, url, headers, body } = readCommand(example.command, named, page.files);
    const response = await fetch(url, { method, headers, redirect: 'error', body: body ?? null });
    const sent = await response.text();
    const type = response.headers.get('content-type');
    const { pathname } = new URL(url);
    const operation = operationOf(method, pathname);
    if (operation) {
      expect(check(operation, response.status, type, sent)).toEqual([]);
      // An operation is shown where its own heading is; another may come before, to prepare it.
      const own = example.heading === `${method} ${operation.path.replace('/api/v1', '')}`;
      if (own) walked.add(`${method} ${operation.path}`);
    }
    const isText = /^(text|image)\//.test(type ?? '');
    const parsed: unknown = sent === '' || isText ? '' : JSON.parse(sent);
    for (const [name, place] of example.names) variables.set(name, String(at(parsed, place)));
    // An error is only written where the page asks for that one: it stands there already.
    if (response.status >= 400)
      expect([sent, response.status]).toEqual([sent, example.answer.status]);
    const answer = print(
      example.heading,
      `${response.status} ${STATUS_CODES[response.status]}`,
      parsed,
    )
      .replaceAll(origin, 'http://127.0.0.1:4000')
      .replaceAll(uuid, '"$1-…"');
    answers.set(example, answer);
    if (isWriting) return;
    const [first, , ...lines] = answer.split('\n');
    const bodyOf = (printed: string): unknown => (printed === '' ? '' : JSON.parse(printed));
    const shown = shapeOf(bodyOf(example.answer.text));
    // A field that the page shows nowhere is said once, below.
    const sentShape = shapeWithin(shapeOf(bodyOf(lines.join('\n'))), shown, (name) => {
      if (!text.includes(`"${name}"`)) unshown.add(name);
      else expect.soft(name, 'a field that this answer of the page lacks').toBeUndefined();
    });
    expect([first, sentShape]).toEqual([example.answer.first, shown]);
  },
);

/** The record of a table without what only tables have: those of all kinds are compared with it. */
let tableRecord: object = {};
const ofTablesAlone = /^(?:database|schema|cluster|creation_query)$/;
const made: { readonly path: string; readonly id: string }[] = [];
const records = new Map<Kind, string>();

/** Send a request of a kind, whose answer has to be what the document promises. */
async function ask(method: string, path: string, body?: string) {
  const given =
    body === undefined ? {} : { body: body.replaceAll(/\$(\w+)/g, (_, name) => named(name)) };
  const response = await fetch(`${named('API')}${path}`, {
    method,
    headers: { authorization: named('KEY').slice(15), 'content-type': 'application/json' },
    ...given,
  });
  const sent = await response.text();
  const operation = operationOf(method, `/api/v1${path.split('?')[0]}`);
  if (!operation) throw new Error(`There is no ${method} ${path}.`);
  expect(check(operation, response.status, response.headers.get('content-type'), sent)).toEqual([]);
  expect([method, path, response.ok, sent]).toEqual([method, path, true, sent]);
  walked.add(`${method} ${operation.path}`);
  return sent === '' ? null : JSON.parse(sent);
}

test('the operations of tables are those that the page shows', async () => {
  const record = await ask('POST', '/table/tables', '{"title":"orders of the table of kinds"}');
  variables.set('TABLE', record.id);
  const shared = Object.entries(record).filter(([name]) => !ofTablesAlone.test(name));
  tableRecord = Object.fromEntries(shared);
  expect(Object.keys(record)).toHaveLength(shared.length + 4);
});

test.each(page.kinds)('$path has the operations of a kind', async (kind) => {
  const record = await ask('POST', kind.path, kind.body);
  variables.set(record.entity_type.toUpperCase(), record.id);
  made.push({ path: `${kind.path}/${record.id}`, id: record.id });
  records.set(kind, comparedWithTable(record));
  if (!isWriting) expect(kind.record).toBe(records.get(kind));
  const list = await ask('GET', kind.path);
  expect(list.results.map(({ id }: { id: string }) => id)).toContain(record.id);
  expect(await ask('GET', `${kind.path}/${record.id}`)).toMatchObject({ id: record.id });
  const changed = await ask('PATCH', `${kind.path}/${record.id}`, '{"verified":true}');
  expect(changed).toMatchObject({ id: record.id, verified: true });
});

test('each kind is deleted by its path, what lies in another thing before that', async () => {
  for (const { path } of made.reverse()) await ask('DELETE', path);
  expect(made).toHaveLength(page.kinds.length);
});

/** The fields that a record has and a table lacks, and the other way round. */
function comparedWithTable(record: object): string {
  const code = (names: string[]) => names.map((name) => `\`${name}\``).join(', ');
  const own = Object.keys(record).filter((name) => !Object.hasOwn(tableRecord, name));
  const lacking = Object.keys(tableRecord).filter((name) => !Object.hasOwn(record, name));
  return [code(own), lacking.length === 0 ? '' : `not ${code(lacking)}`].filter(Boolean).join('; ');
}

/** An answer as the last line of a command's block, or as a block of its own where it has a body. */
function belowCommand(answer: string): string {
  return answer.includes('\n') ? `\`\`\`\n\n\`\`\`http\n${answer}` : `# ${answer}`;
}

function withAnswers(): string {
  const lines = text.split('\n');
  for (const example of [...page.examples].reverse()) {
    const answer = answers.get(example);
    const printed = lines.slice(example.from, example.to).join('\n');
    // Another run makes other ids and times: they alone are no reason to print it again.
    if (answer && !isSameAnswer(answer, printed.replace(/^# /, ''))) {
      const block = printed.startsWith('# ') ? belowCommand(answer) : answer;
      lines.splice(example.from, example.to - example.from, ...block.split('\n'));
    }
  }
  return page.kinds.reduce(
    (all, kind) => all.replace(kind.row, kind.row.replace(/[^|]*\|$/, ` ${records.get(kind)} |`)),
    lines.join('\n'),
  );
}

test('answers have no field that the page does not show', () => {
  expect([...unshown], 'fields to show: run `npm run docs:api`').toEqual([]);
});

test('the page shows every operation, and every other path that serves it', () => {
  const missing = operations.filter(({ method, path, operation }) => {
    const isAlias = /Alias\d+$/.test(operation.operationId);
    const short = path.replace('/api/v1', '');
    // What PUT does that PATCH doesn't is said once, for all records.
    if (operation.operationId.includes('ByPut'))
      return !text.includes('A `PUT` takes what `PATCH` takes');
    // The table of kinds has their paths without that of one record.
    const listed = page.kinds.some(({ row }) => row.includes(`\`${short.replace(/\/\{.*/, '')}\``));
    return isAlias ? !listed && !text.includes(`\`${short}\``) : !walked.has(`${method} ${path}`);
  });
  const names = missing.map(({ method, path }) => `${method} ${path}`);
  const how =
    'show them: a curl line with its answer, or `# 200 OK`, below a heading of method and path';
  expect(names, how).toEqual([]);
});

/** What the page says of an operation, and of one whose body it says that it takes. */
function fieldsIn(heading: string): string {
  const kind = page.kinds.find(({ path }) => new RegExp(`^\\w+ ${path}(?:/\\{|$)`).test(heading));
  if (kind)
    return (
      kind.row + fieldsIn(heading.replace(kind.path, '/table/tables').replace(/\{.*/, '{table_id}'))
    );
  const section = page.sections.get(heading) ?? '';
  const [, other = ''] = /^Body: that of `(.+?)`/m.exec(section) ?? [];
  return other === '' ? section : section + fieldsIn(other);
}

test('the page names every parameter of every operation', () => {
  const silent = operations.flatMap(({ method, path, operation }) => {
    if (/Alias\d+$|ByPut/.test(operation.operationId)) return [];
    const section = fieldsIn(`${method} ${path.replace('/api/v1', '')}`);
    const content = operation.requestBody?.content['application/json']?.schema ?? {};
    const reference = '$ref' in content ? String(content.$ref).split('/').at(-1) : '';
    const body = Object.keys(document.components.schemas[reference ?? '']?.properties ?? {});
    const query = (operation.parameters ?? []).filter((one) => one.in === 'query');
    return [...body, ...query.map(({ name }) => name)]
      .filter((name) => !section.includes(`\`${name}\``))
      .map((name) => `${operation.operationId}: ${name}`);
  });
  expect(silent, 'parameters to name below the heading of their operation').toEqual([]);
});

test('the page covers the 76 operations of the reference and every addition', () => {
  const wanted = [
    ...documented.map(([method, path]) => `${method} ${path}`),
    ...Object.entries(additions).flatMap(([path, methods]) =>
      methods.split(' ').map((method) => `${method} ${path}`),
    ),
  ];
  const known = new Set(operations.map(({ method, path }) => `${method} ${path.slice(7)}`));
  expect(wanted.filter((one) => !known.has(one))).toEqual([]);
  expect(catalog.unexpected).toEqual([]);
});
