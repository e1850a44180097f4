// Runs the checks of rows.

import type { Context } from '../../context.ts';
import { saidBy } from '../../integrations/connectors/source-error.ts';
import { shownText } from '../profiles/shown-text.ts';
import { type FailingSample, type Reading, readNumber } from '../scans/reading.ts';
import { countFailing, type RowCheck, someFailing } from '../scans/row-check.ts';
import { isAway, limits, type MeasuredSource, reasonOf } from '../scans/run-scans.ts';
import type { ColumnRef, SourceDialect } from '../scans/source-dialect.ts';
import type { Measurable } from './subject.ts';

interface AllColumns {
  readonly columns: readonly ColumnRef[];
}

/** What is kept of rows that fail: so many of them, and of their columns. */
const mostRows = 20;
const mostColumns = 50;

/** Rows as texts. */
export function sampleOf(
  columns: readonly ColumnRef[],
  rows: readonly (readonly unknown[])[],
): FailingSample {
  return { columns: columns.map(({ name }) => name), rows: rows.map((row) => row.map(shownText)) };
}

/** Count the rows that fail a check, and read some of them where they may be kept. */
export async function runCheck(
  ctx: Context,
  { source, dialect }: { source: MeasuredSource; dialect: SourceDialect },
  { table, column, reference = null, integration }: Measurable,
  { metricType, config, columns }: Pick<RowCheck, 'metricType' | 'config'> & AllColumns,
): Promise<Reading> {
  if (metricType === 'references' && reference === null) {
    return { error: 'The column that it refers to is no longer in the catalog.', why: 'refused' };
  }
  try {
    const check = { metricType, table, column, config, reference };
    const { rows } = await source.query(countFailing(dialect, check), limits(ctx));
    const reading = readNumber(rows[0]?.[0]);
    const isKept = integration?.keepsFailingRows === true && columns.length > 0;
    if ('error' in reading || reading.value === 0 || !isKept) return reading;
    const shown = columns.slice(0, mostColumns);
    const some = await source.query(someFailing(dialect, check, shown, mostRows), limits(ctx));
    return { ...reading, failing: sampleOf(shown, some.rows) };
  } catch (error) {
    const why = isAway(error) ? 'away' : 'refused';
    return { error: reasonOf(ctx, error), said: saidBy(error), why };
  }
}
