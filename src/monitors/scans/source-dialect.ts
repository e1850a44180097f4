// How each source writes names in SQL, and the functions that metrics need.

import { invalid } from '../../errors.ts';
import { type DialectName, findDialect } from '../../lineage/sql/dialect.ts';
import type { Lexical } from '../../lineage/sql/tokens/lexical.ts';
import { familyOf } from './data-type.ts';

/** A column as the catalog knows it. */
export interface ColumnRef {
  readonly name: string;
  /** Its data type in the source's own words; null where the catalog doesn't know. */
  readonly type: string | null;
}

/** What a statement that measures has to know of a source's SQL. */
export interface SourceDialect {
  readonly name: DialectName;
  readonly lexical: Lexical;
  /** How many names lead to a table: schema and table, or the database before them. */
  readonly depth: 2 | 3;
  /** A name as an identifier, whatever is in it. */
  quote(name: string): string;
  /** An expression as a double, null staying null. */
  double(expression: string): string;
  count(expression: string): string;
  /** How many different values a quoted column has, letters of each case told apart. */
  countDistinct(quoted: string, type: string | null): string;
  minimum(quoted: string): string;
  maximum(quoted: string): string;
  /** As exact as the source can, and null where there is no value. */
  sum(quoted: string): string;
  /** Sample standard deviation: divided by n - 1. */
  deviation(expression: string): string;
  /** Characters of a text, not bytes. */
  length(quoted: string, type: string | null): string;
  /** Whether a boolean is true. */
  isTrue(quoted: string): string;
  /** Seconds since 1970 of a moment; what has no time zone is in the source's own where it tells, else UTC. */
  epoch(moment: string, type: string | null): string;
  /** A moment of a session in UTC, given as 2026-03-01 00:00:00, to be compared with a column of times. */
  moment(text: string): string;
  /** A text as a literal, whatever is in it. */
  text(value: string): string;
  /** A quoted column to be compared with texts, letters of each case told apart. */
  exact(quoted: string, type: string | null): string;
  /** Whether a quoted column matches a regular expression somewhere, as a condition. */
  matches(quoted: string, pattern: string): string;
  /** The end of a query that keeps its first rows. */
  limit(rows: number): string;
  /** One value from a query in parentheses: more rows or columns than one are an error. */
  single(query: string): string;
}

type Spelling = Omit<SourceDialect, 'name' | 'lexical'>;

/** The dialects that can measure, by the name or everyday alias of an integration's type. */
export function sourceDialect(name: string): SourceDialect {
  const found = findDialect(name);
  const spelling = found ? spellings[found.name] : undefined;
  if (found && spelling) return { ...spelling, name: found.name, lexical: found.lexical };
  const known = Object.keys(spellings).join(', ');
  throw invalid(`A ${name.slice(0, 60)} source can't be measured by SQL; these can: ${known}.`);
}

/** How a quote is written inside quotes: twice, or behind a backslash. */
const doubled = (open: string, close: string) => (name: string) =>
  `${open}${whole(name).replaceAll(close, close + close)}${close}`;

const backslashed = (name: string) => `\`${whole(name).replace(/[\\`]/g, '\\$&')}\``;

function whole(name: string): string {
  if (name === '' || name.includes('\0')) {
    throw invalid('A table or column without a name, or with U+0000 in it, cannot be measured.');
  }
  return name;
}

const cast = (type: string) => (expression: string) => `CAST(${expression} AS ${type})`;

const isText = (type: string | null): boolean => type !== null && familyOf(type) === 'text';

const isDate = (type: string | null): boolean => /^(nullable\()?date(32)?\)?$/i.test(type ?? '');

const doubledText = (value: string): string => `'${value.replaceAll("'", "''")}'`;

/** Sources differ in what a backslash is in a text. */
function withoutBackslash(value: string): string {
  if (!value.includes('\\')) return doubledText(value);
  throw invalid('A text with a backslash in it cannot be written for this source.');
}

const withBackslashes = (value: string): string => `'${value.replace(/[\\']/g, '\\$&')}'`;

