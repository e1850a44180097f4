// Every keyword of PostgreSQL where a name may stand: what PostgreSQL takes, the engine reads as it reads any name.

import { expect, test } from 'vitest';
import { DIALECTS, type DialectName } from '../../../src/lineage/sql/dialect.ts';
import { finish, prepare } from '../../../src/lineage/sql/script.ts';
import { openCatalog } from '../../catalog.ts';

const merge = 'MERGE INTO kw_t USING kw_s ON kw_t.a = kw_s.a WHEN';

/** Statements by what the word is in them. */
const places: Readonly<Record<string, (word: string) => string>> = {
  column: (w) => `SELECT ${w} FROM kw_t`,
  'qualified column': (w) => `SELECT kw_t.${w} FROM kw_t`,
  'output behind AS': (w) => `SELECT a AS ${w} FROM kw_t`,
  output: (w) => `SELECT a ${w} FROM kw_t`,
  'output of an expression': (w) => `SELECT a + 1 ${w} FROM kw_t`,
  'output of a function': (w) => `SELECT min(a) ${w}, a FROM kw_t`,
  table: (w) => `SELECT a FROM ${w}`,
  'table of a schema': (w) => `SELECT a FROM kw_s.${w}`,
  'alias behind AS': (w) => `SELECT ${w}.a FROM kw_t AS ${w}`,
  alias: (w) => `SELECT a FROM kw_t ${w}`,
  'alias that is used': (w) => `SELECT ${w}.a FROM kw_t ${w}`,
  'alias of a join': (w) => `SELECT kw_t.a FROM kw_t JOIN kw_s ${w} ON ${w}.a = kw_t.a`,
  'alias in a list': (w) => `SELECT kw_t.a FROM kw_t, kw_s ${w} WHERE ${w}.a = 1`,
  'alias of a query': (w) => `SELECT a FROM (SELECT a FROM kw_t) ${w}`,
  CTE: (w) => `WITH ${w} AS (SELECT a FROM kw_t) SELECT a FROM ${w}`,
  'column that is inserted': (w) => `INSERT INTO kw_t (${w}) SELECT a FROM kw_s`,
  'column that is updated': (w) => `UPDATE kw_t SET ${w} = 1`,
  'column that a MERGE updates': (w) => `${merge} MATCHED THEN UPDATE SET ${w} = kw_s.a`,
  'column that a MERGE inserts': (w) => `${merge} NOT MATCHED THEN INSERT (${w}) VALUES (kw_s.a)`,
  'column that is made': (w) => `CREATE TABLE kw_x (${w} int)`,
  'column that filters': (w) => `SELECT a FROM kw_t WHERE ${w} > 1`,
  'key to sort by': (w) => `SELECT a FROM kw_t ORDER BY ${w}`,
  'key to group by': (w) => `SELECT count(*) FROM kw_t GROUP BY ${w}`,
};

/** Words that are values or types of their own there, or whose place makes another statement of it. */
const values =
  /^(?:current_\w+|\w+_user|localtime\w*|user|true|false|null|interval|all|not|isnull|notnull|collate|recursive)$/;

/** What the engine says of a statement, without regard to case; null where it refuses it. */
function said(sql: string, dialect: DialectName): string | null {
  const { errors, statements } = finish(prepare({ sql, dialect }), []);
  if (errors.length > 0) return null;
  const shown = statements.map(({ kind, target, sources, outputs, indirect }) => [
    kind,
    target?.name,
    sources.map(({ name }) => name),
    outputs.map((one) => [
      one.column,
      one.sources.map((each) => `${each.table.name}.${each.column}`),
    ]),
    indirect.map(({ table, column }) => `${table.name}.${column}`),
  ]);
  return JSON.stringify(shown).toLowerCase();
}

/** What PostgreSQL says of statements, a code each; each is taken back. */
const judging = `create function kw_judged(statements text[]) returns text[] language plpgsql as $$
  declare
    codes text[] := '{}';
    one text;
  begin
    foreach one in array statements loop
      begin
        execute one;
        raise exception using errcode = 'KW000';
      exception when others then
        codes := codes || sqlstate::text;
      end;
    end loop;
    return codes;
  end $$`;

test('keywords are names where PostgreSQL takes them for names', { timeout: 300_000 }, async () => {
  await using catalog = await openCatalog({ alone: true });
  const { owner } = catalog;
  await owner.query(`create table kw_t (a int); create table kw_s (a int); ${judging}`);
  const words = (await owner.query<{ word: string }>('select word from pg_get_keywords()')).rows;
  let valid = 0;
  const refused: string[] = [];
  const different: string[] = [];
  for (const [place, sqlWith] of Object.entries(places)) {
    const usual = said(sqlWith('plain_word'), 'postgres');
    const judged = await owner.query<{ codes: string[] }>('select kw_judged($1) as codes', [
      words.map(({ word }) => sqlWith(word)),
    ]);
    for (const [at, { word }] of words.entries()) {
      const sql = sqlWith(word);
      const code = judged.rows[0]?.codes[at];
      // What it parses may still lack a table or a column.
      if (code === '42601' || code === '42939') continue;
      valid += 1;
      const expected = usual?.replaceAll('plain_word', word);
      const found = said(sql, 'postgres');
      if (found === null) refused.push(`${place}: ${word}`);
      else if (found !== expected && !values.test(word)) different.push(`${place}: ${word}`);
    }
  }
  expect(valid).toBeGreaterThan(8_000);
  expect(refused.length / valid, refused.join(', ')).toBeLessThanOrEqual(0.005);
  expect(different).toEqual([]);
});

const everywhere = [
  'key',
  'type',
  'time',
  'timestamp',
  'language',
  'first',
  'last',
  'index',
  'comment',
  'row',
  'start',
];

// ClickHouse has no MERGE.
const merging = DIALECTS.filter((dialect) => dialect !== 'clickhouse');

test.each(merging)('columns of a MERGE and aliases may be called by keywords in %s', (dialect) => {
  for (const word of everywhere) {
    for (const place of [
      'column that a MERGE updates',
      'column that a MERGE inserts',
      'alias that is used',
    ]) {
      const sqlWith = places[place];
      const expected =
        sqlWith && said(sqlWith('plain_word'), dialect)?.replaceAll('plain_word', word);
      expect([word, place, sqlWith && said(sqlWith(word), dialect)]).toEqual([
        word,
        place,
        expected,
      ]);
    }
  }
});
