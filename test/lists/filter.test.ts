// The filter and sort language: what each operator finds in rows of every type, and what is refused, word for word.

import pg from 'pg';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { CatalogError } from '../../src/errors.ts';
import { Prisma } from '../../src/generated/prisma/client.ts';
import type { FilterFields } from '../../src/lists/field.ts';
import { parseFilter, parseSort } from '../../src/lists/filter.ts';

// The rows are in the statements themselves: it takes a server, but no table of it.
const pool = new pg.Pool({ connectionString: inject('server'), max: 1, allowExitOnIdle: true });
afterAll(() => pool.end());

async function namesOf({ text, values }: Prisma.Sql): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(text, values);
  return rows.map(({ name }) => name);
}

const [a, b, c] = ['a', 'b', 'c'].map((digit) => `${digit.repeat(8)}-0000-4000-8000-000000000000`);
const absent = 'dddddddd-0000-4000-8000-000000000000';

/** Four rows; the last one has nothing set but its name. */
const from = Prisma.sql`(values
  ('one', ${a}::uuid, array[${a}, ${b}]::uuid[], '50% off', true, timestamptz '2026-01-01T00:00:00Z', 1.5::float8),
  ('two', ${b}::uuid, array[${b}]::uuid[], 'a\\b_c', false, timestamptz '2026-01-02T00:00:00Z', 2::float8),
  ('three', ${c}::uuid, '{}'::uuid[], 'abcd', true, timestamptz '2026-01-03T00:00:00Z', -3::float8),
  ('four', null, '{}', '', null, null, null)
  ) r(name, id, tags, title, flag, at, size)`;

const column = (name: string) => Prisma.raw(`r.${name}`);
/** What some viewer may know of: not of ${b}. */
const among = (ids: Prisma.Sql) =>
  Prisma.sql`array(select x from unnest(${ids}) x where x <> ${b}::uuid)`;

const fields: FilterFields = {
  id: { sql: column('id'), type: 'id' },
  tags: { sql: column('tags'), type: 'ids' },
  title: { sql: column('title'), type: 'text' },
  kind: { sql: column('name'), type: 'text', parse: (value) => value.toLowerCase() },
  flag: { sql: column('flag'), type: 'boolean' },
  at: { sql: column('at'), type: 'time' },
  size: { sql: column('size'), type: 'number' },
  known_id: { sql: column('id'), type: 'id', among },
  known_tags: { sql: column('tags'), type: 'ids', among },
};

async function found(filter: unknown): Promise<string[]> {
  const { where } = parseFilter(filter, fields);
  return namesOf(Prisma.sql`select r.name from ${from} where ${where}`);
}

const term = (operator: string | undefined, field: string, value?: unknown) => ({
  ...(operator === undefined ? {} : { operator }),
  field,
  value,
});

