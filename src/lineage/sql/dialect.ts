// The table of SQL dialects: what each is called, how it reads names, strings and aliases.
import { invalidField } from '../../errors.ts';

/** What the engine has to know of a dialect, beyond its grammar, which the parser knows. */
export interface Dialect {
  readonly name: DialectName;
  /** The parser's own name for it. */
  readonly parser: string;
  /** What an unquoted name becomes before it is compared. */
  readonly fold: 'lower' | 'upper' | 'keep';
  /** May an expression of the select list use an alias given earlier in the same list? */
  readonly lateralAlias: boolean;
  /** Does a CTE that names itself recurse without the word RECURSIVE? */
  readonly implicitRecursion: boolean;
  /** May FROM hold a path into a column of an earlier item (`FROM t, t.items`)? */
  readonly pathInFrom: boolean;
  /** May an expression name a table alias and mean its whole row? */
  readonly wholeRow: boolean;
  /** Does `SELECT ... INTO x` fill a variable rather than create the table x? */
  readonly intoVariable: boolean;
  /** Are unnamed outputs called after their function (`count`, `max`)? */
  readonly namesByFunction: boolean;
  readonly lexical: Lexical;
}

/** How a dialect writes strings, names and comments. */
export interface Lexical {
  readonly doubleQuote: 'name' | 'string';
  readonly backslash: boolean;
  readonly hashComment: boolean;
  readonly slashComment: boolean;
  readonly brackets: boolean;
  readonly dollarQuote: boolean;
  readonly tripleQuote: boolean;
  readonly nestedComments: boolean;
}

type Trait =
  | keyof Omit<Lexical, 'doubleQuote'>
  | 'doubleQuotedStrings'
  | 'lateralAlias'
  | 'implicitRecursion'
  | 'pathInFrom'
  | 'wholeRow'
  | 'intoVariable'
  | 'namesByFunction';

function dialect<const Name extends string>(
  name: Name,
  parser: string,
  fold: Dialect['fold'],
  aliases: readonly string[],
  traits: readonly Trait[],
) {
  return { name, parser, fold, aliases, traits };
}

// One line for each dialect; the aliases are what people and tools call it.
const TABLE = [
  dialect(
    'postgres',
    'postgresql',
    'lower',
    ['postgresql', 'pg', 'pgsql', 'greenplum', 'cockroachdb', 'timescaledb', 'alloydb'],
    ['dollarQuote', 'nestedComments', 'wholeRow', 'namesByFunction'],
  ),
  dialect(
    'redshift',
    'redshift',
    'lower',
    ['amazon_redshift'],
    ['dollarQuote', 'nestedComments', 'lateralAlias', 'pathInFrom', 'wholeRow', 'namesByFunction'],
  ),
  dialect(
    'snowflake',
    'snowflake',
    'upper',
    [],
    ['backslash', 'slashComment', 'dollarQuote', 'lateralAlias', 'implicitRecursion'],
  ),
  dialect(
    'bigquery',
    'bigquery',
    'keep',
    ['bq', 'googlesql', 'standardsql', 'google_bigquery'],
    ['doubleQuotedStrings', 'backslash', 'hashComment', 'tripleQuote', 'pathInFrom', 'wholeRow'],
  ),
  dialect(
    'databricks',
    'databricks',
    'keep',
    ['databricks_sql', 'unity_catalog', 'delta'],
    ['doubleQuotedStrings', 'backslash', 'dollarQuote', 'lateralAlias'],
  ),
  dialect(
    'spark',
    'spark',
    'keep',
    ['sparksql', 'spark_sql', 'spark2', 'spark3', 'pyspark'],
    ['doubleQuotedStrings', 'backslash', 'lateralAlias'],
  ),
  dialect('hive', 'hive', 'keep', ['hiveql', 'impala'], ['doubleQuotedStrings', 'backslash']),
  dialect(
    'mysql',
    'mysql',
    'keep',
    ['mysql8', 'tidb', 'singlestore'],
    ['doubleQuotedStrings', 'backslash', 'hashComment', 'intoVariable'],
  ),
  dialect(
    'mariadb',
    'mysql',
    'keep',
    [],
    ['doubleQuotedStrings', 'backslash', 'hashComment', 'intoVariable'],
  ),
  dialect(
    'tsql',
    'tsql',
    'keep',
    ['mssql', 'sqlserver', 'sql_server', 'transactsql', 'azuresql', 'synapse', 'fabric'],
    ['brackets', 'nestedComments', 'implicitRecursion'],
  ),
  dialect(
    'oracle',
    'oracle',
    'upper',
    ['oracledb', 'plsql'],
    ['implicitRecursion', 'intoVariable'],
  ),
  dialect('sqlite', 'sqlite', 'keep', ['sqlite3'], ['brackets', 'implicitRecursion']),
  dialect(
    'duckdb',
    'duckdb',
    'keep',
    ['motherduck'],
    ['dollarQuote', 'nestedComments', 'lateralAlias', 'wholeRow'],
  ),
  dialect(
    'clickhouse',
    'clickhouse',
    'keep',
    ['ch'],
    ['backslash', 'hashComment', 'nestedComments', 'lateralAlias'],
  ),
  dialect('trino', 'trino', 'lower', ['trinodb', 'starburst'], []),
  dialect('presto', 'presto', 'lower', ['prestodb', 'prestosql'], []),
  dialect('athena', 'athena', 'lower', ['aws_athena', 'amazon_athena'], []),
  dialect('teradata', 'teradata', 'keep', ['td'], ['lateralAlias', 'implicitRecursion']),
  dialect(
    'generic',
    'generic',
    'keep',
    ['ansi', 'sql', 'other'],
    ['lateralAlias', 'implicitRecursion', 'pathInFrom', 'wholeRow'],
  ),
] as const;

