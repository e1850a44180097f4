// Reads calls of functions: which of their arguments are values, and which are units, types and names.

import {
  columnPath,
  identifierOf,
  isAside,
  isSet,
  kindOf,
  listAt,
  type Node,
  textAt,
} from '../../node.ts';
import { tableArgument } from '../../scope/named-table.ts';
import { words } from '../../word-set.ts';
import { readTable } from '../trace.ts';
import { isKnownHead } from './column-reference.ts';
import { aggregates, readAggregate } from './deciding.ts';
import type { ExpressionReading } from './expression.ts';

/** `dbo.f(x)` is f of the schema dbo, unless dbo is a column, a table's or one with methods. */
export function readMethod({ trace, scope, rest }: ExpressionReading, body: Node): void {
  const path = columnPath(body.this);
  const { methods } = trace.dialect;
  const name = identifierOf(body.method)?.name.toLowerCase() ?? '';
  const isMethod = path === null || methods.has('*') || methods.has(name);
  if (isMethod || isKnownHead(trace, path, scope)) rest.push(body.this);
  rest.push(...[...listAt(body, 'args')].reverse());
}

/** DuckDB's `{"id": a}` is a struct: its keys are names, also in double quotes. */
export function readMap({ rest }: ExpressionReading, body: Node): void {
  rest.push(...[...listAt(body, 'values')].reverse());
  if (!isSet(body, 'curly_brace_syntax')) rest.push(...[...listAt(body, 'keys')].reverse());
}

const UNITS = words(
  'nanosecond microsecond millisecond second sec minute hour day week isoweek weekday month',
  'quarter year isoyear decade century epoch dayofweek dayofyear doy dow',
  'ns us ms s ss mi mm m n hh d dd dy dw w wk ww q qq yy yyyy',
);
/** Date functions that may take a bare unit first, by how many arguments they then have. */
const UNIT_FIRST = [
  /$^/,
  /$^/,
  /^(?:date_?(?:part|name|trunc)|extract)$/i,
  /^(?:timestamp|date|datetime|time)_?(?:diff|add|sub|slice)$/i,
];
/** And those that may take it last. */
const UNIT_LAST = /^(?:(?:date|timestamp|datetime|time)_?trunc|trunc|last_day|next_day)$/i;

/** The place of a unit that is written like a column, as in `timestampdiff(DAY, a, b)`, or -1. */
function unitAt(name: string, args: readonly unknown[]): number {
  if (args.some((argument) => kindOf(argument) === 'var')) return -1;
  if (UNIT_FIRST[args.length]?.test(name) && isUnit(args[0])) return 0;
  const last = args.length - 1;
  // A unit in quotes comes first where it comes in quotes at all.
  if (kindOf(args[0]) === 'literal') return -1;
  return last > 0 && UNIT_LAST.test(name) && isUnit(args[last]) ? last : -1;
}

export function readFunction(reading: ExpressionReading, body: Node): void {
  const name = textAt(body, 'name') ?? '';
  const args = listAt(body, 'args');
  if (aggregates(name) && !isCountStar(name, args)) {
    readAggregate(reading, body);
    return;
  }
  const { rest } = reading;
  // The first argument of dictGet names a dictionary, the second its attribute.
  const from = /^dictget/i.test(name) ? 2 : 0;
  const dictionary = from > 0 ? tableArgument(args[0]) : null;
  if (dictionary) readTable(reading.trace, dictionary);
  const unit = unitAt(name, args);
  // Redshift's `convert(integer, a)`: a type is written like a column.
  const type = /^(?:try_)?convert$/i.test(name) && isType(args[0]) ? 0 : -1;
  for (let i = args.length - 1; i >= from; i--) {
    if (i !== unit && i !== type && !isCountStar(name, args)) rest.push(args[i]);
  }
  for (const field in body) {
    if (field !== 'args' && !isAside(field) && isSet(body, field)) rest.push(body[field]);
  }
}

const TYPES = words(
  'int int2 int4 int8 integer bigint smallint tinyint numeric decimal float float4 float8 real',
  'double varchar char nvarchar nchar text date datetime time timestamp timestamptz timetz boolean',
  'bool varbyte super',
);

function isType(argument: unknown): boolean {
  const [only, another] = kindOf(argument) === 'column' ? (columnPath(argument) ?? []) : [];
  return only !== undefined && !another && !only.quoted && TYPES.has(only.name.toLowerCase());
}

function isCountStar(name: string, args: readonly unknown[]): boolean {
  return args.length === 1 && kindOf(args[0]) === 'star' && /^(?:approx_)?count/i.test(name);
}

function isUnit(argument: unknown): boolean {
  const path = kindOf(argument) === 'column' ? columnPath(argument) : null;
  const [only, another] = path ?? [];
  return (
    only !== undefined &&
    !another &&
    !only.quoted &&
    UNITS.has(only.name.toLowerCase().replace(/(?<=..)s$/, ''))
  );
}
