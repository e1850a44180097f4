// Reads table functions over whole tables: `TUMBLE(TABLE bids, DESCRIPTOR(ts), ...)` and their kin.

import {
  bodyOf,
  columnPath,
  type Identifier,
  isQuery,
  kindOf,
  listAt,
  type Node,
  tablePath,
  textAt,
  unwrap,
} from '../node.ts';
import { allSources, type Column, joined, NOTHING, type Relation } from '../scope/relation.ts';
import { inside, newItem, type Scope } from '../scope/scope.ts';
import { columnOfItem } from './expressions/column.ts';
import { traceQuery, traceTable } from './query.ts';
import type { Trace } from './trace.ts';

const WINDOWS = /^(?:tumble|hop|cumulate|session)$/i;

/**
 * Read a function that is given tables: their columns go through, but for those that EXCLUDE_COLUMNS
 * names; windows add their bounds. False for a function that is given none.
 */
export function readTableArguments(
  trace: Trace,
  body: Node,
  alias: Identifier | null,
  scope: Scope,
): boolean {
  const args = listAt(body, 'args').map(argumentOf);
  const name = textAt(body, 'name') ?? '';
  const relations = args.flatMap((argument) => tableOf(trace, name, argument, scope));
  if (relations.length === 0) return false;
  const input = joined(relations);
  const described = args.flatMap(descriptorOf);
  if (/^exclude_columns$/i.test(name)) {
    scope.items.push(newItem(without(input, described), alias));
    return true;
  }
  const isWindow = WINDOWS.test(name);
  const rest = allSources(input);
  // What other functions add is not known by name, and may be made of all that they are given.
  const more = { name: { name: '*', quoted: true }, sources: rest, expression: null };
  const made = isWindow ? boundsOf(trace, input, described) : [more];
  const relation = { columns: [...input.columns, ...made], open: input.open };
  scope.items.push(newItem(relation, alias, { rest: isWindow ? null : rest }));
  return true;
}

function argumentOf(argument: unknown): unknown {
  return kindOf(argument) === 'named_argument' ? bodyOf(argument).value : argument;
}

/** `TABLE t`, `TABLE(t)` or a query as an argument; a function of values takes a query for one. */
function tableOf(trace: Trace, called: string, argument: unknown, scope: Scope): Relation[] {
  const body = bodyOf(argument);
  if (kindOf(argument) === 'table_argument' && textAt(body, 'prefix')?.toUpperCase() === 'TABLE') {
    const inner = unwrap(body.this);
    if (isQuery(inner)) return [traceQuery(trace, inner, inside(scope))];
    return [traceTable(trace, bodyOf(inner), inside(scope))];
  }
  const isTableFunction = !/^(?:json|jsonb|xml|unnest|regexp|string)_?/i.test(called);
  if (kindOf(argument) === 'subquery' && isTableFunction)
    return [traceQuery(trace, argument, inside(scope))];
  const isTable = kindOf(argument) === 'function' && /^table$/i.test(textAt(body, 'name') ?? '');
  const [only] = isTable ? listAt(body, 'args') : [];
  const path = only === undefined ? null : columnPath(only);
  if (!path) return [];
  const [name = null, schema = null, catalog = null] = [...path].reverse();
  const table = { name, schema, catalog };
  return tablePath(table).length > 0 ? [traceTable(trace, table, inside(scope))] : [];
}

/** The names in `DESCRIPTOR(a, b)`. */
function descriptorOf(argument: unknown): Identifier[] {
  const body = bodyOf(argument);
  const isOne = kindOf(argument) === 'function' && /^descriptor$/i.test(textAt(body, 'name') ?? '');
  const names = isOne ? listAt(body, 'args').map((one) => columnPath(one)?.at(-1)) : [];
  return names.filter((name) => name !== undefined);
}

function without(relation: Relation, names: readonly Identifier[]): Relation {
  const gone = new Set(names.map(({ name }) => name.toLowerCase()));
  return {
    columns: relation.columns.filter(({ name }) => !gone.has(name.name.toLowerCase())),
    open: relation.open.map((star) => ({ ...star, except: new Set([...star.except, ...gone]) })),
  };
}

/** Where a window begins and ends is made of the column of time. */
function boundsOf(trace: Trace, input: Relation, times: readonly Identifier[]): Column[] {
  const [time] = times;
  const item = newItem(input, null);
  const sources = (time && columnOfItem(trace, item, time)?.sources) ?? NOTHING;
  return ['window_start', 'window_end', 'window_time'].map((name) => ({
    name: { name, quoted: false },
    sources,
    expression: null,
  }));
}
