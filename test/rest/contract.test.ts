// docs/api.md, walked on a real server: every line does what the page says it does.
// `npm run docs:api` writes the answers into the page instead.

import { readFile, writeFile } from 'node:fs/promises';
import { STATUS_CODES } from 'node:http';
import { afterAll, expect, test, vi } from 'vitest';
import { openCatalog } from '../catalog.ts';
import { conformance, operationsOf } from './openapi/conform.ts';
import { additions, documented } from './openapi/reference.ts';
import {
  type Example,
  isSameAnswer,
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
const origin = await catalog.listen();
const { document } = await (await catalog.app()).rest();
const operations = operationsOf(document);
const { check } = conformance(document);
await seedBreach(catalog);

const variables = new Map([
  ['API', `${origin}/api/v1`],
  ['KEY', `Authorization: Bearer ${catalog.keyOf('admin')}`],
]);
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
    const parsed: unknown = sent === '' ? '' : JSON.parse(sent);
    for (const [name, place] of example.names) variables.set(name, String(at(parsed, place)));
    // An error is only written where the page asks for that one: it stands there already.
    if (response.status >= 400)
      expect([sent, response.status]).toEqual([sent, example.answer.status]);
    const answer = print(
      example.heading,
      `${response.status} ${STATUS_CODES[response.status]}`,
      parsed,
    ).replaceAll(origin, 'http://127.0.0.1:4000');
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

function withAnswers(): string {
  const lines = text.split('\n');
  for (const example of [...page.examples].reverse()) {
    const answer = answers.get(example);
    const printed = lines.slice(example.from, example.to).join('\n');
    // Another run makes other ids and times: they alone are no reason to print it again.
    if (answer && !isSameAnswer(answer, printed))
      lines.splice(example.from, example.to - example.from, ...answer.split('\n'));
  }
  return lines.join('\n');
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
    return isAlias ? !text.includes(`\`${short}\``) : !walked.has(`${method} ${path}`);
  });
  expect(missing.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
});

test('the page names every parameter of every operation', () => {
  const silent = operations.flatMap(({ method, path, operation }) => {
    if (/Alias\d+$|ByPut/.test(operation.operationId)) return [];
    const section = page.sections.get(`${method} ${path.replace('/api/v1', '')}`) ?? '';
    const content = operation.requestBody?.content['application/json']?.schema ?? {};
    const reference = '$ref' in content ? String(content.$ref).split('/').at(-1) : '';
    const body = Object.keys(document.components.schemas[reference ?? '']?.properties ?? {});
    const query = (operation.parameters ?? []).filter((one) => one.in === 'query');
    return [...body, ...query.map(({ name }) => name)]
      .filter((name) => !section.includes(`\`${name}\``))
      .map((name) => `${operation.operationId}: ${name}`);
  });
  expect(silent).toEqual([]);
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
