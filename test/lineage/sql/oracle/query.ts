// Random queries over three tables: joins, CTEs, laterals, windows, set operations, aggregates, subqueries.

import { type Random, randomOf } from './random.ts';

/** The tables that are queried: columns of integers and texts. */
export const tables = {
  a: { id: 'int', k: 'int', v: 'int', s: 'text' },
  b: { id: 'int', a_id: 'int', w: 'int', t: 'text' },
  c: { id: 'int', b_id: 'int', x: 'int', u: 'text' },
} as const;

type Type = 'int' | 'text';

interface Column {
  readonly sql: string;
  readonly type: Type;
}

/** A query in the making. */
interface Making {
  readonly random: Random;
  readonly ctes: { readonly name: string; readonly types: readonly Type[] }[];
  readonly with: string[];
  aliases: number;
}

/** The query of a seed. */
export function queryOf(seed: number): string {
  const making: Making = { random: randomOf(seed), ctes: [], with: [], aliases: 0 };
  const { random } = making;
  for (let n = random.below(3); n > 0; n -= 1) {
    const types = typesOf(random);
    const name = `q${making.ctes.length}`;
    making.with.push(`${name} AS (${query(making, types, 1)})`);
    making.ctes.push({ name, types });
  }
  let text = query(making, typesOf(random), 2);
  // What nothing reads decides nothing.
  const read: string[] = [];
  for (const [i, { name }] of [...making.ctes.entries()].reverse()) {
    const cte = making.with[i] ?? '';
    if (!text.includes(`${name} `) && !read.some((one) => one.includes(`${name} t`))) continue;
    read.unshift(cte);
  }
  if (read.length > 0) text = `WITH ${read.join(', ')} ${text}`;
  return text;
}

function typesOf(random: Random): Type[] {
  return Array.from({ length: 1 + random.below(4) }, () => (random.chance(0.7) ? 'int' : 'text'));
}

/** A query whose columns are c0, c1, ... of these types. */
function query(making: Making, types: readonly Type[], depth: number): string {
  const { random } = making;
  if (depth === 0 || random.chance(0.7)) return select(making, types, depth);
  if (random.chance(0.5)) {
    const operation = random.of(['UNION', 'UNION ALL']);
    return `${select(making, types, depth - 1)} ${operation} ${select(making, types, depth - 1)}`;
  }
  // Of the same rows, so that some of one side are those of the other.
  const { sql: from, columns } = fromClause(making, depth - 1);
  const items = types.map((type, i) => `${expression(making, columns, type, 0)} AS c${i}`);
  const side = () => `SELECT ${items.join(', ')} FROM ${from} WHERE ${comparison(making, columns)}`;
  return `${side()} ${random.of(['EXCEPT', 'INTERSECT', 'EXCEPT ALL', 'INTERSECT ALL'])} ${side()}`;
}

function select(making: Making, types: readonly Type[], depth: number): string {
  const { random } = making;
  const { sql: from, columns } = fromClause(making, depth);
  const where = random.chance(0.5) ? ` WHERE ${predicate(making, columns, depth)}` : '';
  const shape = random.of([
    'plain',
    'plain',
    'plain',
    'window',
    'distinct',
    'distinct on',
    'aggregate',
  ]);
  if (shape === 'aggregate') return aggregate(making, types, { from, columns, where });
  const items = types.map((type, i) => {
    const isWindow = shape === 'window' && type === 'int' && i === 0;
    const made = isWindow ? windowOf(making, columns) : expression(making, columns, type, depth);
    return `${made} AS c${i}`;
  });
  if (shape === 'distinct on') {
    const [key, order] = [columnOf(making, columns).sql, columnOf(making, columns).sql];
    return `(SELECT DISTINCT ON (${key}) ${items.join(', ')} FROM ${from}${where} ORDER BY ${key}, ${order})`;
  }
  const word = shape === 'distinct' ? 'DISTINCT ' : '';
  return `SELECT ${word}${items.join(', ')} FROM ${from}${where}`;
}

