// Keeps SQL that a person wrote within the parentheses it is put in.
//
// It is the first wall, for mistakes and clear messages. The second is the source's: a read-only
// transaction of a login that may only read, with time limits, over the extended protocol.

import { type FieldError, invalid } from '../../errors.ts';
import type { DialectName } from '../../lineage/sql/dialect.ts';
import type { Lexical } from '../../lineage/sql/tokens/lexical.ts';
import { isName, type Token, tokenize, unquote } from '../../lineage/sql/tokens/tokens.ts';
import type { SourceDialect } from './source-dialect.ts';

const ownQuery = 'metric_config.query_select';

/**
 * The statement that runs a `custom_sql` metric: the person's query as a value, on lines of its
 * own so that a comment at its end hides nothing. The source refuses more rows or columns than one.
 * @throws BAD_REQUEST on `metric_config.query_select`.
 */
export function customStatement(dialect: SourceDialect, query: string, field = ownQuery): string {
  return dialect.single(`(\n${checkQuery(query, dialect.lexical, dialect.name, field)}\n)`);
}

/**
 * The statement that answers in seconds since 1970 the time that a person's query answers. The query stands in it
 * once, for some sources need the time several times.
 * @throws BAD_REQUEST on `metric_config.query_select`.
 */
export function momentStatement(dialect: SourceDialect, query: string): string {
  const asked = `(\n${checkQuery(query, dialect.lexical, dialect.name)}\n)`;
  const epoch = dialect.epoch('m.v', null);
  return dialect.single(`(SELECT ${epoch} FROM (SELECT ${asked} AS v) m)`);
}

/**
 * A person's query without a semicolon at its end.
 * @throws BAD_REQUEST on `metric_config.query_select`: no query, more than one, or a quote, comment
 * or parenthesis that would reach beyond it.
 */
export function checkQuery(
  query: string,
  lexical: Lexical,
  dialect: DialectName,
  field = ownQuery,
): string {
  const tokens = tokensOf(query, lexical, field);
  const ends = tokens.at(-1)?.word === ';';
  const statement = ends ? tokens.slice(0, -1) : tokens;
  const text = ends ? query.slice(0, tokens.at(-1)?.start) : query;
  const first = statement[0]?.word ?? '';
  const opening = dialect === 'duckdb' ? [...OPENINGS, 'FROM'] : OPENINGS;
  if (!opening.includes(first)) {
    throw wrong(field, 'Use one SELECT (or WITH ... SELECT) that gives one value.');
  }
  checkWithin(statement, text, dialect, field);
  if (statement.some((token) => token.word === 'INTO')) {
    throw wrong(field, 'It only reads: INTO is not allowed.');
  }
  return text;
}

/**
 * A person's condition, as it is.
 * @throws BAD_REQUEST on `metric_config.where`.
 */
export function checkCondition(where: string, lexical: Lexical, dialect: DialectName): string {
  const field = 'metric_config.where';
  const tokens = tokensOf(where, lexical, field);
  const first = tokens[0]?.word ?? '';
  if (tokens.length === 0) throw wrong(field, 'Use a condition, such as status = 1.');
  if (first === 'WHERE' || first === 'SELECT') {
    throw wrong(field, 'Use only what comes after WHERE: a condition, such as status = 1.');
  }
  checkWithin(tokens, where, dialect, field);
  return where;
}

const OPENINGS = ['SELECT', 'WITH', 'VALUES', '('];

/** The tokens, if a semicolon behind the text would be seen: no quote or comment stays open. */
function tokensOf(text: string, lexical: Lexical, field: string): Token[] {
  const tokens = tokenize(`${text}\n;`, lexical);
  const sentinel = tokens.pop();
  if (sentinel?.word !== ';' || sentinel.start !== text.length + 1) {
    throw wrong(field, 'A quote or a comment is not closed.');
  }
  return tokens;
}

