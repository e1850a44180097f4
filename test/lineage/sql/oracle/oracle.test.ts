// The lineage of random queries against what PostgreSQL gives when one column of a table after the other changes:
// whatever changes has to be said, and most of what is said is seen to change.

import type pg from 'pg';
import { expect, test } from 'vitest';
import type { KnownTable, StatementLineage } from '../../../../src/lineage/sql/answer.ts';
import { finish, prepare } from '../../../../src/lineage/sql/script.ts';
import { openCatalog } from '../../../catalog.ts';
import { queryOf, tables } from './query.ts';
import { randomOf } from './random.ts';

const queries = Number(process.env.ORACLE_QUERIES ?? 1_000);
const firstSeed = Number(process.env.ORACLE_SEED ?? 1);
const ways = ['null', 'fresh', 'shuffled', 'constant'] as const;
const rowsInTable = 12;

const known: KnownTable[] = Object.entries(tables).map(([name, columns]) => ({
  path: [name],
  columns: Object.keys(columns),
}));
const all = Object.entries(tables).flatMap(([table, columns]) =>
  Object.entries(columns).map(([column, type]) => ({ table, column, type })),
);
type Input = (typeof all)[number];

/** The values of a column, the same in each schema but where it is the one that changes. */
function valuesOf({ table, column, type }: Input): (number | string | null)[] {
  const random = randomOf(
    [...`${table}.${column}`].reduce((sum, char) => sum * 31 + char.charCodeAt(0), 7),
  );
  return Array.from({ length: rowsInTable }, () => {
    if (random.chance(0.1)) return null;
    return type === 'int' ? random.below(6) : String.fromCharCode(106 + random.below(6));
  });
}

function changed(
  values: readonly (number | string | null)[],
  { type }: Input,
  way: (typeof ways)[number],
) {
  switch (way) {
    case 'null':
      return values.map(() => null);
    case 'fresh':
      return values.map((_value, i) => (type === 'int' ? 100 + 7 * i : `z${i}`));
    case 'shuffled':
      return values.map((_value, i) => values[(i + 5) % values.length] ?? null);
    case 'constant':
      return values.map(() => (type === 'int' ? 2 : 'n'));
  }
}

/** A schema for the tables as they are, and one for each change of a column. */
async function makeSchemas(owner: pg.Pool): Promise<void> {
  const literal = (value: number | string | null) =>
    value === null ? 'null' : typeof value === 'number' ? String(value) : `'${value}'`;
  const variants = [
    { name: 'oracle', of: null, way: null },
    ...all.flatMap((of) => ways.map((way) => ({ name: schemaOf(of, way), of, way }))),
  ];
  for (const { name, of, way } of variants) {
    const made = Object.entries(tables).map(([table, columns]) => {
      const lists = Object.entries(columns).map(([column, type]) => {
        const input = { table, column, type };
        const values = valuesOf(input);
        return of?.table === table && of.column === column && way
          ? changed(values, input, way)
          : values;
      });
      const rows = Array.from(
        { length: rowsInTable },
        (_, i) => `(${lists.map((list) => literal(list[i] ?? null)).join()})`,
      );
      const defined = Object.entries(columns).map(([column, type]) => `${column} ${type}`);
      return `create table ${name}.${table} (${defined.join()}); insert into ${name}.${table} values ${rows.join()};`;
    });
    await owner.query(`create schema ${name}; ${made.join(' ')}`);
  }
}

function schemaOf({ table, column }: Input, way: string): string {
  return `oracle_${table}_${column}_${way}`;
}

/** What comes out: the multiset of each column's values. */
interface Result {
  readonly rows: number;
  readonly columns: readonly string[];
}

/** The results of a query in schemas, in one round trip. */
async function run(
  client: pg.PoolClient,
  sql: string,
  schemas: readonly string[],
): Promise<Result[]> {
  const text = schemas.map((schema) => `set search_path = ${schema}; ${sql};`).join('\n');
  const answers: unknown = await client.query({ text, rowMode: 'array' });
  const results = (Array.isArray(answers) ? answers : [answers]).filter(
    ({ command }) => command === 'SELECT',
  );
  return results.map(({ rows, fields }: pg.QueryArrayResult) => ({
    rows: rows.length,
    columns: fields.map((_field, i) =>
      rows
        .map((row) => String(row[i]))
        .sort()
        .join('|'),
    ),
  }));
}