interface Filtered {
  readonly from: string;
  readonly columns: readonly Column[];
  readonly where: string;
}

function aggregate(
  making: Making,
  types: readonly Type[],
  { from, columns, where }: Filtered,
): string {
  const { random } = making;
  const keys = Array.from({ length: 1 + random.below(2) }, () => columnOf(making, columns));
  const items = types.map((type, i) => {
    const key = keys.find((each) => each.type === type);
    if (key && random.chance(0.4)) return `${key.sql} AS c${i}`;
    return `${aggregateOf(making, columns, type)} AS c${i}`;
  });
  const having = random.chance(0.3)
    ? ` HAVING ${aggregateOf(making, columns, 'int')} > ${random.below(3)}`
    : '';
  const grouped = [...new Set(keys.map(({ sql }) => sql))].join(', ');
  return `SELECT ${items.join(', ')} FROM ${from}${where} GROUP BY ${grouped}${having}`;
}

function aggregateOf(making: Making, columns: readonly Column[], type: Type): string {
  const { random } = making;
  const { sql } = columnOf(making, columns, type);
  const call =
    type === 'text'
      ? random.of([`min(${sql})`, `max(${sql})`])
      : random.of([
          `sum(${sql})`,
          `max(${sql})`,
          `count(${sql})`,
          'count(*)',
          `count(DISTINCT ${sql})`,
        ]);
  const filter = random.chance(0.25) ? ` FILTER (WHERE ${comparison(making, columns)})` : '';
  return type === 'int' ? `(${call}${filter})::int` : `${call}${filter}`;
}

function windowOf(making: Making, columns: readonly Column[]): string {
  const { random } = making;
  const value = columnOf(making, columns, 'int').sql;
  const call = random.of([`sum(${value})`, `max(${value})`, 'rank()', 'count(*)', `lag(${value})`]);
  const partition = random.chance(0.6) ? `PARTITION BY ${columnOf(making, columns).sql}` : '';
  const order = `ORDER BY ${columnOf(making, columns).sql}`;
  return `(${call} OVER (${partition} ${order}))::int`;
}

function fromClause(making: Making, depth: number): { sql: string; columns: Column[] } {
  const { random } = making;
  const first = item(making, depth);
  let { sql } = first;
  const columns = [...first.columns];
  for (let n = random.of([0, 0, 1, 1, 2]); n > 0; n -= 1) {
    if (random.chance(0.15)) {
      const lateral = lateralOf(making, columns);
      sql += ` CROSS JOIN LATERAL ${lateral.sql}`;
      columns.push(...lateral.columns);
      continue;
    }
    const next = item(making, depth);
    const [left, right] = [columnOf(making, columns, 'int'), columnOf(making, next.columns, 'int')];
    const kind = random.of([
      'JOIN',
      'JOIN',
      'JOIN',
      'LEFT JOIN',
      'LEFT JOIN',
      'RIGHT JOIN',
      'FULL JOIN',
      'CROSS JOIN',
    ]);
    const more =
      kind === 'JOIN' && random.chance(0.3)
        ? ` AND ${comparison(making, [...columns, ...next.columns])}`
        : '';
    sql += ` ${kind} ${next.sql}${kind === 'CROSS JOIN' ? '' : ` ON ${left.sql} = ${right.sql}${more}`}`;
    columns.push(...next.columns);
  }
  return { sql, columns };
}

function item(making: Making, depth: number): { sql: string; columns: Column[] } {
  const { random } = making;
  const alias = `t${making.aliases++}`;
  const named = (types: readonly Type[]) =>
    types
      .map((type, i) => ({ sql: `${alias}.c${i}`, type }))
      .concat(types.includes('int') ? [] : []);
  if (depth > 0 && random.chance(0.3)) {
    const types: Type[] = ['int', ...typesOf(random)];
    return { sql: `(${query(making, types, depth - 1)}) ${alias}`, columns: named(types) };
  }
  const cte = making.ctes[random.below(making.ctes.length + 1)];
  if (cte?.types.includes('int') && random.chance(0.6)) {
    return { sql: `${cte.name} ${alias}`, columns: named(cte.types) };
  }
  const table = random.of(['a', 'b', 'c'] as const);
  const columns = Object.entries(tables[table]).map(([name, type]) => ({
    sql: `${alias}.${name}`,
    type,
  }));
  return { sql: `${table} ${alias}`, columns };
}

