// T-SQL needs no semicolons: any two statements read alike with one between them and without.

import { expect, test } from 'vitest';
import { finish, prepare } from '../../../src/lineage/sql/script.ts';
import { written } from './case.ts';

const statements = [
  'SELECT a FROM o',
  'SELECT a, b INTO made FROM o',
  'SELECT a FROM o UNION ALL SELECT b FROM o ORDER BY a OFFSET 5 ROWS FETCH NEXT 5 ROWS ONLY',
  'SELECT CASE WHEN a = 1 THEN b END AS c FROM o WITH (NOLOCK) WHERE EXISTS (SELECT 1 FROM p)',
  'INSERT INTO t SELECT a FROM o',
  'INSERT INTO t (x) VALUES (1), (2)',
  'INSERT t DEFAULT VALUES',
  'INSERT INTO t EXEC dbo.p',
  "INSERT INTO t (x) EXECUTE dbo.p 1, @name = 'x', @out = @y OUTPUT",
  'INSERT INTO t (x) OUTPUT inserted.x INTO log (y) SELECT a FROM o',
  'UPDATE t SET x = o.a FROM o WHERE o.b = t.y',
  'UPDATE STATISTICS t',
  'DELETE FROM t WHERE x IN (SELECT a FROM o)',
  'DELETE t FROM t JOIN o ON o.a = t.x',
  'TRUNCATE TABLE t',
  'WITH c AS (SELECT a FROM o) SELECT a FROM c',
  'WITH c AS (SELECT a FROM o), d (k) AS (SELECT a FROM c) INSERT INTO t (x) SELECT k FROM d',
  'WITH c AS (SELECT * FROM t) UPDATE c SET x = 1',
  'WITH c AS (SELECT * FROM t) DELETE FROM c WHERE x = 1',
  'MERGE t USING o ON t.x = o.a WHEN MATCHED THEN UPDATE SET x = o.b WHEN NOT MATCHED THEN INSERT (x) VALUES (o.a);',
  'DECLARE @v int = (SELECT MAX(a) FROM o)',
  'DECLARE @v int',
  'DECLARE @r TABLE (x int)',
  'SET @v = (SELECT MAX(b) FROM o)',
  'SET NOCOUNT ON',
  'SELECT @v = MAX(b) FROM o',
  'EXEC dbo.p @v',
  "PRINT 'done'",
  'DROP TABLE IF EXISTS made',
  'CREATE TABLE fresh (x int, y int)',
  'ALTER TABLE t ADD z int',
  'GRANT SELECT ON t TO reader',
  'DBCC CHECKDB',
];
const last = 'INSERT INTO ended SELECT a, @v FROM o';

const known = [
  { name: 'o', columns: ['a', 'b'] },
  { name: 't', columns: ['x', 'y'] },
  { name: 'p', columns: ['k'] },
].map(({ name, columns }) => ({
  ...{ id: name, path: [name], columns, preferred: false },
  ...{ types: columns.map(() => null), fields: columns.map(() => null) },
}));

/** What a text reads and writes: what is refused too, and nothing of statements without lineage. */
function read(parts: readonly string[], between: string): string[] {
  const sql = parts.join(between);
  const lines = written(finish(prepare({ sql, dialect: 'tsql' }), known));
  return lines
    .map((line) => line.replace(/ \| notes .*/, '').replace(/^error \d+:\d+/, 'error'))
    .filter((line) => !/^(?:other|alter|drop|create fresh)\b|^nothing/.test(line));
}

test.each(statements)('%s', (first) => {
  const found = statements.filter((second) => {
    const parts = [first, second, last];
    return JSON.stringify(read(parts, '\n')) !== JSON.stringify(read(parts, ';\n'));
  });
  expect(found).toEqual([]);
});
