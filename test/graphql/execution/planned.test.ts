// The executor of queries answers what the usual one does: random documents, data, delays and failures.

import { execute } from '@graphql-tools/executor';
import fc from 'fast-check';
import {
  buildSchema,
  type DocumentNode,
  type ExecutionResult,
  type GraphQLError,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isObjectType,
  parse,
  validate,
} from 'graphql';
import { expect, test } from 'vitest';
import { executePlanned } from '../../../src/graphql/execution/execute.ts';
import { FieldInfo } from '../../../src/graphql/execution/execution.ts';
import { Pieces } from '../../../src/limits/cooperative-scheduler.ts';
import { runs } from '../../trials/nightly.ts';

const types = /* GraphQL */ `
  type Query { thing: Thing sure: Thing! some: Some things(first: Int): [Thing!] maybe: [Thing]! count: Int! }
  type Mutation { thing: Thing sure: Thing! some: Some things(first: Int): [Thing!] maybe: [Thing]! count: Int! }
  interface Thing { id: ID! name: String next: Thing others: [Some] }
  type Plain implements Thing { id: ID! name: String next: Thing others: [Some] size(by: Int = 2): Int! tags: [String!]! sure: Thing! }
  type Fancy implements Thing { id: ID! name: String next: Thing others: [Some] grid: [[Float]!] colour: Colour all: [Thing!]! }
  union Some = Plain | Fancy
  enum Colour { RED GREEN }
`;

const leaves: Readonly<Record<string, readonly unknown[]>> = {
  ID: ['one', 7],
  String: ['text', 12, true],
  Int: [1, 2.5, 'none'],
  Float: [0.5, 'none'],
  Colour: ['RED', 'BLUE'],
};

/** Answers of all fields, the same for the same seed and path, no matter who asks and in whatever order. */
function schemaOf(seed: number): GraphQLSchema {
  const schema = buildSchema(types);
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      field.resolve = (_source, args, _ctx, info) => {
        const path = pathOf(info.path);
        const place = `${seed} ${path} ${JSON.stringify(args)}`;
        const answer = answerOf(String(info.returnType), place);
        const isInPieces = Array.isArray(answer) && hashOf(`${place}~`) % 5 === 0;
        return isInPieces ? inPieces(answer, info instanceof FieldInfo) : answer;
      };
    }
  }
  for (const name of ['Thing', 'Some']) {
    const type = schema.getType(name);
    if (!type || !('resolveType' in type)) throw new Error(`${name} is no abstract type.`);
    type.resolveType = (value: { kind: string; isLate: boolean }) =>
      value.isLate ? Promise.resolve(value.kind) : value.kind;
  }
  return schema;
}

function pathOf(path: GraphQLResolveInfo['path'] | undefined): string {
  return path ? `${pathOf(path.prev)}.${path.key}` : '';
}

function answerOf(type: string, place: string): unknown {
  const dice = hashOf(place) % 24;
  const value = () => madeOf(type, place);
  if (dice === 0) throw new Error(`thrown at ${place}`);
  if (dice === 1) return null;
  if (dice === 2) return new Error(`answered at ${place}`);
  if (dice === 3) return heard(Promise.reject(new Error(`rejected at ${place}`)));
  if (dice < 9) return heard(new Promise(setImmediate).then(value));
  if (dice < 12) return heard(Promise.resolve().then(value));
  return value();
}

/** What no one asks for must not end the test: only what an executor makes of it may. */
function heard(promise: Promise<unknown>): Promise<unknown> {
  promise.catch(() => {});
  return promise;
}

function madeOf(type: string, place: string): unknown {
  const named = type.replace(/!$/, '');
  if (named.startsWith('[')) {
    const inner = named.slice(1, -1);
    const list = Array.from({ length: hashOf(`${place}#`) % 4 }, (_, i) => {
      const itemPlace = `${place}.${i}`;
      // What is thrown here is the whole list's.
      const dice = hashOf(itemPlace) % 24;
      return dice === 0 ? madeOf(inner, itemPlace) : answerOf(inner, itemPlace);
    });
    return list;
  }
  const few = leaves[named];
  if (few) return few[hashOf(`${place}=`) % few.length];
  const dice = hashOf(`${place}:`);
  return {
    kind: ['Plain', 'Fancy', 'Fancy', 'Nobody'][dice % 17 === 0 ? 3 : dice % 3],
    isLate: dice % 5 === 0,
  };
}

/** A list that comes in pieces of two, for an executor that takes them, and a promise of it for another. */
function inPieces(list: readonly unknown[], takesPieces: boolean): unknown {
  if (!takesPieces) return new Promise((resolve) => setImmediate(resolve, list));
  return new Pieces(async function* () {
    for (let from = 0; from < list.length; from += 2) {
      await new Promise(setImmediate);
      yield list.slice(from, from + 2);
    }
  });
}

function hashOf(text: string): number {
  let hash = 2_166_136_261;
  for (const character of text) hash = Math.imul(hash ^ character.charCodeAt(0), 16_777_619) >>> 0;
  return (hash ^ (hash >>> 13)) >>> 0;
}

const condition = fc.constantFrom(
  ...['', '', '', '@skip(if: $yes)', '@include(if: $no)', '@include(if: $yes)'],
);
const isRenamed = fc.boolean();
const plain = ['id', 'name', '__typename', '__proto__: name'];
const ofPlain = ['size', 'three: size(by: 3)', 'given: size(by: $n)', 'tags'];
const ofFancy = ['grid', 'colour'];
const named = (is: boolean, field: string) => (is ? `${field}Again: ${field}` : field);