function lateralOf(making: Making, outer: readonly Column[]): { sql: string; columns: Column[] } {
  const alias = `t${making.aliases++}`;
  const inner = item(making, 0);
  const key = columnOf(making, inner.columns, 'int').sql;
  const value = columnOf(making, inner.columns, 'int').sql;
  const own = columnOf(making, outer, 'int').sql;
  const sql = `(SELECT ${value} + ${columnOf(making, outer, 'int').sql} AS c0 FROM ${inner.sql} WHERE ${key} = ${own}) ${alias}`;
  return { sql, columns: [{ sql: `${alias}.c0`, type: 'int' }] };
}

function columnOf(making: Making, columns: readonly Column[], type?: Type): Column {
  const fit = columns.filter((column) => type === undefined || column.type === type);
  return (
    fit[making.random.below(fit.length)] ?? {
      sql: type === 'text' ? "'x'" : '1',
      type: type ?? 'int',
    }
  );
}

function expression(making: Making, columns: readonly Column[], type: Type, depth: number): string {
  const { random } = making;
  const one = columnOf(making, columns, type).sql;
  const rest = columns.filter(({ sql }) => sql !== one);
  const other = columnOf(making, rest, type).sql;
  if (random.chance(0.12))
    return `CASE WHEN ${comparison(making, columns)} THEN ${one} ELSE ${other} END`;
  if (depth > 0 && random.chance(0.1)) return scalar(making, columns, type);
  if (type === 'text')
    return random.of([one, one, `${one} || ${other}`, `upper(${one})`, `coalesce(${one}, 'q')`]);
  return random.of([
    one,
    one,
    one,
    `${one} + ${other}`,
    `coalesce(${one}, ${other})`,
    `abs(${one})`,
    `nullif(${one}, ${other})`,
  ]);
}

/** A scalar subquery that depends on the row around it. */
function scalar(making: Making, columns: readonly Column[], type: Type): string {
  const inner = item(making, 0);
  const key = columnOf(making, inner.columns, 'int').sql;
  return `(SELECT max(${columnOf(making, inner.columns, type).sql}) FROM ${inner.sql} WHERE ${key} = ${columnOf(making, columns, 'int').sql})`;
}

function comparison(making: Making, columns: readonly Column[]): string {
  const { random } = making;
  const one = columnOf(making, columns, 'int').sql;
  return random.of([
    `${one} > ${random.below(5)}`,
    `${one} IS NOT NULL`,
    `${one} < ${
      columnOf(
        making,
        columns.filter(({ sql }) => sql !== one),
        'int',
      ).sql
    }`,
    `${columnOf(making, columns, 'text').sql} <> 'm'`,
  ]);
}

function predicate(making: Making, columns: readonly Column[], depth: number): string {
  const { random } = making;
  const plain = comparison(making, columns);
  if (depth === 0 || random.chance(0.5))
    return random.chance(0.3) ? `(${plain} OR ${comparison(making, columns)})` : plain;
  const inner = item(making, 0);
  const [value, key] = [
    columnOf(making, inner.columns, 'int').sql,
    columnOf(making, inner.columns, 'int').sql,
  ];
  const own = columnOf(making, columns, 'int').sql;
  const other = columnOf(making, columns, 'int').sql;
  return random.of([
    `${own} IN (SELECT ${value} FROM ${inner.sql} WHERE ${key} <> ${other})`,
    `EXISTS (SELECT 1 FROM ${inner.sql} WHERE ${key} = ${own})`,
    `NOT EXISTS (SELECT 1 FROM ${inner.sql} WHERE ${key} = ${own} AND ${value} > 1)`,
    `${own} >= (SELECT min(${value}) FROM ${inner.sql} WHERE ${key} = ${other})`,
  ]);
}