const ansi: Spelling = {
  depth: 3,
  quote: doubled('"', '"'),
  double: cast('DOUBLE'),
  count: (expression) => `COUNT(${expression})`,
  countDistinct: (quoted) => `COUNT(DISTINCT ${quoted})`,
  minimum: (quoted) => `MIN(${quoted})`,
  maximum: (quoted) => `MAX(${quoted})`,
  sum: (quoted) => `SUM(${quoted})`,
  deviation: (expression) => `STDDEV_SAMP(${expression})`,
  length: (quoted) => `LENGTH(${quoted})`,
  isTrue: (quoted) => quoted,
  epoch: (moment) => `EXTRACT(EPOCH FROM ${moment})`,
  moment: (text) => `TIMESTAMP '${text}'`,
  text: withoutBackslash,
  exact: (quoted) => quoted,
  matches: (quoted, pattern) => `REGEXP_LIKE(${quoted}, ${pattern})`,
  limit: (rows) => `LIMIT ${rows}`,
  single: (query) => `SELECT CAST(${query} AS DOUBLE) AS v`,
};

/** A text that the source reads as what it is compared with. */
const asText = (text: string) => `'${text}'`;

const fetchFirst = (rows: number) => `OFFSET 0 ROWS FETCH NEXT ${rows} ROWS ONLY`;

/** Types that PostgreSQL can't compare are told apart by how they are written. */
const NO_EQUALITY = /^(json|xml|point|line|path|polygon)$/i;

const postgres: Spelling = {
  ...ansi,
  depth: 2,
  double: cast('double precision'),
  countDistinct: (quoted, type) =>
    `COUNT(DISTINCT ${NO_EQUALITY.test(type ?? '') ? cast('text')(quoted) : quoted})`,
  length: (quoted) => `CHAR_LENGTH(CAST(${quoted} AS text))`,
  text: (value) => `E${doubledText(value.replaceAll('\\', '\\\\'))}`,
  matches: (quoted, pattern) => `CAST(${quoted} AS text) ~ ${pattern}`,
  epoch: (moment, type) =>
    ansi.epoch(
      /^timestamp(\(\d\))?( without time zone)?$/i.test(type ?? '')
        ? cast('timestamptz')(moment)
        : moment,
      type,
    ),
  single: (query) => `SELECT CAST(${query} AS double precision) AS v`,
};

/** A session of ours is in UTC, and a DATETIME is what the server's own clock showed; zones it lacks are UTC. */
const inOwnZone = (moment: string, type: string | null): string =>
  /^datetime/i.test(type ?? '')
    ? `COALESCE(CONVERT_TZ(${moment}, @@GLOBAL.time_zone, '+00:00'), ${moment})`
    : moment;

/** By its bytes: what a backslash is depends on the mode of the server. */
const inHex = (value: string): string =>
  value === '' ? "''" : `_utf8mb4 0x${Buffer.from(value).toString('hex')}`;

const mysql: Spelling = {
  ...ansi,
  text: inHex,
  exact: (quoted, type) =>
    isText(type) ? `CONVERT(${quoted} USING utf8mb4) COLLATE utf8mb4_bin` : quoted,
  matches: (quoted, pattern) => `REGEXP_LIKE(${quoted}, ${pattern}, 'c')`,
  depth: 2,
  quote: doubled('`', '`'),
  // Most collations hold a and A, and a word with blanks behind it, for equal.
  countDistinct: (quoted, type) =>
    `COUNT(DISTINCT ${isText(type) ? cast('BINARY')(quoted) : quoted})`,
  // MariaDB takes the largest integers without a sign for negative ones in a cast of MAX(...) alone.
  minimum: (quoted) => `COALESCE(MIN(${quoted}))`,
  maximum: (quoted) => `COALESCE(MAX(${quoted}))`,
  length: (quoted) => `CHAR_LENGTH(${quoted})`,
  // The date 0000-00-00 stands for none.
  epoch: (moment, type) =>
    `CASE WHEN YEAR(${moment}) > 0 THEN ` +
    `TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', ${inOwnZone(moment, type)}) / 1e6 END`,
  // A cast would turn text into 0 without a word; the driver's value is read as a number instead.
  single: (query) => `SELECT ${query} AS v`,
};

const clickhouse: Spelling = {
  ...ansi,
  depth: 2,
  quote: backslashed,
  text: withBackslashes,
  matches: (quoted, pattern) => `match(toString(${quoted}), ${pattern})`,
  double: (expression) => `toFloat64(${expression})`,
  count: (expression) => `count(${expression})`,
  countDistinct: (quoted) => `uniqExact(${quoted})`,
  // Without OrNull an empty table has the minimum 0; integers would overflow in silence.
  minimum: (quoted) => `minOrNull(${quoted})`,
  maximum: (quoted) => `maxOrNull(${quoted})`,
  sum: (quoted) => `sumOrNull(toFloat64(${quoted}))`,
  deviation: (expression) => `stddevSampOrNull(${expression})`,
  length: (quoted) => `lengthUTF8(toString(${quoted}))`,
  epoch: (moment) => `toFloat64(toDateTime64(${moment}, 6, 'UTC'))`,
  moment: asText,
  single: (query) => `SELECT toFloat64(${query}) AS v`,
};