const rowsFound: [string | undefined, string, unknown, string[]][] = [
  [undefined, 'title', 'abcd', ['three']],
  ['exact', 'title', 'ABCD', []],
  ['exact', 'title', null, ['four']],
  ['exact', 'id', a, ['one']],
  ['exact', 'id', a?.toUpperCase(), ['one']],
  ['exact', 'id', null, ['four']],
  ['exact', 'tags', b, ['one', 'two']],
  ['exact', 'tags', null, ['three', 'four']],
  ['exact', 'flag', true, ['one', 'three']],
  ['exact', 'flag', 'true', ['one', 'three']],
  ['exact', 'flag', false, ['two']],
  ['exact', 'flag', 'false', ['two']],
  ['exact', 'flag', null, ['four']],
  ['exact', 'size', 2, ['two']],
  ['exact', 'size', ' 2 ', ['two']],
  ['exact', 'at', '2026-01-02T00:00:00Z', ['two']],
  ['exact', 'at', '2026-01-02T01:00:00+01:00', ['two']],
  ['exact', 'at', '2026-01-02T00:00:00', ['two']],
  ['exact', 'at', '2026-01-02', ['two']],
  ['exact', 'kind', 'ONE', ['one']],
  ['in', 'title', ['abcd', '50% off'], ['one', 'three']],
  ['in', 'title', ['abcd'], ['three']],
  ['in', 'title', [], []],
  ['in', 'id', [a, c, absent], ['one', 'three']],
  ['in', 'tags', [a, absent], ['one']],
  ['in', 'kind', ['One', 'TWO'], ['one', 'two']],
  ['in', 'flag', [true, 'false'], ['one', 'two', 'three']],
  ['in', 'size', [2, '-3'], ['two', 'three']],
  ['in', 'title', Array(10_000).fill('abcd'), ['three']],
  ['contains', 'title', 'BC', ['three']],
  ['contains', 'title', '%', ['one']],
  ['contains', 'title', '0% ', ['one']],
  ['contains', 'title', '_', ['two']],
  ['contains', 'title', '\\', ['two']],
  ['contains', 'title', 'b_c', ['two']],
  ['contains', 'title', '', ['one', 'two', 'three', 'four']],
  ['contains', 'tags', a, ['one']],
  ['is_set', 'title', undefined, ['one', 'two', 'three']],
  ['is_set', 'title', null, ['one', 'two', 'three']],
  ['is_set', 'title', true, ['one', 'two', 'three']],
  ['is_set', 'title', 'true', ['one', 'two', 'three']],
  ['is_set', 'title', false, ['four']],
  ['is_set', 'title', 'false', ['four']],
  ['is_set', 'tags', true, ['one', 'two']],
  ['is_set', 'tags', false, ['three', 'four']],
  ['is_set', 'flag', true, ['one', 'two', 'three']],
  ['is_set', 'at', false, ['four']],
  ['gt', 'size', 1.5, ['two']],
  ['gte', 'size', '1.5', ['one', 'two']],
  ['lt', 'size', 1.5, ['three']],
  ['lte', 'size', 1.5, ['one', 'three']],
  ['gt', 'size', -1e308, ['one', 'two', 'three']],
  ['gt', 'at', '2026-01-02', ['three']],
  ['gte', 'at', '2026-01-02', ['two', 'three']],
  ['lt', 'at', '2026-01-02T00:00:00.000Z', ['one']],
  ['lte', 'at', '2026-01-02', ['one', 'two']],
  ['gte', 'at', '1970-01-01T00:00:00Z', ['one', 'two', 'three']],
  ['lte', 'at', '9999-12-31T23:59:59Z', ['one', 'two', 'three']],
  // Of what the viewer may not know of, nothing is found, not even that it is there.
  ['exact', 'known_id', a, ['one']],
  ['exact', 'known_id', b, []],
  ['in', 'known_id', [a, b, c], ['one', 'three']],
  ['is_set', 'known_id', true, ['one', 'three']],
  ['is_set', 'known_id', false, ['two', 'four']],
  ['exact', 'known_tags', b, []],
  ['exact', 'known_tags', a, ['one']],
  ['is_set', 'known_tags', true, ['one']],
  ['exact', 'known_tags', null, ['two', 'three', 'four']],
];

describe('what is found', () => {
  test.each(rowsFound)('row %#: %s %s', async (operator, field, value, names) => {
    expect((await found(term(operator, field, value))).sort()).toEqual(names.toSorted());
  });

  test('by several, joined and turned round; what is null is no match, turned round it is one', async () => {
    const [odd, flagged] = [term('gt', 'size', 0), term('exact', 'flag', true)];
    const joined = async (operator: string, operands: object[]) =>
      (await found({ operator, operands })).sort();
    expect(await joined('and', [odd, flagged])).toEqual(['one']);
    expect(await joined('or', [odd, flagged])).toEqual(['one', 'three', 'two']);
    expect(await joined('not', [odd])).toEqual(['four', 'three']);
    expect(await joined('not', [odd, flagged])).toEqual(['four', 'three', 'two']);
    expect(await joined('not', [{ operator: 'or', operands: [odd, flagged] }])).toEqual(['four']);
    const inner = { operator: 'or', operands: [term('exact', 'title', ''), flagged] };
    expect(await joined('and', [inner, term('is_set', 'size', true)])).toEqual(['one', 'three']);
  });
});

test('a filter says which fields it speaks of', () => {
  const operands = [
    term('exact', 'title', 'x'),
    { operator: 'not', operands: [term('gt', 'size', 1)] },
  ];
  expect([...parseFilter({ operator: 'and', operands }, fields).fields]).toEqual(['title', 'size']);
});

const names = Object.keys(fields).join(', ');
const operatorsSaid = 'exact, contains, in, is_set, gt, gte, lt, lte, and, or, not';
const shape = 'A filter is an object such as {"operator":"exact","field":"type","value":"table"}.';
const long = 'x'.repeat(61);
const timeSaid = 'Use an ISO 8601 date-time from 1970 to 9999, not';

