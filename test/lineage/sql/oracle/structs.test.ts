// The lineage of random queries over structs and lists against what DuckDB gives when one column of a table after
// the other changes: whatever changes has to be said, field by field.

import { expect, test } from 'vitest';
import { finish, prepare } from '../../../../src/lineage/sql/script.ts';
import { judge, type Result } from './judge.ts';
import { inputs, known, schemaOf, schemaStatements, ways } from './perturbation.ts';
import { structQueryOf } from './struct-query.ts';

const duckdb = await import('@duckdb/node-api').catch(() => null);

const queries = Number(process.env.ORACLE_QUERIES ?? 1_000);
const firstSeed = Number(process.env.ORACLE_SEED ?? 1);

test('whatever changes with a column of a table is said to depend on it, in a thousand random queries of structs', {
  timeout: 900_000,
}, async ({ skip }) => {
  if (!duckdb) return skip('@duckdb/node-api is not installed.');
  const instance = await duckdb.DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  const run = async (sql: string, schema: string): Promise<Result> => {
    await connection.run(`use ${schema}`);
    const rows = (await connection.runAndReadAll(sql)).getRowsJson();
    const columns = (rows[0] ?? []).map((_value, at) =>
      rows
        .map((row) => JSON.stringify(row[at]))
        .sort()
        .join('|'),
    );
    return { rows: rows.length, columns };
  };
  const total = { claimed: 0, seen: 0, changes: 0 };
  const missed: string[] = [];
  let taken = 0;
  try {
    for (const statement of schemaStatements()) await connection.run(statement);
    for (let seed = firstSeed; taken < queries; seed += 1) {
      const sql = structQueryOf(seed);
      const { statements, errors } = finish(prepare({ sql, dialect: 'duckdb' }), known);
      const [lineage] = statements;
      expect(errors, sql).toEqual([]);
      expect(lineage?.unresolved, sql).toEqual([]);
      if (!lineage) continue;
      const before = await run(sql, 'oracle');
      // Where next to nothing comes out, next to nothing can change.
      if (before.rows < 3) continue;
      const sources = new Set(lineage.sources.map(({ name }) => name));
      const read = inputs.filter(({ table }) => sources.has(table));
      const results = [before];
      for (const input of read) {
        for (const way of ways) results.push(await run(sql, schemaOf(input, way)));
      }
      taken += 1;
      const judged = judge(sql, lineage, results, read);
      missed.push(...judged.missed);
      for (const name of ['claimed', 'seen', 'changes'] as const) total[name] += judged[name];
    }
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
  console.log(
    `${queries} queries of structs: ${total.changes} changes, ${missed.length} missed, ${total.seen} of ${total.claimed} claims seen`,
  );
  expect(missed).toEqual([]);
  expect(total.seen / total.claimed).toBeGreaterThanOrEqual(0.85);
});