const spellings: Partial<Record<DialectName, Spelling>> = {
  postgres,
  redshift: {
    ...postgres,
    text: ansi.text,
    countDistinct: ansi.countDistinct,
    epoch: ansi.epoch,
    length: (quoted) => `LEN(${quoted})`,
  },
  mysql,
  mariadb: {
    ...mysql,
    // Whether letters are told apart would be up to the collation.
    matches: (quoted, pattern) => `${quoted} REGEXP CONCAT('(?-i)', ${pattern})`,
  },
  duckdb: {
    ...ansi,
    text: doubledText,
    matches: (quoted, pattern) => `REGEXP_MATCHES(CAST(${quoted} AS VARCHAR), ${pattern})`,
    length: (quoted) => `LENGTH(CAST(${quoted} AS VARCHAR))`,
    epoch: (moment) => `EPOCH(${moment})`,
  },
  clickhouse,
  trino: {
    ...ansi,
    text: doubledText,
    sum: (quoted) => `SUM(CAST(${quoted} AS DOUBLE))`,
    length: (quoted) => `LENGTH(CAST(${quoted} AS VARCHAR))`,
    epoch: (moment, type) => `TO_UNIXTIME(${isDate(type) ? cast('TIMESTAMP(6)')(moment) : moment})`,
  },
  snowflake: {
    ...ansi,
    text: withBackslashes,
    // REGEXP_LIKE would have to match the whole.
    matches: (quoted, pattern) => `REGEXP_INSTR(${quoted}, ${pattern}) > 0`,
    epoch: (moment) => `DATE_PART(EPOCH_MICROSECOND, ${moment}) / 1e6`,
  },
  bigquery: {
    ...ansi,
    quote: backslashed,
    text: withBackslashes,
    matches: (quoted, pattern) => `REGEXP_CONTAINS(${quoted}, ${pattern})`,
    double: cast('FLOAT64'),
    length: (quoted) => `CHAR_LENGTH(${quoted})`,
    epoch: (moment) => `UNIX_MICROS(TIMESTAMP(${moment})) / 1e6`,
    moment: asText,
    single: (query) => `SELECT CAST(${query} AS FLOAT64) AS v`,
  },
  databricks: {
    ...ansi,
    quote: doubled('`', '`'),
    text: withBackslashes,
    matches: (quoted, pattern) => `${quoted} RLIKE ${pattern}`,
    sum: (quoted) => `SUM(CAST(${quoted} AS DOUBLE))`,
    epoch: (moment) => `UNIX_MICROS(CAST(${moment} AS TIMESTAMP)) / 1e6`,
  },
  tsql: {
    ...ansi,
    quote: doubled('[', ']'),
    text: (value) => `N${doubledText(value)}`,
    exact: (quoted, type) => (isText(type) ? `${quoted} COLLATE Latin1_General_BIN2` : quoted),
    matches: () => {
      throw invalid('SQL Server has no regular expressions.');
    },
    double: cast('float'),
    count: (expression) => `COUNT_BIG(${expression})`,
    countDistinct: (quoted, type) =>
      `COUNT_BIG(DISTINCT ${isText(type) ? `${quoted} COLLATE Latin1_General_BIN2` : quoted})`,
    sum: (quoted) => `SUM(CAST(${quoted} AS float))`,
    deviation: (expression) => `STDEV(${expression})`,
    moment: asText,
    limit: fetchFirst,
    // LEN leaves blanks at the end out.
    length: (quoted) => `(LEN(CONCAT(${quoted}, 'x')) - 1)`,
    isTrue: (quoted) => `${quoted} = 1`,
    epoch: (moment) =>
      `DATEDIFF_BIG(microsecond, CAST('1970-01-01T00:00:00+00:00' AS datetimeoffset), ` +
      `CAST(${moment} AS datetimeoffset)) / 1e6`,
    single: (query) => `SELECT CAST(${query} AS float) AS v`,
  },
  oracle: {
    ...ansi,
    depth: 2,
    double: cast('BINARY_DOUBLE'),
    epoch: (moment) => `(CAST(${moment} AS DATE) - DATE '1970-01-01') * 86400`,
    limit: fetchFirst,
    single: (query) => `SELECT CAST(${query} AS BINARY_DOUBLE) AS v FROM DUAL`,
  },
};
