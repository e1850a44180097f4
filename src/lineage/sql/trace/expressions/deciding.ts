// Reads the parts of an expression that decide about its value: windows, conditions, filters, order.

import {
  at,
  bodyOf,
  identifierOf,
  isAside,
  isNode,
  isQueryKind,
  kindOf,
  listAt,
  type Node,
  pushChildren,
  textAt,
} from '../../node.ts';
import { decidingWithin, type Use, usedWithin, usesOf } from '../../scope/use.ts';
import { words } from '../../word-set.ts';
import { collect, type ExpressionReading, type Handler, usesIn } from './expression.ts';

/** Kinds of nodes that make one value of many rows; the parser calls others `aggregate_function`. */
export const AGGREGATES = words(
  'aggregate_function sum avg min max count count_if median mode variance var_samp var_pop stddev',
  'stddev_pop stddev_samp approx_distinct approx_count_distinct group_concat list_agg string_agg',
  'array_agg any_value first last logical_and logical_or bitwise_and_agg bitwise_or_agg',
  'bitwise_xor_agg',
);

/** Aggregates that the parser knows as functions only. */
const AGGREGATE_NAMES =
  /^(?:quantiles?\w*|uniq\w*|any|anylast|anyheavy|bitmap_or|bitmap_and|approx_quantile\w*|grouparray\w*|\w+_agg|merge|checksum_agg|stdevp?|varp)$/i;

export function aggregates(name: string): boolean {
  return AGGREGATE_NAMES.test(name);
}

/** Whether an expression makes one value of many rows, queries within it aside. */
export function holdsAggregate(expression: unknown): boolean {
  const rest: unknown[] = [expression];
  while (rest.length > 0) {
    const node = rest.pop();
    const kind = kindOf(node) ?? '';
    if (AGGREGATES.has(kind)) return true;
    if (kind === 'function' && aggregates(textAt(bodyOf(node), 'name') ?? '')) return true;
    if (!isQueryKind(kind)) pushChildren(rest, node);
  }
  return false;
}

/** Those whose order within the group is no part of their value. */
const LISTS = words('list_agg string_agg array_agg group_concat');

/** What reads each kind of node that decides about a value. */
export const DECIDING: readonly (readonly [string, Handler])[] = [
  ['window_function', (reading, body) => readWindow(reading, body)],
  ['case', (reading, body) => readCase(reading, body)],
  ['if_func', (reading, body) => readIf(reading, body)],
  ['within_group', (reading, body) => readWithinGroup(reading, body)],
  ...[...AGGREGATES].map((kind): [string, Handler] => [
    kind,
    (reading, body) => readAggregate(reading, body),
  ]),
];

const MOST_WINDOWS = 100;

function readWindow(reading: ExpressionReading, body: Node): void {
  const parts: unknown[] = [body.keep];
  let over = at(body, 'over');
  // A window may be made of one that has a name, and that one of another.
  for (let depth = 0; depth < MOST_WINDOWS; depth++) {
    parts.push(over.partition_by, over.order_by);
    const name = identifierOf(over.window_name)?.name.toLowerCase() ?? '';
    const named = reading.scope.windows.get(name);
    if (!isNode(named)) break;
    over = named;
  }
  decide(reading, 'WINDOW', parts);
  reading.rest.push(body.this);
}

/** Read parts of an expression that decide about its value without becoming a part of it. */
function decide(reading: ExpressionReading, use: Use, parts: unknown): void {
  const { trace, scope, into, uses } = reading;
  collect(trace, parts, scope, into, decidingWithin(uses, usesOf(use)));
}

function readCase(reading: ExpressionReading, body: Node): void {
  const branches = listAt(body, 'whens').map((when) => (Array.isArray(when) ? when : []));
  decide(reading, 'CONDITIONAL', [body.operand, ...branches.map(([condition]) => condition)]);
  reading.rest.push(body.else_, ...branches.map(([, value]) => value));
}

function readIf(reading: ExpressionReading, body: Node): void {
  decide(reading, 'CONDITIONAL', body.condition);
  reading.rest.push(body.false_value, body.true_value);
}

/** What an aggregate is given, besides by what it filters and sorts that. */
export function readAggregate(reading: ExpressionReading, body: Node): void {
  const { trace, scope, into, uses } = reading;
  const { filter, order_by: order, having_max: having, ...given } = body;
  decide(reading, 'FILTER', filter);
  decide(reading, 'SORT', [order, having]);
  const own = Array.isArray(given.args) || !isCountOfRows(given) ? given : {};
  const gathered = usedWithin(uses, usesOf('AGGREGATION'));
  for (const [field, part] of Object.entries(own)) {
    if (isAside(field)) continue;
    for (const one of Array.isArray(part) ? part : [part]) {
      collect(trace, one, scope, into, usedWithin(gathered, usesIn(one)));
    }
  }
}

/** `count(*)` counts rows, whatever columns they have. */
function isCountOfRows(body: Node): boolean {
  return kindOf(body.this) === 'star';
}

/** `percentile_cont(0.5) WITHIN GROUP (ORDER BY a)` is made of a, `listagg(b) ...` only sorted by it. */
function readWithinGroup(reading: ExpressionReading, body: Node): void {
  const isSorted = LISTS.has(kindOf(body.this) ?? '');
  if (isSorted) decide(reading, 'SORT', body.order_by);
  else
    readAggregate(reading, {
      args: listAt(body, 'order_by').map((key) => at({ key }, 'key').this),
    });
  reading.rest.push(body.this);
}