const mostRows = 1_000;

/** A query of which no more is worked out than shows how much it is. */
function bounded(sql: string): string {
  return `SELECT * FROM (${sql}) bounded LIMIT ${mostRows + 1}`;
}

/** What the lineage says and what was seen, of one query. */
interface Judged {
  readonly missed: string[];
  readonly claimed: number;
  readonly seen: number;
  readonly changes: number;
}

function judge(
  sql: string,
  lineage: StatementLineage,
  results: readonly Result[],
  inputs: readonly Input[],
): Judged {
  const [before, ...after] = results;
  const missed: string[] = [];
  let [claimed, seen, changes] = [0, 0, 0];
  inputs.forEach((input, i) => {
    const name = `${input.table}.${input.column}`;
    const own = after.slice(i * ways.length, (i + 1) * ways.length);
    const isIndirect = lineage.indirect.some(
      ({ table, column }) => `${table.name}.${column}` === name,
    );
    const rowsChange = own.some(({ rows }) => rows !== before?.rows);
    const changing = lineage.outputs.map((_output, at) =>
      own.some(({ columns }) => columns[at] !== before?.columns[at]),
    );
    if (rowsChange) changes += 1;
    if (rowsChange && !isIndirect) missed.push(`${name} > rows: ${sql}`);
    if (isIndirect) {
      claimed += 1;
      if (rowsChange || changing.includes(true)) seen += 1;
    }
    lineage.outputs.forEach(({ column, sources }, at) => {
      const isSource = sources.some((each) => `${each.table.name}.${each.column}` === name);
      if (changing[at]) changes += 1;
      if (changing[at] && !isSource && !isIndirect) missed.push(`${name} > ${column}: ${sql}`);
      if (!isSource) return;
      claimed += 1;
      if (changing[at]) seen += 1;
    });
  });
  return { missed, claimed, seen, changes };
}

test('whatever changes with a column of a table is said to depend on it, in a thousand random queries', {
  timeout: 900_000,
}, async () => {
  await using catalog = await openCatalog({ alone: true });
  await makeSchemas(catalog.owner);
  const client = await catalog.owner.connect();
  const total = { claimed: 0, seen: 0, changes: 0 };
  let taken = 0;
  const missed: string[] = [];
  try {
    for (let seed = firstSeed; taken < queries; seed += 1) {
      const sql = queryOf(seed);
      const { statements, errors } = finish(prepare({ sql, dialect: 'postgres' }), known);
      const [lineage] = statements;
      expect(errors, sql).toEqual([]);
      expect(lineage?.unresolved, sql).toEqual([]);
      if (!lineage) continue;
      const read = new Set(lineage.sources.map(({ name }) => name));
      const inputs = all.filter(({ table }) => read.has(table));
      const schemas = inputs.flatMap((input) => ways.map((way) => schemaOf(input, way)));
      const [{ rows } = { rows: 0 }] = await run(client, bounded(sql), ['oracle']);
      // Where next to nothing comes out, next to nothing can change; and of very much all takes long.
      if (rows < 5 || rows > mostRows) continue;
      const results = await run(client, sql, ['oracle', ...schemas]);
      taken += 1;
      const judged = judge(sql, lineage, results, inputs);
      missed.push(...judged.missed);
      for (const field of ['claimed', 'seen', 'changes'] as const) total[field] += judged[field];
    }
  } finally {
    client.release();
  }
  console.log(
    `${queries} queries: ${total.changes} changes, ${missed.length} missed, ${total.seen} of ${total.claimed} claims seen`,
  );
  expect(missed).toEqual([]);
  expect(total.seen / total.claimed).toBeGreaterThanOrEqual(0.85);
});