const refused: [unknown, string, string][] = [
  ['title', 'filter', shape],
  [null, 'filter', shape],
  [[], 'filter', shape],
  [{ operator: 7 }, 'filter.operator', 'An operator is a string.'],
  [
    { operator: 'like' },
    'filter.operator',
    `"like" is not an operator; use one of ${operatorsSaid}.`,
  ],
  [term('exact', 'x'), 'filter.field', `"x" is not a field; use one of ${names}.`],
  [term('exact', 'toString'), 'filter.field', `"toString" is not a field; use one of ${names}.`],
  [{ field: 7 }, 'filter.field', `"7" is not a field; use one of ${names}.`],
  [{ field: ['title'] }, 'filter.field', `"title" is not a field; use one of ${names}.`],
  [
    term('exact', long),
    'filter.field',
    `"${'x'.repeat(60)}..." is not a field; use one of ${names}.`,
  ],
  [
    term('exact', long.slice(1)),
    'filter.field',
    `"${'x'.repeat(60)}" is not a field; use one of ${names}.`,
  ],
  [{ operator: 'and' }, 'filter.operands', '"and" joins a list of filters, at least one.'],
  [
    { operator: 'or', operands: [] },
    'filter.operands',
    '"or" joins a list of filters, at least one.',
  ],
  [{ operator: 'not', operands: ['x'] }, 'filter.operands[0]', shape],
  [term('in', 'title', 'x'), 'filter.value', '"in" takes a list of values.'],
  [
    term('in', 'title', Array(10_001).fill('x')),
    'filter.value',
    '"in" takes 10000 values at most.',
  ],
  [term('is_set', 'title', 'yes'), 'filter.value', '"is_set" takes true or false.'],
  [term('contains', 'size', '1'), 'filter.value', '"contains" works on text and on sets of ids.'],
  [term('contains', 'title', 1), 'filter.value', '"contains" takes a string.'],
  [
    term('contains', 'title', 'x\0'),
    'filter.value',
    'Use Unicode text without U+0000 and without half a surrogate pair.',
  ],
  [term('gt', 'title', 'x'), 'filter.value', '"gt" works on times and numbers.'],
  [term('lte', 'id', a), 'filter.value', '"lte" works on times and numbers.'],
  [term('exact', 'id', 7), 'filter.value', 'Use an id, which is a UUID.'],
  [term('exact', 'tags', 'x'), 'filter.value', 'Use an id, which is a UUID.'],
  [term('exact', 'title', 7), 'filter.value', 'Use a string, not 7.'],
  [term('exact', 'title'), 'filter.value', 'Use a string, not nothing.'],
  [term('exact', 'title', 'x'.repeat(10_001)), 'filter.value', 'Use at most 10000 characters.'],
  [
    term('exact', 'title', '\ud800'),
    'filter.value',
    'Use Unicode text without U+0000 and without half a surrogate pair.',
  ],
  [term('exact', 'flag', 1), 'filter.value', 'Use true or false, not 1.'],
  [term('exact', 'size', 'x'), 'filter.value', 'Use a number, not "x".'],
  [term('exact', 'size', ''), 'filter.value', 'Use a number, not "".'],
  [term('exact', 'size', ' '), 'filter.value', 'Use a number, not " ".'],
  [term('exact', 'size', '1e999'), 'filter.value', 'Use a number, not "1e999".'],
  [term('exact', 'size', true), 'filter.value', 'Use a number, not true.'],
  [term('gt', 'at', 'soon'), 'filter.value', `${timeSaid} "soon".`],
  [term('gt', 'at', 5), 'filter.value', `${timeSaid} 5.`],
  [term('gt', 'at', '5'), 'filter.value', `${timeSaid} "5".`],
  [term('gt', 'at', 'March 3, 2026'), 'filter.value', `${timeSaid} "March 3, 2026".`],
  [term('gt', 'at', '2026-02-30'), 'filter.value', `${timeSaid} "2026-02-30".`],
  [term('gt', 'at', '1969-12-31T23:59:59Z'), 'filter.value', `${timeSaid} "1969-12-31T23:59:59Z".`],
  [
    term('gt', 'at', '+010000-01-01T00:00:00Z'),
    'filter.value',
    `${timeSaid} "+010000-01-01T00:00:00Z".`,
  ],
];

const refusal = (work: () => unknown): CatalogError => {
  try {
    work();
  } catch (error) {
    if (error instanceof CatalogError) return error;
    throw error;
  }
  throw new Error('It was taken.');
};

