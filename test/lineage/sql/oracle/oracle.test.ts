// The lineage of random queries against what PostgreSQL gives when one column of a table after the other changes:
// whatever changes has to be said, and most of what is said is seen to change.

import type pg from 'pg';
import { expect, test } from 'vitest';
import { finish, prepare } from '../../../../src/lineage/sql/script.ts';
import { openCatalog } from '../../../catalog.ts';
import { judge, type Result } from './judge.ts';
import { inputs, known, schemaOf, schemaStatements, ways } from './perturbation.ts';
import { queryOf } from './query.ts';

const queries = Number(process.env.ORACLE_QUERIES ?? 1_000);
const firstSeed = Number(process.env.ORACLE_SEED ?? 1);

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

test('whatever changes with a column of a table is said to depend on it, in a thousand random queries', {
  timeout: 900_000,
}, async () => {
  await using catalog = await openCatalog({ alone: true });
  for (const statement of schemaStatements()) await catalog.owner.query(statement);
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
      const sources = new Set(lineage.sources.map(({ name }) => name));
      const read = inputs.filter(({ table }) => sources.has(table));
      const schemas = read.flatMap((input) => ways.map((way) => schemaOf(input, way)));
      const [{ rows } = { rows: 0 }] = await run(client, bounded(sql), ['oracle']);
      // Where next to nothing comes out, next to nothing can change; and of very much all takes long.
      if (rows < 5 || rows > mostRows) continue;
      const results = await run(client, sql, ['oracle', ...schemas]);
      taken += 1;
      const judged = judge(sql, lineage, results, read);
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