/** Fields of a thing, in fragments, under other names, left out, and asked for twice. */
const { fields } = fc.letrec<{ fields: string; field: string }>((tie) => ({
  field: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.tuple(fc.constantFrom(...plain), condition).map((parts) => parts.join(' ')),
    fc.constantFrom('...OfPlain', '...OfFancy @skip(if: $no)'),
    fc
      .tuple(fc.constantFrom(...ofPlain), condition)
      .map(([field, when]) => `... on Plain { ${field} ${when} }`),
    fc.constantFrom(...ofFancy).map((field) => `... on Fancy { ${field} }`),
    fc
      .tuple(isRenamed, condition, tie('fields'))
      .map(([is, when, inner]) => `${named(is, 'next')} ${when} { ${inner} }`),
    fc
      .tuple(fc.constantFrom('Plain { sure', 'Fancy { all'), condition, tie('fields'))
      .map(([field, when, inner]) => `... on ${field} ${when} { ${inner} } }`),
    fc
      .tuple(isRenamed, tie('fields'))
      .map(([is, inner]) => `${named(is, 'others')} { __typename ... on Thing { ${inner} } }`),
    fc
      .tuple(fc.constantFrom('Plain', 'Fancy', 'Thing'), condition, tie('fields'))
      .map(([type, when, inner]) => `... on ${type} ${when} { ${inner} }`),
  ),
  fields: fc.array(tie('field'), { minLength: 1, maxLength: 5 }).map((all) => all.join(' ')),
}));

const rootFields = ['thing', 'sure', 'some', 'things(first: $n)', 'maybe'];
const roots = fc
  .array(fc.tuple(fc.constantFrom(...rootFields), fields), { minLength: 1, maxLength: 4 })
  .map((all) => all.map(([field, inner]) => `${field} { ... on Thing { ${inner} } }`));

function documentOf(schema: GraphQLSchema, kind: string, asked: readonly string[]): DocumentNode {
  const document =
    parse(`${kind} ($yes: Boolean! = true, $no: Boolean!, $n: Int) { count yes: count @include(if: $yes)
      n: count @skip(if: $no) ${asked.join(' ')} unused: things(first: $n) { ...OfPlain ...OfFancy } }
    fragment OfPlain on Plain { id size next { name } } fragment OfFancy on Fancy { colour next { id } }`);
  // A fragment that no object can match asks for nothing.
  const wrong = validate(schema, document).filter(({ message }) => !message.includes('never be'));
  expect(wrong).toEqual([]);
  return document;
}

const kinds = fc.constantFrom('query', 'mutation');

test('an operation is answered as the usual executor answers it', async () => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(fc.nat(), kinds, roots, fc.boolean(), async (seed, kind, asked, no) => {
      const schema = schemaOf(seed);
      const document = documentOf(schema, kind, asked);
      const args = { schema, document, variableValues: { no, n: 3 } };
      // The second time the plan is there already.
      for (const _ of [1, 2]) {
        const ours = await executePlanned(args);
        await new Promise(setImmediate);
        const theirs = await unheard(() => execute(args));
        if (!ours || 'initialResult' in theirs) throw new Error('It was not planned.');
        compare(ours, theirs);
        compared += 1;
      }
    }),
    { numRuns: runs(1_000) },
  );
  expect(compared).toBe(2 * runs(1_000));
});

/** A branch that the usual executor has given up goes on for as many turns as it is deep, and more. */
const turnsOfWhatIsLeft = 100;

/** The usual executor leaves rejections that no one hears; ours must not, and is run outside of this. */
async function unheard<T>(work: () => T): Promise<Awaited<T>> {
  const listeners = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection');
  const ignore = () => {};
  process.on('unhandledRejection', ignore);
  try {
    const result = await work();
    for (let turn = 0; turn < turnsOfWhatIsLeft; turn += 1) await new Promise(setImmediate);
    return result;
  } finally {
    process.removeListener('unhandledRejection', ignore);
    for (const listener of listeners) process.on('unhandledRejection', listener);
  }
}

/**
 * The data is the same to the letter. What is null for an error has one in both; where more than one thing
 * failed around it, either may be told, since that depends on which came first.
 */
function compare(ours: ExecutionResult, theirs: ExecutionResult): void {
  expect(JSON.stringify(ours.data)).toBe(JSON.stringify(theirs.data));
  const [own, usual] = [byPlace(ours), byPlace(theirs)];
  expect([...own.keys()].sort()).toEqual([...usual.keys()].sort());
  for (const [place, errors] of own) {
    const others = usual.get(place) ?? [];
    for (const error of errors) {
      if (error.path?.join('.') !== place) continue;
      expect(others.map(told)).toContainEqual(told(error));
    }
  }
}

const told = ({ message, path, locations, originalError }: GraphQLError) => ({
  message,
  path,
  locations,
  hasCause: originalError !== undefined,
});

/** Errors by the place that is null for them. */
function byPlace({ data, errors = [] }: ExecutionResult): Map<string, GraphQLError[]> {
  const found = new Map<string, GraphQLError[]>();
  for (const error of errors) {
    const steps: (string | number)[] = [];
    let at: unknown = data;
    for (const step of error.path ?? []) {
      if (at === null || at === undefined) break;
      steps.push(step);
      at = Object.getOwnPropertyDescriptor(at, step)?.value;
    }
    expect(at ?? null).toBeNull();
    const place = steps.join('.');
    found.set(place, [...(found.get(place) ?? []), error]);
  }
  return found;
}
