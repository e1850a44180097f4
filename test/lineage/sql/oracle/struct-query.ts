// Random queries of DuckDB that put columns into structs and lists, and take them out again.

import { tables } from './query.ts';
import { type Random, randomOf } from './random.ts';

type Type = 'int' | 'text' | { readonly fields: Fields } | { readonly element: Fields };
type Fields = readonly { readonly name: string; readonly type: Type }[];

interface Value {
  readonly sql: string;
  readonly type: Type;
}

/** What a part of FROM gives. */
interface Given {
  readonly sql: string;
  readonly columns: readonly Value[];
}

/** A query in the making. */
interface Making {
  readonly random: Random;
  aliases: number;
}

/** The query of a seed: what is packed up within comes out in parts. */
export function structQueryOf(seed: number): string {
  const making: Making = { random: randomOf(seed), aliases: 0 };
  const { random } = making;
  const from = layers(making, 1 + random.below(3));
  const count = 1 + random.below(4);
  const items = Array.from({ length: count }, (_, i) => `${out(making, from.columns)} AS o${i}`);
  const where = random.chance(0.3) ? ` WHERE ${scalar(making, from.columns)} IS NOT NULL` : '';
  const distinct = random.chance(0.1) ? 'DISTINCT ' : '';
  return `SELECT ${distinct}${items.join(', ')} FROM ${from.sql}${where}`;
}

function layers(making: Making, depth: number): Given {
  const { random } = making;
  if (depth === 0) return table(making);
  const inner = layers(making, depth - 1);
  const shape = random.of([
    'plain',
    'plain',
    'list',
    'largest',
    'union',
    'join',
    'unnest',
  ] as const);
  switch (shape) {
    case 'list':
      return aggregated(making, inner, (sql) => `list(${sql} ORDER BY ${sql})`, true);
    case 'largest':
      return aggregated(making, inner, (sql) => `${random.of(['max', 'min'])}(${sql})`, false);
    case 'union':
      return union(making, inner);
    case 'join':
      return join(making, inner);
    case 'unnest':
      return unnested(making, inner);
    case 'plain':
      return plain(making, inner);
  }
}

function aliasOf(making: Making): string {
  making.aliases += 1;
  return `t${making.aliases}`;
}

function table(making: Making): Given {
  const name = making.random.of(['a', 'b', 'c'] as const);
  const alias = aliasOf(making);
  const columns = Object.entries(tables[name]).map(([column, type]) => ({
    sql: `${alias}.${column}`,
    type,
  }));
  return { sql: `${name} ${alias}`, columns };
}

/** The columns of a subquery. */
function subquery(
  making: Making,
  text: (names: string[]) => string,
  types: readonly Type[],
): Given {
  const alias = aliasOf(making);
  const names = types.map((_type, i) => `c${i}`);
  const columns = types.map((type, i) => ({ sql: `${alias}.c${i}`, type }));
  return { sql: `(${text(names)}) ${alias}`, columns };
}

function plain(making: Making, { sql, columns }: Given): Given {
  const made = [struct(making, columns), value(making, columns), value(making, columns)];
  return subquery(
    making,
    (names) => `SELECT ${made.map((one, i) => `${one.sql} AS ${names[i]}`).join(', ')} FROM ${sql}`,
    made.map(({ type }) => type),
  );
}

/** An aggregate of structs, in groups or over all. */
function aggregated(
  making: Making,
  { sql, columns }: Given,
  call: (sql: string) => string,
  isList: boolean,
): Given {
  const packed = struct(making, columns);
  const key = scalar(making, columns);
  const fields =
    typeof packed.type === 'object' && 'fields' in packed.type ? packed.type.fields : [];
  const isGrouped = making.random.chance(0.7);
  return subquery(
    making,
    ([made, other]) =>
      isGrouped
        ? `SELECT ${call(packed.sql)} AS ${made}, count(*)::int AS ${other} FROM ${sql} GROUP BY ${key}`
        : `SELECT ${call(packed.sql)} AS ${made}, 1 AS ${other} FROM ${sql}`,
    [isList ? { element: fields } : packed.type, 'int'],
  );
}

function union(making: Making, { sql, columns }: Given): Given {
  const one = struct(making, columns, 'int');
  const two = struct(making, columns, 'int');
  const word = making.random.of(['UNION ALL', 'UNION ALL', 'UNION']);
  return subquery(
    making,
    ([made, key]) =>
      `SELECT ${one.sql} AS ${made}, 1 AS ${key} FROM ${sql} ${word} SELECT ${two.sql}, 2 FROM ${sql}`,
    [one.type, 'int'],
  );
}