function checkWithin(
  tokens: readonly Token[],
  text: string,
  dialect: DialectName,
  field: string,
): void {
  checkNames(tokens, dialect, field);
  let depth = 0;
  let end = 0;
  for (const token of tokens) {
    refuseHiding(text.slice(end, token.start), dialect, field);
    end = token.end;
    if (token.kind === 'broken') throw wrong(field, 'A quote is not closed.');
    if (token.word === ';') throw wrong(field, 'Use one statement: no semicolon in the middle.');
    if (token.word === '(') depth++;
    if (token.word === ')') depth--;
    if (depth < 0) throw wrong(field, 'A parenthesis closes that was never opened.');
    // ClickHouse quotes with $tag$ what we would read as SQL.
    if (dialect === 'clickhouse' && token.word === '$') throw wrong(field, '$ is not allowed.');
  }
  refuseHiding(text.slice(end), dialect, field);
  if (depth > 0) throw wrong(field, 'A parenthesis is not closed.');
}

/** Where a source keeps what it knows of itself, logins and queries of others among it: schemas, and other names. */
interface OwnNames {
  readonly schemas: readonly string[];
  readonly names: RegExp;
}

const none = /^(?!)/;
const ofPostgres: OwnNames = { schemas: ['PG_CATALOG'], names: /^PG_/ };
const ofMySql: OwnNames = { schemas: ['MYSQL', 'PERFORMANCE_SCHEMA', 'SYS'], names: none };
const ofSystem: OwnNames = { schemas: ['SYSTEM'], names: none };
const ownNames: Partial<Record<DialectName, OwnNames>> = {
  postgres: ofPostgres,
  redshift: { ...ofPostgres, names: /^(?:PG_|ST[LV]_|SV[LV]_|SVCS_|SYS_)/ },
  mysql: ofMySql,
  mariadb: ofMySql,
  clickhouse: ofSystem,
  trino: ofSystem,
  duckdb: { ...ofPostgres, names: /^(?:PG_|DUCKDB_|PRAGMA_|SQLITE_(?:TEMP_)?(?:MASTER|SCHEMA)$)/ },
};

/** Functions that run a text as SQL or read what a text names: nothing in the text would be checked. */
const runsText =
  /^(?:(?:QUERY|TABLE|SCHEMA|DATABASE|CURSOR)_TO_XML|DBLINK|TS_STAT$|LO_|QUERY$|QUERY_TABLE$)/;

/**
 * A person's SQL is about tables of people: the source's own hold password hashes, other people's queries and all
 * that its login may see. The login's rights are the wall; this is for what a login can't be without.
 */
function checkNames(tokens: readonly Token[], dialect: DialectName, field: string): void {
  const own = ownNames[dialect];
  for (const [at, token] of tokens.entries()) {
    if (token.kind === 'word' && token.word === 'U' && tokens[at + 1]?.word === '&') {
      throw wrong(field, 'Names and texts with U& are not allowed.');
    }
    if (!isName(token)) continue;
    const name = unquote(token).toUpperCase();
    const isQualified = tokens[at - 1]?.word === '.';
    const qualifies = tokens[at + 1]?.word === '.';
    const isCalled = tokens[at + 1]?.word === '(';
    const isSystem = qualifies
      ? name === 'INFORMATION_SCHEMA' || own?.schemas.includes(name)
      : !isQualified && own?.names.test(name);
    if (isSystem)
      throw wrong(field, `It reads tables of people, not the source's own: ${shown(token)}.`);
    if (isCalled && runsText.test(name)) {
      throw wrong(
        field,
        `A function that runs or opens what a text names is not allowed: ${shown(token)}.`,
      );
    }
  }
}

const shown = ({ text }: Token): string => text.slice(0, 60);

/**
 * MySQL runs what stands in a comment of the form /*! and reads -- as two minuses unless a blank
 * follows: there a comment would not be one.
 */
function refuseHiding(between: string, dialect: DialectName, field: string): void {
  if (dialect !== 'mysql' && dialect !== 'mariadb') return;
  for (const [comment] of between.matchAll(/--[^\n]*|#[^\n]*|\/\*[\s\S]*?\*\//g)) {
    if (/^\/\*M?!/i.test(comment))
      throw wrong(field, 'Comments that run, /*! ... */, are refused.');
    if (/^--[^\s]/.test(comment)) throw wrong(field, 'A comment begins with -- and a space.');
  }
}

function wrong(field: string, message: string): Error {
  const errors: FieldError[] = [{ field, message }];
  return invalid(`${field}: ${message}`, errors);
}