export type DialectName = (typeof TABLE)[number]['name'];

const byName = new Map<string, Dialect>();
for (const row of TABLE) {
  const has = (trait: Trait) => row.traits.some((own) => own === trait);
  const entry: Dialect = {
    name: row.name,
    parser: row.parser,
    fold: row.fold,
    lateralAlias: has('lateralAlias'),
    implicitRecursion: has('implicitRecursion'),
    pathInFrom: has('pathInFrom'),
    wholeRow: has('wholeRow'),
    intoVariable: has('intoVariable'),
    namesByFunction: has('namesByFunction'),
    lexical: {
      doubleQuote: has('doubleQuotedStrings') ? 'string' : 'name',
      backslash: has('backslash'),
      hashComment: has('hashComment'),
      slashComment: has('slashComment'),
      brackets: has('brackets'),
      dollarQuote: has('dollarQuote'),
      tripleQuote: has('tripleQuote'),
      nestedComments: has('nestedComments'),
    },
  };
  for (const name of [row.name, ...row.aliases]) byName.set(name, entry);
}

/** The dialects by their own names, in the order of the table. */
export const DIALECTS: readonly DialectName[] = TABLE.map((row) => row.name);

/**
 * The dialect of that name or everyday alias (`mssql`, `SQL Server` and `t-sql` are `tsql`).
 * Throws BAD_REQUEST on field `dialect`, with the list of what is allowed.
 */
export function dialectNamed(name: string): Dialect {
  const found = findDialect(name);
  if (found) return found;
  const shown = name.length > 40 ? `${name.slice(0, 40)}...` : name;
  throw invalidField('dialect', `'${shown}' is not one of ${DIALECTS.join(', ')}.`);
}

/** The dialect of that name or alias, or null. Case, blanks, dashes and underscores don't count. */
export function findDialect(name: string): Dialect | null {
  const plain = name.trim().toLowerCase();
  const squeezed = plain.replace(/[\s_-]+/g, '');
  return (
    byName.get(plain) ?? byName.get(plain.replace(/[\s-]+/g, '_')) ?? byName.get(squeezed) ?? null
  );
}
