// What a request may cost: estimated by the rows that it can have, before anything is run.

import { GraphQLError, parse, visit } from 'graphql';
import { expect, test } from 'vitest';
import { costOf, maxCost } from '../../src/graphql/limits/cost.ts';
import { checkCost } from '../../src/graphql/limits/cost-limit.ts';
import { readable, refuseRepeated } from '../../src/graphql/limits/repeated-fields.ts';
import { openCatalog } from '../catalog.ts';
import { bombs } from './bombs.ts';

async function costsOf() {
  const { schema } = await import('../../src/graphql/schema.ts');
  return (query: string, variables: Record<string, unknown> = {}): number =>
    costOf(schema, parse(query), null, variables).total;
}

test('a list costs by its rows, wherever their number is written', async () => {
  const cost = await costsOf();
  const rows = 'nodes { id title parent { id } }';
  const plain = cost(`{ resources(first: 700) { ${rows} } }`);
  expect(plain).toBeGreaterThan(700 * 4);
  expect(plain).toBeLessThan(700 * 5);
  const spread = (on: string) => `... on ${on} { ... on ${on} { ${rows} } }`;
  for (const [query, variables] of [
    [`{ resources(last: 700) { ${rows} } }`],
    [`{ resources(last: 700) { ${rows} } }`],
    [`query ($n: Int) { resources(first: $n) { ${rows} } }`, { n: 700 }],
    [`query ($n: Int = 700) { resources(first: $n) { ${rows} } }`],
    [`{ ...All } fragment All on Query { resources(first: 700) { ${rows} } }`],
    [`{ resources(first: 700) { ...R } } fragment R on ResourceConnection { ${rows} }`],
    [`{ resources(first: 700) { ${spread('ResourceConnection')} } }`],
    [
      `query ($no: Boolean!) { resources(first: 700) { ${rows} edges @skip(if: $no) { cursor } } }`,
      { no: true },
    ],
    [`{ resources(first: 700) { ${rows} edges @include(if: false) { cursor } } }`],
  ] as const) {
    expect(cost(query, variables), query).toBe(plain);
  }
  const [one, two] = [1, 2].map((n) =>
    cost(
      `{ ${Array.from({ length: n }, (_, i) => `a${i}: resources(first: 700) { ${rows} }`).join(' ')} }`,
    ),
  );
  expect([one, two]).toEqual([plain, 2 * plain]);
  // Null means what leaving it out means: a page of the usual size.
  const usual = cost(`{ resources { ${rows} } }`);
  expect(cost(`query ($n: Int) { resources(first: $n) { ${rows} } }`, { n: null })).toBe(usual);
  expect(cost(`query ($n: Int) { resources(first: $n) { ${rows} } }`)).toBe(usual);
  expect(usual).toBeGreaterThan(50 * 4);
});

test('lists within lists are multiplied', async () => {
  const cost = await costsOf();
  const nested = (a: number, b: number) =>
    cost(`{ resources(first: ${a}) { nodes { children(first: ${b}) { nodes { id title } } } } }`);
  expect(nested(100, 100)).toBeGreaterThan(100 * 100 * 2);
  expect(nested(100, 100) / nested(100, 10)).toBeGreaterThan(8);
  expect(nested(100, 100) / nested(10, 100)).toBeGreaterThan(8);
  // Of kinds that exclude each other one object has the dearest, not all.
  const kinds = ['Table', 'Column', 'Dashboard'].map((kind) => `... on ${kind} { columns: title }`);
  const each = kinds.map((kind) => cost(`{ resources(first: 100) { nodes { id ${kind} } } }`));
  expect(cost(`{ resources(first: 100) { nodes { id ${kinds.join(' ')} } } }`)).toBe(
    Math.max(...each),
  );
});

test('query bombs are refused with a reason, and ask the database nothing', async () => {
  await using catalog = await openCatalog();
  const caller = { as: 'viewer' } as const;
  await catalog.graphql('{ viewer { id } }', {}, caller);
  for (const [name, query, variables] of bombs) {
    const { value, statements } = await catalog.counting(() =>
      catalog.graphql(query, variables, caller),
    );
    expect(value.errors?.[0]?.extensions.code, name).toBe('BAD_REQUEST');
    expect(value.errors?.[0]?.message.length, name).toBeLessThan(1_000);
    expect(value.data ?? null, name).toBeNull();
    expect(
      statements.filter((text) => !/\bapi_key\b/.test(text)),
      name,
    ).toEqual([]);
  }
  expect(catalog.unexpected).toEqual([]);
});

