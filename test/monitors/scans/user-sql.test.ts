// Showing that a person's SQL stays where it is put.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CatalogError } from '../../../src/errors.ts';
import { DIALECTS, dialectNamed } from '../../../src/lineage/sql/dialect.ts';
import { tokenize } from '../../../src/lineage/sql/tokens/tokens.ts';
import { sourceDialect } from '../../../src/monitors/scans/source-dialect.ts';
import {
  checkCondition,
  checkQuery,
  customStatement,
} from '../../../src/monitors/scans/user-sql.ts';
import { runs } from '../../trials/nightly.ts';

const query = (sql: string, name = 'postgres'): string => {
  const { lexical, name: dialect } = dialectNamed(name);
  return checkQuery(sql, lexical, dialect);
};

const condition = (sql: string, name = 'postgres'): string => {
  const { lexical, name: dialect } = dialectNamed(name);
  return checkCondition(sql, lexical, dialect);
};

/** The field and message of a refusal. */
const refusal = (attempt: () => string): string => {
  try {
    attempt();
  } catch (error) {
    if (error instanceof CatalogError && error.code === 'BAD_REQUEST') {
      return error.fields.map(({ field, message }) => `${field}: ${message}`).join();
    }
    throw error;
  }
  throw new Error('It was taken.');
};

describe('a query', () => {
  test.each([
    'SELECT 1',
    ' select count(*) from orders -- all of them',
    'SELECT 1 /* a ; in a comment ( */',
    "SELECT count(*) FROM t WHERE name = 'a;b' AND x <> '('",
    'SELECT "semi;colon" FROM "ta)ble"',
    "SELECT $$ ; ) ' $$",
    "SELECT E'it\\'s;' ",
    'WITH a AS (SELECT 1 AS v) SELECT max(v) FROM a',
    '(SELECT 1)',
    'VALUES (1)',
  ])('may be %s', (sql) => {
    expect(query(sql)).toBe(sql);
  });

  test('loses the semicolon at its end, and what comes behind it', () => {
    expect(query('SELECT 1;')).toBe('SELECT 1');
    expect(query('SELECT 1 ; -- that was all\n')).toBe('SELECT 1 ');
  });

  test.each<[string, string]>([
    ['', 'one SELECT'],
    ['   -- nothing', 'one SELECT'],
    [';', 'one SELECT'],
    ['DELETE FROM orders', 'one SELECT'],
    ['EXPLAIN SELECT 1', 'one SELECT'],
    ['COMMIT; DROP TABLE orders', 'one SELECT'],
    ['SELECT 1; DROP TABLE orders', 'no semicolon in the middle'],
    ['SELECT 1;;', 'no semicolon in the middle'],
    ['SELECT 1) AS x; --', 'parenthesis'],
    ['SELECT 1) UNION (SELECT 2', 'parenthesis'],
    ['SELECT (1', 'not closed'],
    ["SELECT 'open", 'not closed'],
    ['SELECT "open', 'not closed'],
    ['SELECT 1 /* open', 'not closed'],
    ['SELECT 1 /* /* nested */ open', 'not closed'],
    ['SELECT $tag$ open $tag', 'not closed'],
    ['SELECT 1 INTO new_table', 'INTO'],
    ['SELECT * FROM t INTO OUTFILE 1', 'INTO'],
  ])('is refused when it is %s', (sql, why) => {
    const message = refusal(() => query(sql));
    expect(message).toMatch(/^metric_config\.query_select: /);
    expect(message).toContain(why);
  });

  test.each(['mysql', 'mariadb'])('for %s has no comment that runs', (name) => {
    expect(refusal(() => query('SELECT 1 /*! ; DROP TABLE t */', name))).toContain('/*!');
    expect(refusal(() => query('SELECT 1 /*M! UNION SELECT 2 */', name))).toContain('/*!');
    expect(refusal(() => query('SELECT 5--1) UNION (SELECT 2\n', name))).toContain(
      'A comment begins with -- and a space.',
    );
    const fine = 'SELECT 1 -- it is -- fine\n # and this; too\n /* and! this */';
    expect(query(fine, name)).toBe(fine);
  });

  test('for MySQL knows that a backslash escapes a quote', () => {
    const sql = "SELECT count(*) FROM t WHERE a = 'it\\'s' AND b = 1";
    expect(query(sql, 'mysql')).toBe(sql);
    expect(refusal(() => query("SELECT 'a\\' ; DROP TABLE t --", 'mysql'))).toContain('not closed');
  });

  test('for ClickHouse holds no quote that we could not see', () => {
    expect(refusal(() => query('SELECT $a$ ) $a$', 'clickhouse'))).toContain('$ is not allowed');
  });

  test('may begin with FROM in DuckDB, and nowhere else', () => {
    expect(query('FROM t SELECT count(*)', 'duckdb')).toBe('FROM t SELECT count(*)');
    expect(refusal(() => query('FROM t SELECT count(*)', 'postgres'))).toContain('one SELECT');
  });

  test('stands on lines of its own, so that its last comment hides nothing', () => {
    const sql = customStatement(sourceDialect('postgres'), 'SELECT 1 -- one');
    expect(sql).toBe('SELECT CAST((\nSELECT 1 -- one\n) AS double precision) AS v');
    expect(customStatement(sourceDialect('mysql'), 'SELECT 1;')).toBe('SELECT (\nSELECT 1\n) AS v');
  });
});

