// Typed filters: what each condition finds, how they join, and what is refused, word for word.

import pg from 'pg';
import { afterAll, expect, inject, test } from 'vitest';
import { CatalogError } from '../../src/errors.ts';
import { Prisma } from '../../src/generated/prisma/client.ts';
import { column, compileWhere, type Members, orderTerms } from '../../src/lists/where.ts';

// The rows are in the statements themselves: it takes a server, but no table of it.
const pool = new pg.Pool({ connectionString: inject('server'), max: 1, allowExitOnIdle: true });
afterAll(() => pool.end());

const [a, b, c] = ['a', 'b', 'c'].map((digit) => `${digit.repeat(8)}-0000-4000-8000-000000000000`);

/** Four rows; the last one has nothing set but its name. */
const from = Prisma.sql`(values
  ('one', ${a}::uuid, array[${a}, ${b}]::uuid[], '50% off', true, timestamptz '2026-01-01T00:00:00Z', 1.5::float8),
  ('two', ${b}::uuid, array[${b}]::uuid[], 'a\\b_c', false, timestamptz '2026-01-02T00:00:00Z', 2::float8),
  ('three', ${c}::uuid, '{}'::uuid[], 'abcd', true, timestamptz '2026-01-03T00:00:00Z', -3::float8),
  ('four', null, '{}', '', null, null, null)
  ) r(name, id, tags, title, flag, at, size)`;

/** Things that rows have sets of: the viewer may know of those that are not secret. */
const things = Prisma.sql`(values (${a}::uuid, 'red', false), (${b}::uuid, 'blue', false), (${c}::uuid, 'red', true))
  w(id, name, secret)`;

const own = {
  id: column('r.id', 'id'),
  title: column('r.title'),
  flag: column('r.flag', 'boolean'),
  at: column('r.at', 'time'),
  size: column('r.size', 'number'),
};
const members: Members = {
  ...own,
  self: { joined: own },
  tags: {
    field: { sql: Prisma.raw('r.tags'), type: 'ids' },
    from: things,
    seen: Prisma.sql`not w.secret`,
    id: Prisma.sql`w.id`,
    members: { id: column('w.id', 'id'), name: column('w.name') },
  },
  is: { holds: (id) => Prisma.sql`r.id = ${id}::uuid` },
};

async function found(where: unknown): Promise<string[]> {
  const { text, values } =
    Prisma.sql`select r.name from ${from} where ${compileWhere(where, members).where}`;
  const { rows } = await pool.query<{ name: string }>(text, values);
  return rows.map(({ name }) => name);
}

const all = ['one', 'two', 'three', 'four'];

const finds: readonly [where: object | null | undefined, names: string[]][] = [
  [undefined, all],
  [null, all],
  [{}, all],
  [{ title: null, flag: undefined, size: {} }, all],
  [{ title: { eq: 'abcd' } }, ['three']],
  [{ title: { eq: 'ABCD' } }, []],
  [{ title: { in: ['abcd', '50% off'] } }, ['one', 'three']],
  [{ title: { in: [] } }, []],
  [{ title: { contains: 'B' } }, ['two', 'three']],
  [{ title: { contains: '%' } }, ['one']],
  [{ title: { isSet: false } }, ['four']],
  [{ title: { contains: 'b', in: ['abcd'] } }, ['three']],
  [{ flag: true }, ['one', 'three']],
  [{ flag: false }, ['two']],
  [{ not: { flag: false } }, ['one', 'three', 'four']],
  [{ size: { gte: 1.5, lt: 2 } }, ['one']],
  [{ size: { lte: 1.5 } }, ['one', 'three']],
  [{ size: { isSet: true } }, ['one', 'two', 'three']],
  [{ at: { gt: new Date('2026-01-02T00:00:00Z') } }, ['three']],
  [{ at: { lte: '2026-01-02T00:00:00Z' } }, ['one', 'two']],
  [{ id: { eq: a } }, ['one']],
  [{ id: { in: [a, c] } }, ['one', 'three']],
  [{ is: b }, ['two']],
  [{ self: { flag: true, title: { contains: 'ab' } } }, ['three']],
  [{ not: { self: { flag: true } } }, ['two', 'four']],
  [{ tags: { some: { id: { eq: b } } } }, ['one', 'two']],
  [{ tags: { some: { name: { eq: 'red' } } } }, ['one']],
  [{ tags: { some: { not: { name: { eq: 'red' } } } } }, ['one', 'two']],
  [{ tags: { none: { name: { eq: 'red' } } } }, ['two', 'three', 'four']],
  [{ tags: { some: {} } }, ['one', 'two']],
  [{ tags: { isSet: false } }, ['three', 'four']],
  [{ or: [{ flag: false }, { title: { eq: 'abcd' } }] }, ['two', 'three']],
  [{ flag: true, or: [{ size: { gt: 0 } }, { id: { eq: b } }] }, ['one']],
  [{ and: [{ flag: true }, { size: { lt: 0 } }] }, ['three']],
  [{ not: { or: [{ flag: true }, { size: { eq: 2 } }] } }, ['four']],
];

