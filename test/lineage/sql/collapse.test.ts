// Tables that a script makes on its way are seen through, in the order of its statements.
import { expect, test } from 'vitest';
import { throughScriptTables } from '../../../src/lineage/sql/collapse.ts';
import { finish, prepare } from '../../../src/lineage/sql/script.ts';
import { written } from './case.ts';

function collapsed(sql: string): string[] {
  const known = [{ path: ['orders'], columns: ['id', 'amount'] }];
  const lineage = finish(prepare({ sql, dialect: 'postgres' }), known);
  const statements = throughScriptTables(lineage.statements);
  return written({ ...lineage, statements }).map((line) => line.split(' | filter')[0] ?? '');
}

test('a temporary table between two others is followed', () => {
  expect(
    collapsed(
      'CREATE TEMP TABLE big AS SELECT id, amount * 2 AS twice FROM orders;' +
        'INSERT INTO report SELECT id AS k, twice FROM big',
    )[1],
  ).toBe('insert report <- k: orders.id; twice: orders.amount | reads orders');
});

test('several steps and stars are followed', () => {
  expect(
    collapsed(
      'CREATE TABLE a AS SELECT * FROM orders; CREATE VIEW b AS SELECT * FROM a;' +
        'SELECT amount FROM b',
    )[2],
  ).toBe('amount: orders.amount | reads orders');
});

test('a column that the script filled with a constant comes from nowhere', () => {
  expect(
    collapsed("CREATE TABLE a AS SELECT 'x' AS label FROM orders; SELECT label FROM a")[1],
  ).toBe('label: constant | reads orders');
});

test('a table made anew forgets what it was, an insert adds to it', () => {
  const again = collapsed(
    'CREATE TABLE a AS SELECT id AS v FROM orders; CREATE TABLE a AS SELECT x AS v FROM other;' +
      'SELECT v FROM a',
  );
  expect(again[2]).toBe('v: other.x | reads other');
  const added = collapsed(
    'CREATE TABLE a AS SELECT id AS v FROM orders; INSERT INTO a (v) SELECT x FROM other;' +
      'SELECT v FROM a',
  );
  expect(added[2]).toBe('v: orders.id + other.x | reads orders, other');
});

test('tables that were there before the script are no steps on its way', () => {
  expect(
    collapsed('INSERT INTO t (a) SELECT id FROM orders; INSERT INTO u (b) SELECT a FROM t')[1],
  ).toBe('insert u <- b: t.a | reads t');
});