test('a list that takes no number costs little, and its rows count among the fields of the answer', async () => {
  await using catalog = await openCatalog();
  const { workspaceId } = catalog;
  const { id } = await catalog.team();
  await catalog.owner.query(
    `with made as (insert into user_account (workspace_id, email, role)
        select $1::uuid, 'member-' || n || '@example.com', 'viewer' from generate_series(1, 6000) n returning id)
      update team set member_ids = (select array_agg(id) from made) where id = $2::uuid`,
    [workspaceId, id],
  );
  const asking = (lists: number) => {
    const members = Array.from({ length: lists }, (_, n) => `m${n}: members { id }`);
    return `query ($id: ID!) { team(id: $id) { ${members.join(' ')} } }`;
  };
  const few = await catalog.graphql(asking(2), { id });
  expect(few.data.team.m1).toHaveLength(6_000);
  const many = await catalog.graphql(asking(90), { id });
  expect(many.errors?.[0]).toMatchObject({
    message: expect.stringMatching(/over 500,000 fields/),
    extensions: { code: 'BAD_REQUEST' },
  });
});

test('no value is another cost than none that is said', async () => {
  const { schema } = await import('../../src/graphql/schema.ts');
  const rows =
    'children(first: $n) { nodes { children(first: $n) { nodes { id title kind url icon } } } }';
  const document = parse(`query ($n: Int = 0) { resources(first: $n) { nodes { ${rows} } } }`);
  checkCost({ schema, document, variableValues: {} });
  // Null stands for a page of the usual size.
  expect(() => checkCost({ schema, document, variableValues: { n: null } })).toThrow(
    /costs 6\d\d,/,
  );
  checkCost({ schema, document, variableValues: {} });
});

test('a filter of thousands of parts is refused before it is read, whatever they hold', async () => {
  await using catalog = await openCatalog();
  const query = 'query ($w: ResourceWhere) { resources(where: $w) { nodes { id } } }';
  for (const w of [
    { or: Array.from({ length: 20_000 }, () => ({})) },
    { and: [{ not: { or: Array.from({ length: 20_000 }, () => ({ id: {} })) } }] },
  ]) {
    const { errors } = await catalog.graphql(query, { w });
    expect(errors?.[0]?.message).toBe(
      'w: It joins more than 1,000 filters; one has 100 conditions at most.',
    );
    expect(errors?.[0]?.extensions.code).toBe('BAD_REQUEST');
  }
  const { errors } = await catalog.graphql(query, { w: { or: Array(101).fill({}) } });
  expect(errors?.[0]?.message).toContain('100 conditions');
  expect((await catalog.graphql(query, { w: { or: [{}, {}] } })).errors).toBeUndefined();
});

test('fields that are named again and again are refused before they are compared, and in words', async () => {
  await using catalog = await openCatalog();
  const sentence = async (query: string) => {
    const { errors } = await catalog.graphql(query);
    return errors?.[0]?.message;
  };
  expect(await sentence(`{ viewer { ${'id '.repeat(201)} } }`)).toBe(
    'The query names the same fields again and again, last `id`: name each field once in a selection.',
  );
  const { data } = await catalog.graphql(`{ viewer { ${'id '.repeat(200)} } }`);
  expect(data).toEqual({ viewer: { id: catalog.idOf('admin') } });
  // Each fragment has few, all of them together many; each object has few, all objects together many.
  const names = Array.from({ length: 14 }, (_, n) => `F${n}`);
  const fragments = names.map(
    (name) => `fragment ${name} on Query { ${'viewer { id } '.repeat(50)} }`,
  );
  const spreads = names.map((name) => `...${name}`);
  const again = /^The query names the same fields again and again, last `(viewer|id)`/;
  expect(await sentence(`{ ${spreads.join(' ')} } ${fragments.join(' ')}`)).toMatch(again);
  expect(await sentence(`{ ${`viewer { ${'id '.repeat(21)} } `.repeat(10)} }`)).toMatch(again);
  // Fragments that double in each other, fourteen times, by other names.
  const doubling = Array.from({ length: 14 }, (_, n) => {
    const next = n === 13 ? 'id' : `a: parent { ...D${n + 1} } b: parent { ...D${n + 1} }`;
    return `fragment D${n} on Resource { ${next} }`;
  });
  expect(await sentence(`{ resources { nodes { ...D0 } } } ${doubling.join(' ')}`)).toBe(
    'The fragments of the query are used in each other so often that it has more than 20,000 fields: use fewer of them.',
  );
});

