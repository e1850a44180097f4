// Places in the text, candidates, several statements, and what diagnostics say.
import { describe, expect, test } from 'vitest';
import type { KnownTable } from '../../../src/lineage/sql/answer.ts';
import { finish, prepare } from '../../../src/lineage/sql/script.ts';

function trace(sql: string, known: KnownTable[] = [], dialect = 'postgres') {
  return finish(prepare({ sql, dialect }), known);
}

describe('places', () => {
  test('an unresolved column has the line and column where it stands', () => {
    const sql = 'SELECT a.id,\n       price\nFROM a\nJOIN b ON a.id = b.id';
    const [statement] = trace(sql).statements;
    expect(statement?.unresolved).toMatchObject([
      { name: 'price', reason: 'AMBIGUOUS', candidates: ['a', 'b'], line: 2, column: 8 },
    ]);
  });

  test('a place is that of the name itself, not of a longer name, a function or an alias', () => {
    const sql = 'SELECT x.total AS total, total(1), t.total2, total FROM a t, b x';
    const [statement] = trace(sql).statements;
    expect(statement?.unresolved).toMatchObject([{ name: 'total', line: 1, column: 46 }]);
  });

  test('columns are counted in characters, also behind those of two UTF-16 units', () => {
    const { errors } = trace("SELECT '😀😀' FROM t WHERE");
    expect(errors).toMatchObject([{ line: 1, column: 25 }]);
  });

  test('an error in a script says which statement it is', () => {
    const { errors, statements } = trace('SELECT a FROM t;\nSELEC b FROM t;\nSELECT c FROM t');
    expect(errors).toMatchObject([{ statement: 2, line: 2, column: 9 }]);
    expect(statements.map(({ statement }) => statement)).toEqual([1, 3]);
  });

  test('a statement in the body of a function has its place in the whole text', () => {
    const sql = 'CREATE FUNCTION f() RETURNS int AS $$\n  SELECT nope FROM a, b\n$$ LANGUAGE sql';
    const [statement] = trace(sql).statements;
    expect(statement).toMatchObject({ statement: 1, line: 2, column: 3 });
    expect(statement?.unresolved).toMatchObject([{ name: 'nope', line: 2, column: 10 }]);
  });
});

describe('tables', () => {
  const orders = (path: string[], more: Partial<KnownTable> = {}): KnownTable => ({
    id: path.join('/'),
    path,
    columns: ['id'],
    ...more,
  });

  test('several that fit are reported, and none of them is picked', () => {
    const known = [orders(['a', 's', 'orders']), orders(['b', 's', 'orders'])];
    const [statement] = trace('SELECT id FROM s.orders', known).statements;
    expect(statement?.sources).toMatchObject([
      { origin: 'UNKNOWN', id: null, candidates: ['a/s/orders', 'b/s/orders'] },
    ]);
    expect(statement?.diagnostics.map(({ code }) => code)).toContain('AMBIGUOUS_TABLE');
  });

  test('the preferred integration wins where several fit', () => {
    const known = [orders(['a', 's', 'orders']), orders(['b', 's', 'orders'], { preferred: true })];
    const [statement] = trace('SELECT id FROM s.orders', known).statements;
    expect(statement?.sources).toMatchObject([{ origin: 'CATALOG', id: 'b/s/orders' }]);
  });

  test('a table of another schema is never taken', () => {
    const [statement] = trace('SELECT id FROM x.orders', [orders(['s', 'orders'])]).statements;
    expect(statement?.sources).toMatchObject([{ origin: 'UNKNOWN', id: null, candidates: [] }]);
  });

  test('two that differ in case only are told apart by the dialect', () => {
    const known = [orders(['s', 'Orders']), orders(['s', 'orders'])];
    const id = (sql: string) => trace(sql, known).statements[0]?.sources[0]?.id;
    expect(id('SELECT id FROM s.ORDERS')).toBe('s/orders');
    expect(id('SELECT id FROM s."Orders"')).toBe('s/Orders');
  });

  test('one that the script made is known to what follows', () => {
    const sql = 'CREATE TABLE x AS SELECT id FROM s.orders; SELECT id, nope FROM x';
    const [, select] = trace(sql, [orders(['s', 'orders'])]).statements;
    expect(select?.sources).toMatchObject([{ name: 'x', origin: 'SCRIPT' }]);
    expect(select?.unresolved).toMatchObject([{ name: 'nope', reason: 'UNKNOWN' }]);
  });

  test('one that is not known is said to be unknown', () => {
    const [statement] = trace('SELECT *\nFROM nowhere').statements;
    expect(statement?.diagnostics).toMatchObject([
      { code: 'UNKNOWN_TABLE', line: 2, column: 6 },
      { code: 'UNEXPANDED_STAR', line: 2, column: 6 },
    ]);
  });
});

test('an empty text has no statements and no errors', () => {
  for (const sql of ['', '  \n', '-- only a comment', ';;;', '/* closed */']) {
    expect(trace(sql)).toMatchObject({ statements: [], errors: [] });
  }
});

test('what was rewritten before parsing is said', () => {
  const [statement] = trace('INSERT t SELECT a FROM u', [], 'tsql').statements;
  expect(statement?.diagnostics.map(({ code }) => code)).toContain('REWRITTEN');
});

test('a procedure with a statement that is not understood still gives the others', () => {
  const sql =
    'CREATE PROCEDURE p() LANGUAGE plpgsql AS $$ BEGIN ' +
    'INSERT INTO t (a) SELECT id FROM orders; UPDATE t SET WHERE; END $$';
  const { statements, errors } = trace(sql);
  expect(errors).toEqual([]);
  expect(statements.map(({ kind }) => kind)).toEqual(['INSERT', 'OTHER']);
  expect(statements[1]?.diagnostics).toMatchObject([{ code: 'INCOMPLETE' }]);
});

test('too many statements are refused', () => {
  expect(() => trace('SELECT 1;'.repeat(5_001))).toThrow(/at most 5000 are read/);
});

test('tables in one pair of quotes have their places', () => {
  const sql = 'SELECT a, `b c`\nFROM `p.d.s` JOIN\n `p.d`.`t` x ON true WHERE x.`gone` = 1';
  const known = [{ path: ['p', 'd', 's'], columns: ['a'] }];
  const places = (dialect: string) =>
    trace(sql, known, dialect).statements[0]?.diagnostics.map(({ code, line, column }) => {
      return `${code} ${line}:${column}`;
    });
  expect(places('bigquery')).toEqual(['UNKNOWN_TABLE 3:8']);
  const [first] = trace('SELECT 1;\n SELECT k FROM `p.d.gone`', [], 'bigquery').statements.slice(1);
  expect(first?.diagnostics).toMatchObject([{ code: 'UNKNOWN_TABLE', line: 2, column: 16 }]);
});