describe('a condition', () => {
  test.each(["status = 'open' AND amount > (SELECT 1)", '(a OR b) -- why', 'a IN (1, 2)'])(
    'may be %s',
    (sql) => {
      expect(condition(sql)).toBe(sql);
    },
  );

  test.each<[string, string]>([
    ['', 'a condition'],
    ['-- nothing', 'a condition'],
    ['WHERE a = 1', 'after WHERE'],
    ['SELECT 1', 'after WHERE'],
    ['a = 1;', 'semicolon'],
    ['1=1) UNION SELECT secret FROM t WHERE (1=1', 'parenthesis'],
    ["a = 'x", 'not closed'],
    ['(a = 1', 'not closed'],
  ])('is refused when it is %s', (sql, why) => {
    const message = refusal(() => condition(sql));
    expect(message).toMatch(/^metric_config\.where: /);
    expect(message).toContain(why);
  });
});

test('whatever is taken ends where its parentheses end, in every dialect', () => {
  const pieces = ["'", '"', '`', '(', ')', ';', '--', '\n', '/*', '*/', '$$', '\\', '#', ' ', 'a'];
  const text = fc.array(fc.constantFrom(...pieces, '[', ']', "E'", '1'), { maxLength: 14 });
  let taken = 0;
  const holds = fc.property(text, fc.constantFrom(...DIALECTS), (parts, name) => {
    const dialect = dialectNamed(name);
    const sql = `a ${parts.join('')}`;
    try {
      checkCondition(sql, dialect.lexical, dialect.name);
    } catch (error) {
      expect(error).toBeInstanceOf(CatalogError);
      return;
    }
    taken++;
    const around = tokenize(`(\n${sql}\n) END`, dialect.lexical);
    expect(around.at(-1)?.word).toBe('END');
    expect(around.at(-2)?.word).toBe(')');
    let depth = 0;
    for (const [index, token] of around.slice(0, -1).entries()) {
      depth += token.word === '(' ? 1 : token.word === ')' ? -1 : 0;
      if (index < around.length - 2) expect(depth).toBeGreaterThan(0);
    }
    expect(depth).toBe(0);
  });
  fc.assert(holds, { numRuns: runs(20_000), seed: 99 });
  expect(taken).toBeGreaterThan(runs(1_000));
});

describe("the source's own tables", () => {
  test.each<[string, string]>([
    ['postgres', 'select passwd from pg_shadow'],
    ['postgres', 'select rolpassword from pg_catalog.pg_authid'],
    ['postgres', 'select rolpassword from "pg_authid"'],
    ['postgres', 'select rolpassword from "pg_catalog" . "pg_authid"'],
    ['postgres', 'select 1 from U&"pg\\005fshadow"'],
    ['postgres', 'select count(*) from Pg_Stat_Activity'],
    ['postgres', 'select count(*) from information_schema.tables'],
    ['postgres', "select query_to_xml('select passwd from pg_sha' || 'dow', true, true, '')"],
    ['postgres', "select count(*) from ts_stat('select 1')"],
    ['mysql', 'select count(*) from mysql.user'],
    ['mysql', 'select count(*) from `mysql`.`user`'],
    ['mariadb', 'select count(*) from performance_schema.threads'],
    ['duckdb', 'select count(*) from duckdb_secrets()'],
    ['duckdb', "select * from query('select 1')"],
    ['clickhouse', 'select count() from system.users'],
    ['trino', 'select count(*) from system.runtime.queries'],
    ['trino', 'select count(*) from hive.information_schema.tables'],
  ])('of %s are not read by %s', (dialect, sql) => {
    expect(refusal(() => query(sql, dialect))).toMatch(/^metric_config.query_select: /);
    expect(refusal(() => condition(`(${sql}) > 0`, dialect))).toMatch(/^metric_config.where: /);
  });

  test.each<[string, string]>([
    ['postgres', 'select count(*) from sales.pg_orders'],
    ['postgres', 'select max(o.pg_size) from orders o'],
    ['postgres', "select count(*) from orders where note = 'pg_shadow'"],
    ['mysql', 'select max(system) from orders'],
    ['clickhouse', 'select max(query) from orders'],
  ])('are not what %s reads by %s', (dialect, sql) => {
    expect(query(sql, dialect)).toBe(sql);
  });
});
