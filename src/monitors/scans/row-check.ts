// Checks of rows: how many fail one, counted by a statement of its own.

import type { MetricType } from '../metric.ts';
import type { MetricConfig } from '../metric-config.ts';
import { conditionsOf, tablePath } from './scan.ts';
import type { ColumnRef, SourceDialect } from './source-dialect.ts';

/** The column that another one refers to. */
export interface ReferredColumn {
  /** Names that lead to its table. */
  readonly table: readonly string[];
  readonly column: ColumnRef;
}

/** What is checked. */
export interface RowCheck {
  readonly metricType: MetricType;
  readonly table: readonly string[];
  /** The column that is checked; null for unique_key. */
  readonly column: ColumnRef | null;
  readonly config: MetricConfig;
  /** Of references: what it refers to; null where that is gone. */
  readonly reference: ReferredColumn | null;
}

/**
 * The statement that counts the rows that fail a check; those without a value fail none. Throws BAD_REQUEST for a
 * condition that leaves its parentheses, and for what the source lacks.
 */
export function countFailing(dialect: SourceDialect, check: RowCheck): string {
  return `SELECT ${dialect.count('*')} AS v\n${failing(dialect, check)}`;
}

/** The statement that answers some of those rows, in these columns. */
export function someFailing(
  dialect: SourceDialect,
  check: RowCheck,
  columns: readonly ColumnRef[],
  most: number,
): string {
  const list = columns.map(({ name }) => dialect.quote(name)).join(', ');
  // SQL Server keeps the first rows of an order alone.
  const order = dialect.name === 'tsql' ? 'ORDER BY (SELECT NULL) ' : '';
  return `SELECT ${list}\n${failing(dialect, check)}\n${order}${dialect.limit(most)}`;
}

function failing(dialect: SourceDialect, check: RowCheck): string {
  const path = tablePath(dialect, check.table);
  const own = conditionsOf(dialect, { where: check.config.where ?? null });
  const conditions = [...own, failureOf(dialect, check, path, own)];
  return `FROM ${path}\nWHERE ${conditions.join('\n  AND ')}`;
}

/** The condition that holds for a row that fails. */
function failureOf(
  dialect: SourceDialect,
  { metricType, column, config, reference }: RowCheck,
  path: string,
  own: readonly string[],
): string {
  if (metricType === 'unique_key') {
    const names = (config.key_columns ?? []).map(dialect.quote);
    const key = names.join(', ');
    const where = [...own, ...names.map((name) => `${name} IS NOT NULL`)].join(' AND ');
    const place = names.length === 1 ? key : `(${key})`;
    return `${place} IN (SELECT ${key} FROM ${path} WHERE ${where} GROUP BY ${key} HAVING COUNT(*) > 1)`;
  }
  if (column === null) throw new RangeError(`${metricType} is measured on a column.`);
  const quoted = dialect.quote(column.name);
  if (metricType === 'accepted_values') {
    const values = (config.values ?? []).map((value) => dialect.text(value)).join(', ');
    return `${dialect.exact(quoted, column.type)} NOT IN (${values})`;
  }
  if (metricType === 'pattern') {
    const pattern = dialect.text(config.pattern ?? '');
    return `${quoted} IS NOT NULL AND NOT (${dialect.matches(quoted, pattern)})`;
  }
  if (reference === null) throw new RangeError('What is referred to is not known.');
  const other = `headwater_other.${dialect.quote(reference.column.name)}`;
  return (
    `${quoted} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ${tablePath(dialect, reference.table)} headwater_other ` +
    `WHERE ${other} = ${path}.${quoted})`
  );
}
