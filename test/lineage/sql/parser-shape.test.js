// Pins the shapes of the parser's trees that the resolver reads: a new version must keep them.
import { expect, test } from 'vitest';
import { dialectNamed } from '../../../src/lineage/sql/dialect.js';
import { parseText } from '../../../src/lineage/sql/parser.js';

/** A tree without what is empty and without comments, as short text. */
function shape(value) {
  if (Array.isArray(value)) return value.map(shape);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([field, child]) => {
    const isEmpty = child === null || child === false || (Array.isArray(child) && !child.length);
    return !isEmpty && !field.endsWith('comments') && field !== 'nesting_group';
  });
  return Object.fromEntries(fields.map(([field, child]) => [field, shape(child)]));
}
const pinned = [
  ['postgres', 'WITH c AS (SELECT a FROM s.t) SELECT c.a AS x, count(*) FROM c WHERE a > 1'],
  ['postgres', 'SELECT a FROM t JOIN u USING (k) UNION ALL SELECT b FROM v ORDER BY 1'],
  ['postgres', 'SELECT sum(a) OVER (PARTITION BY b ORDER BY c) FROM t'],
  ['postgres', 'INSERT INTO t (a) SELECT b FROM u ON CONFLICT (a) DO UPDATE SET a = excluded.a'],
  ['postgres', 'UPDATE t SET a = u.b FROM u WHERE t.k = u.k'],
  ['postgres', 'CREATE TABLE t AS SELECT a FROM u'],
  ['postgres', 'CREATE VIEW v (x) AS SELECT a FROM u'],
  ['snowflake', 'MERGE INTO t USING u ON t.k = u.k WHEN MATCHED THEN UPDATE SET a = u.a'],
  ['snowflake', 'SELECT f.value:x::int FROM t, LATERAL FLATTEN(input => t.a) f'],
  ['bigquery', 'SELECT * EXCEPT (a) FROM `p.d.t`, UNNEST(xs) AS x WITH OFFSET AS o'],
  ['spark', 'SELECT x FROM t LATERAL VIEW explode(xs) e AS x'],
  ['tsql', 'SELECT p.* FROM t PIVOT (SUM(a) FOR b IN ([x])) p'],
];
test.each(pinned)('%s: %s', (dialect, sql) => {
  const { trees } = parseText(sql, dialectNamed(dialect));
  expect(shape(trees)).toMatchSnapshot();
});
test('an error has its offset in code points', () => {
  const answer = parseText("SELECT '😀' FROM t WHERE", dialectNamed('postgres'));
  expect(answer).toMatchObject({ trees: null, errorStart: 18 });
});