/** What refuses a document, having looked at no more selections than one may have, however often fragments use others. */
function refusalOf(query: string): string | undefined {
  let looked = 0;
  const document = visit(parse(query), {
    SelectionSet: {
      leave(set) {
        const selections = Object.assign([...set.selections], {
          *[Symbol.iterator]() {
            for (const selection of set.selections) {
              looked += 1;
              yield selection;
            }
          },
        });
        return { ...set, selections };
      },
    },
  });
  const refusal = refuseRepeated(document);
  expect(looked).toBeLessThanOrEqual(20_001);
  return refusal?.message;
}

test('fragments are counted that have no fields', () => {
  // Objects that fragments multiply, in each of which hundreds of fragments of one name are used.
  const many = `fragment L on Query { ${'... { ...C } '.repeat(600)} } fragment C on Query { __typename }`;
  const names = [...'abcdefghi'];
  const levels = [0, 1, 2, 3].map((level) => {
    const below = names.map((name) => `${name} { ...X${level + 1} }`);
    return `fragment X${level} on Query { ...L ${below.join(' ')} }`;
  });
  const whole = `{ ...X0 } ${many} ${levels.join(' ')} fragment X4 on Query { ...L }`;
  expect(refusalOf(whole)).toMatch(/^The fragments of the query are used in each other so often/);
  const among = (count: number) => {
    const each = Array.from({ length: count }, (_, n) => `B${n}`);
    const fragments = each.map((name) => `fragment ${name} on Query { ...C }`);
    return `{ ${each.map((name) => `...${name}`).join(' ')} } ${fragments.join(' ')} ${many}`;
  };
  expect(refusalOf(among(550))).toMatch(/^The query uses so many fragments in one object/);
  expect(refusalOf(among(190))).toBeUndefined();
});

test('where graphql-js gives up, an error says why', () => {
  const [other, error] = [
    new GraphQLError('Unknown type.'),
    new GraphQLError('Validation aborted.'),
  ];
  const errors = readable([other, error]);
  expect(errors[0]).toBe(other);
  expect(errors[1]?.message).toMatch(/^The fragments of the query are used in each other, or name/);
});

test('a refusal says what it costs, what it may cost, and which field is the dearest', async () => {
  await using catalog = await openCatalog();
  const { errors } = await catalog.graphql(`{ viewer { id }
    resources(first: 1000) { nodes { id children(first: 1000) { nodes { id title kind } } } } }`);
  expect(errors?.[0]?.message).toMatch(
    /^This request costs [\d,]+, and one may cost 500,000\. The most expensive field is `resources\.nodes\.children\.nodes`/,
  );
  expect(maxCost).toBe(500_000);
});

test.each([
  '... on Table { columns { id title type description pii } }',
  '... on Table { owners { name } tags { name } columns { id title type pii tags { name } owners { name } } }',
  'titleFull owners { name email } ownerGroups { name } tags { name color } teams { name } parent { title } monitors { name status } customProperties { property { name } value } openIncidents { name severity }',
  '... on Table { columns { title customProperties { property { name } value } tags { name } owners { name } } } children { totalCount nodes { title tags { name } } }',
])('a list of a hundred that asks each for %s is within the limit', async (fields) => {
  const cost = await costsOf();
  for (const kind of ['table', 'column']) {
    const query = `{ resources(first: 100, where: { kind: { eq: ${kind} } }) { totalCount nodes { id title ${fields} } pageInfo { endCursor } } }`;
    expect(cost(query)).toBeLessThan(maxCost);
  }
});