function join(making: Making, left: Given): Given {
  const right = plain(making, table(making));
  // DuckDB joins what is unnested for each row only with what fits.
  const isEachRow = left.sql.includes(', unnest(');
  const kind = isEachRow ? 'JOIN' : making.random.of(['JOIN', 'LEFT JOIN', 'FULL JOIN']);
  const on = `${scalar(making, left.columns)} = ${scalar(making, right.columns)}`;
  return {
    sql: `${left.sql} ${kind} ${right.sql} ON ${on}`,
    columns: [...left.columns, ...right.columns],
  };
}

/** The elements of a list that is made of the rows, as a column or as its fields. */
function unnested(making: Making, inner: Given): Given {
  const lists = aggregated(making, inner, (sql) => `list(${sql})`, true);
  const [list] = lists.columns;
  if (!list || typeof list.type === 'string' || !('element' in list.type)) return inner;
  const { element } = list.type;
  if (making.random.chance(0.5)) {
    return subquery(making, ([e]) => `SELECT unnest(${list.sql}) AS ${e} FROM ${lists.sql}`, [
      { fields: element },
    ]);
  }
  const alias = aliasOf(making);
  const sql = `${lists.sql}, unnest(${list.sql}) AS ${alias}(e)`;
  return { sql, columns: [...lists.columns, { sql: `${alias}.e`, type: { fields: element } }] };
}

/** A struct of some of the columns, written in one of three ways. */
function struct(making: Making, columns: readonly Value[], only?: 'int'): Value {
  const { random } = making;
  const parts = (only ? ['p', 'q'] : ['p', 'q', 'r'].slice(0, 2 + random.below(2))).map((name) => ({
    name,
    ...(only ? number(making, columns) : value(making, columns)),
  }));
  const type = { fields: parts.map((part) => ({ name: part.name, type: part.type })) };
  const pairs = parts.map(({ name, sql }) => `'${name}': ${sql}`).join(', ');
  const packed = parts.map(({ name, sql }) => `${name} := ${sql}`).join(', ');
  const sql = random.of([`{${pairs}}`, `struct_pack(${packed})`]);
  if (only || random.chance(0.8)) return { sql, type };
  const condition = `${scalar(making, columns)} IS NULL`;
  return { sql: `CASE WHEN ${condition} THEN NULL ELSE ${sql} END`, type };
}

/** A column as it is, a field of one, or a number. */
function value(making: Making, columns: readonly Value[]): Value {
  if (making.random.chance(0.4)) return number(making, columns);
  return making.random.chance(0.5) ? pick(making, columns) : field(making, pick(making, columns));
}

function pick({ random }: Making, columns: readonly Value[]): Value {
  return columns[random.below(columns.length)] ?? { sql: '1', type: 'int' };
}

/** A field of a struct, of a struct in a struct, or of an element of a list. */
function field(making: Making, { sql, type }: Value): Value {
  const { random } = making;
  if (typeof type === 'string') return { sql, type };
  const isList = 'element' in type;
  const fields = isList ? type.element : type.fields;
  const one = fields[random.below(fields.length)];
  if (!one) return { sql, type };
  const struct = isList ? `${sql}[1]` : sql;
  const path =
    isList || random.chance(0.3) ? `(${struct})['${one.name}']` : `(${struct}).${one.name}`;
  const taken = random.chance(0.15) ? `struct_extract(${struct}, '${one.name}')` : path;
  return { sql: taken, type: one.type };
}

/** A number or a text that is somewhere in the columns. */
function scalar(making: Making, columns: readonly Value[]): string {
  let one = pick(making, columns);
  while (typeof one.type !== 'string') one = field(making, one);
  return one.type === 'int' ? one.sql : `length(${one.sql})`;
}

function number(making: Making, columns: readonly Value[]): Value {
  const one = scalar(making, columns);
  const sql = making.random.of([one, one, `abs(${one})`, `coalesce(${one}, 9)`]);
  return { sql: `(${sql})::int`, type: 'int' };
}

/** What a query gives: mostly parts. */
function out(making: Making, columns: readonly Value[]): string {
  let one = pick(making, columns);
  while (typeof one.type !== 'string' && making.random.chance(0.85)) one = field(making, one);
  return one.sql;
}