test.each(refused)('refusal %#', (filter, field, message) => {
  const error = refusal(() => parseFilter(filter, fields));
  expect(error).toMatchObject({
    code: 'BAD_REQUEST',
    message: `${field}: ${message}`,
    fields: [{ field, message }],
  });
});

test('the value at the limit is taken', () => {
  expect(() => parseFilter(term('exact', 'title', 'x'.repeat(10_000)), fields)).not.toThrow();
});

test('a filter nests to 10 levels and has 100 parts, and its fault is found by its path', () => {
  const one = term('exact', 'title', 'x');
  const nested = (levels: number): object =>
    levels === 1 ? one : { operator: 'not', operands: [nested(levels - 1)] };
  expect(() => parseFilter(nested(10), fields)).not.toThrow();
  const deep = refusal(() => parseFilter(nested(11), fields, 'where'));
  expect(deep.message).toBe(
    `where${'.operands[0]'.repeat(10)}: Filters nest to 10 levels at most.`,
  );
  const many = (parts: number) => ({ operator: 'and', operands: Array(parts).fill(one) });
  expect(() => parseFilter(many(99), fields)).not.toThrow();
  const wide = refusal(() => parseFilter(many(100), fields));
  expect(wide.message).toBe('filter.operands[99]: A filter has 100 parts at most.');
});

async function sorted(sort: unknown): Promise<string[]> {
  const terms = parseSort(sort, fields).map(
    ({ by, descending }) => Prisma.sql`${by} ${Prisma.raw(descending ? 'desc' : 'asc')}`,
  );
  return namesOf(
    Prisma.sql`select r.name from ${from} order by ${Prisma.join([...terms, Prisma.sql`r.name`])}`,
  );
}

const orders: [object, string[]][] = [
  [{ field: 'size' }, ['four', 'three', 'one', 'two']],
  [{ field: 'size', order: 'desc' }, ['two', 'one', 'three', 'four']],
  [{ field: 'size', order: 'DESC' }, ['two', 'one', 'three', 'four']],
  [{ field: 'at', order: 'asc' }, ['four', 'one', 'two', 'three']],
  [{ field: 'id' }, ['four', 'one', 'two', 'three']],
  [{ field: 'title' }, ['four', 'one', 'two', 'three']],
  [{ field: 'flag' }, ['four', 'two', 'one', 'three']],
  [
    { field: 'flag', order: 'desc', tie_breaker: { field: 'size' } },
    ['three', 'one', 'four', 'two'],
  ],
  [
    { field: 'flag', tieBreaker: { field: 'size', order: 'desc' } },
    ['two', 'four', 'one', 'three'],
  ],
  [{ field: 'flag', tie_breaker: null }, ['four', 'two', 'one', 'three']],
];

test.each(orders)('%j sorts, rows without a value first', async (sort, names) => {
  expect(await sorted(sort)).toEqual(names);
});

test('each term of an order has the type that a cursor keeps its values by', () => {
  const typesOf = (field: string) => parseSort({ field }, fields).map(({ type }) => type);
  expect(['id', 'title', 'flag', 'at', 'size'].flatMap(typesOf)).toEqual([
    ...['uuid', 'text', 'boolean', 'timestamptz', 'float8'],
  ]);
});

const sortFields = 'id, title, kind, flag, at, size, known_id';
const sortShape = 'A sort is an object such as {"field":"title","order":"asc"}.';
const refusedSorts: [unknown, string, string][] = [
  ['title', 'sort', sortShape],
  [null, 'sort', sortShape],
  [[], 'sort', sortShape],
  [{}, 'sort.field', `"undefined" is not a sort field; use one of ${sortFields}.`],
  [{ field: 'tags' }, 'sort.field', `"tags" is not a sort field; use one of ${sortFields}.`],
  [{ field: 'valueOf' }, 'sort.field', `"valueOf" is not a sort field; use one of ${sortFields}.`],
  [{ field: 'title', order: 'up' }, 'sort.order', '"up" is not an order; use asc or desc.'],
  [{ field: 'title', tie_breaker: 'x' }, 'sort.tie_breaker', sortShape],
  [
    { field: 'title', tie_breaker: { field: 'size', tie_breaker: { field: 'id' } } },
    'sort.tie_breaker.tie_breaker',
    'A tie breaker cannot have one of its own.',
  ],
];

test.each(refusedSorts)('the sort %j is refused at %s', (sort, field, message) => {
  expect(refusal(() => parseSort(sort, fields))).toMatchObject({
    code: 'BAD_REQUEST',
    message: `${field}: ${message}`,
    fields: [{ field, message }],
  });
});