test.each(finds)('%j', async (where, names) => {
  expect(await found(where)).toEqual(names);
});

const deep = (levels: number): object =>
  levels === 0 ? { flag: true } : { not: deep(levels - 1) };
const wide = (n: number) => ({ or: Array.from({ length: n }, () => ({ flag: true })) });

test('filters nest to ten levels, and have a hundred conditions', async () => {
  expect(await found(deep(8))).toEqual(['one', 'three']);
  expect(await found(wide(100))).toEqual(['one', 'three']);
});

const refusals: readonly [where: unknown, field: string, message: RegExp][] = [
  ['title', 'where', /^Use an object/],
  [[{ flag: true }], 'where', /^Use an object/],
  [{ titel: { eq: 'x' } }, 'where.titel', /^Use one of id, title, flag, .*, and, or, not\.$/],
  [{ constructor: { eq: 'x' } }, 'where.constructor', /^Use one of/],
  [{ title: 'abcd' }, 'where.title', /^Use an object of conditions/],
  [{ title: { like: 'x' } }, 'where.title.like', /^Use some of eq, in, contains/],
  [{ title: { gt: 'x' } }, 'where.title.gt', /works on times and numbers/],
  [{ size: { contains: 'x' } }, 'where.size.contains', /works on text/],
  [{ at: { gte: 'yesterday' } }, 'where.at.gte', /ISO 8601/],
  [{ id: { eq: 'secret' } }, 'where.id.eq', /UUID/],
  [{ is: 'secret' }, 'where.is', /UUID/],
  [{ or: [{ flag: true }, { self: { id: { in: ['x'] } } }] }, 'where.or[1].self.id.in', /UUID/],
  [{ or: [] }, 'where.or', /at least one/],
  [{ and: { flag: true } }, 'where.and', /joins a list/],
  [{ tags: { every: {} } }, 'where.tags.every', /some, none, isSet/],
  [{ tags: { some: { id: { eq: 'x' } } } }, 'where.tags.some.id.eq', /UUID/],
  [{ tags: { some: { color: { eq: 'x' } } } }, 'where.tags.some.color', /^Use one of id, name/],
  [deep(10), `where${'.not'.repeat(10)}`, /10 levels/],
  [wide(101), 'where.or[100].flag', /100 conditions/],
  [{ or: Array.from({ length: 101 }, () => ({})) }, 'where.or[100]', /100 conditions/],
];

test.each(refusals)('%j is refused', (where, field, message) => {
  let refused: unknown;
  try {
    compileWhere(where, members);
  } catch (error) {
    refused = error;
  }
  if (!(refused instanceof CatalogError)) throw new Error('It was not refused.');
  expect(refused.code).toBe('BAD_REQUEST');
  expect(refused.fields).toEqual([{ field, message: expect.stringMatching(message) }]);
  expect(refused.message).toMatch(new RegExp(`^${field.replace(/[.[\]]/g, '\\$&')}: `));
  expect(refused.message).not.toContain('secret');
});

test('which members a filter speaks of is known, wherever they stand', () => {
  const { fields } = compileWhere(
    { or: [{ flag: true }, { not: { self: { at: { isSet: true } } } }] },
    members,
  );
  expect([...fields].sort()).toEqual(['at', 'flag', 'self']);
});

test('an order has a field in each term, and a direction', () => {
  const fields = { title: own.title.field, at: own.at.field };
  expect(orderTerms([{ at: 'desc' }, { title: 'asc' }], fields)).toMatchObject([
    { type: 'timestamptz', descending: true },
    { type: 'text', descending: false },
  ]);
  expect(orderTerms(null, fields)).toEqual([]);
  expect(() => orderTerms([{ at: 'desc', title: 'asc' }], fields)).toThrow(
    'Name one field in each term',
  );
  expect(() => orderTerms([{}], fields)).toThrow('Name one field in each term');
  expect(() => orderTerms([{ size: 'asc' }], fields)).toThrow('use one of title, at');
  expect(() => orderTerms([{ at: 'up' }], fields)).toThrow('use asc or desc');
  expect(() =>
    orderTerms(
      Array.from({ length: 11 }, () => ({ at: 'asc' })),
      fields,
    ),
  ).toThrow('10 terms');
});
