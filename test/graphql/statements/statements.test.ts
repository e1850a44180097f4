// Statements of lists: their number does not grow with the rows, whichever field of whatever type is asked for.

import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  getNamedType,
  isAbstractType,
  isInterfaceType,
  isLeafType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { schema } from '../../../src/graphql/schema.ts';
import { type Catalog, openCatalog } from '../../catalog.ts';
import { sayCounted } from '../../gates/counted.ts';
import { fillTwelve, rowsOfEach, type Twelve } from './twelve.ts';

let catalog: Catalog;
let twelve: Twelve;
beforeAll(async () => {
  catalog = await openCatalog({ alone: true });
  twelve = await fillTwelve(catalog);
}, 60_000);
afterAll(() => catalog[Symbol.asyncDispose]());

type Field = GraphQLField<unknown, unknown>;

/** A way to many objects of a type: a query for so many rows, around what is asked of each object. */
type Way = (rows: number, inner: string) => string;

/** Arguments that root fields need. */
const given = (): Readonly<Record<string, string>> => ({
  'search.query': '"zz"',
  'measurements.monitorId': JSON.stringify(twelve.monitorId),
  'resourceLogs.resourceId': JSON.stringify(twelve.tableIds[0]),
});

const isOptional = ({ args }: Field) =>
  args.every(({ type, defaultValue }) => !isNonNullType(type) || defaultValue !== undefined);

function callOf(field: Field, rows: number): string {
  const known = field.args.flatMap(({ name }) => {
    const value = given()[`Query.${field.name}.${name}`] ?? given()[`${field.name}.${name}`];
    if (value !== undefined) return [`${name}: ${value}`];
    return name === 'first' ? [`first: ${rows}`] : [];
  });
  return field.name + (known.length > 0 ? `(${known.join(', ')})` : '');
}

/** What objects a field leads to, and how: through the rows of a page, or itself. */
function leadsTo(field: Field, rows = 3): { type: GraphQLNamedType; open: string; close: string } {
  const named = getNamedType(field.type);
  const call = callOf(field, rows);
  const nodes =
    isObjectType(named) && named.name.endsWith('Connection') ? named.getFields().nodes : undefined;
  if (!nodes) return { type: named, open: `${call} {`, close: '}' };
  return { type: getNamedType(nodes.type), open: `${call} { nodes {`, close: '} }' };
}

/** The ways to all types of objects: from the lists of the root that can be bounded, the shortest first. */
function waysToAll(): Map<string, Way> {
  const ways = new Map<string, Way>();
  const queue: [GraphQLNamedType, Way][] = [];
  const add = (type: GraphQLNamedType, way: Way) => {
    if (ways.has(type.name)) return;
    ways.set(type.name, way);
    queue.push([type, way]);
  };
  for (const field of Object.values(schema.getQueryType()?.getFields() ?? {})) {
    const isBounded = field.args.some(({ name }) => name === 'first');
    const isAskable = field.args.every(
      (argument) => !isNonNullType(argument.type) || given()[`${field.name}.${argument.name}`],
    );
    if (!isBounded || !isAskable || field.name === 'resources') continue;
    const { type, open, close } = leadsTo(field);
    const around = (rows: number) => leadsTo(field, rows).open;
    if (type.name !== 'Resource' && open !== '')
      add(type, (rows, inner) => `{ ${around(rows)} ${inner} ${close} }`);
  }
  // Resources of a kind each, so that there are as many of each type as are asked for.
  for (const [kind, type] of typesOfKinds()) {
    add(
      type,
      (rows, inner) =>
        `{ resources(first: ${rows}, kinds: [${kind}]) { nodes { ... on ${type.name} { ${inner} } } } }`,
    );
  }
  for (let next = queue.shift(); next; next = queue.shift()) {
    const [type, way] = next;
    for (const field of fieldsOf(type)) {
      const { type: to, open, close } = leadsTo(field);
      if (isLeafType(to) || !isOptional(field)) continue;
      const types = isAbstractType(to) ? schema.getPossibleTypes(to) : [to];
      for (const one of types) {
        const within = (inner: string) => (one === to ? inner : `... on ${one.name} { ${inner} }`);
        add(one, (rows, inner) => way(rows, `${open} ${within(inner)} ${close}`));
      }
    }
  }
  return ways;
}

function typesOfKinds(): [string, GraphQLObjectType][] {
  const kinds = schema.getType('ResourceKind');
  const words = kinds && 'getValues' in kinds ? kinds.getValues() : [];
  return words.flatMap(({ name, description }) => {
    const type = schema.getType(/`(\w+)`/.exec(description ?? '')?.[1] ?? '');
    return isObjectType(type) ? [[name, type] as [string, GraphQLObjectType]] : [];
  });
}

const fieldsOf = (type: GraphQLNamedType): Field[] =>
  isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [];

interface Asked {
  readonly name: string;
  readonly of: (rows: number) => string;
  /** Whether what is asked for is an object, which may be there or not. */
  readonly isObject: boolean;
}

/** All that is asked: each object field of each type, and all other fields of the type at once. */
function askedOfAll(): Asked[] {
  return [...waysToAll()].flatMap(([name, way]): Asked[] => {
    const type = schema.getType(name);
    if (!type || name.startsWith('__')) return [];
    const askable = fieldsOf(type).filter(isOptional);
    const leaves = askable.filter((field) => isLeafType(getNamedType(field.type)));
    const objects = askable.filter((field) => !leaves.includes(field));
    const inner = leaves.map((field) => callOf(field, 3)).join(' ');
    const all =
      leaves.length > 0
        ? [{ name: `${name} itself`, of: (rows: number) => way(rows, inner), isObject: false }]
        : [];
    return [
      ...all,
      ...objects.map((field): Asked => {
        const isPage = getNamedType(field.type).name.endsWith('Connection');
        const more = isPage
          ? `${callOf(field, 3)} { totalCount met: nodes { __typename } }`
          : `met: ${callOf(field, 3)} { __typename }`;
        return { name: `${name}.${field.name}`, of: (rows) => way(rows, more), isObject: true };
      }),
    ];
  });
}

/** How many things are there under the alias that is asked for. */
function metIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (Array.isArray(value)) return value.reduce((sum: number, one) => sum + metIn(one), 0);
  return Object.entries(value).reduce((sum, [key, one]) => {
    if (key !== 'met') return sum + metIn(one);
    return sum + (Array.isArray(one) ? one.length : one === null ? 0 : 1);
  }, 0);
}

test('no field of any type takes more statements for twelve rows than for two', async () => {
  const grown: string[] = [];
  const nothing: string[] = [];
  let asked = 0;
  for (const { name, of, isObject } of askedOfAll()) {
    const count = async (rows: number) => {
      const { value, statements } = await catalog.counting(() => catalog.graphql(of(rows)));
      expect(value.errors, `${name}: ${of(rows)}`).toBeUndefined();
      return { met: metIn(value.data), statements: statements.length };
    };
    let [few, many] = [await count(2), await count(rowsOfEach)];
    // Now and then something is looked up whatever is asked, such as whether a key still works.
    for (let turn = 0; turn < 3 && many.statements > few.statements; turn += 1) {
      [few, many] = [await count(2), await count(rowsOfEach)];
    }
    asked += 1;
    if (many.statements > few.statements)
      grown.push(`${name}: ${few.statements} to ${many.statements}`);
    if (isObject && many.met < 2) nothing.push(name);
  }
  sayCounted(
    `${asked} fields of lists, each asked of 2 and of ${rowsOfEach} rows; ${nothing.length} lead to nothing here`,
  );
  expect(grown).toEqual([]);
}, 240_000);
