// Compares two queries of one or two sources: their difference, their ratio, or their rows by a key.

import type { ServerContext } from '../../context.ts';
import type { MetricConfig } from '../metric-config.ts';
import { comparedStatement, compareRows } from '../scans/compared-rows.ts';
import type { FailedReading, Reading } from '../scans/reading.ts';
import { customStatement } from '../scans/user-sql.ts';
import { type Asking, type OpenSource, openedFor, rowsOf, runQuery } from './asking.ts';
import type { Measurable } from './subject.ts';

const field = { first: 'metric_config.query_select', second: 'metric_config.other_query' };

/** What a comparison answers; the other source is opened where there is one, and closed after it. */
export async function compareQueries(
  ctx: ServerContext,
  asking: Asking,
  { other }: Measurable,
  config: MetricConfig,
  open: OpenSource,
): Promise<Reading> {
  if (config.other_integration === undefined) return compared(ctx, asking, asking, config);
  if (!other) return { error: 'The other source is gone.', why: 'refused' };
  const opened = await openedFor(ctx, other, open);
  if ('error' in opened) return ofSecond(opened);
  try {
    return await compared(ctx, asking, opened, config);
  } finally {
    await opened.source.close();
  }
}

async function compared(
  ctx: ServerContext,
  first: Asking,
  second: Asking,
  {
    query_select: one = '',
    other_query: two = '',
    key_columns: keys = [],
    ...config
  }: MetricConfig,
): Promise<Reading> {
  if (config.compare_by === 'keys') {
    const own = await rowsOf(ctx, first, (dialect) =>
      comparedStatement(dialect, one, keys, field.first),
    );
    if ('error' in own) return own;
    const others = await rowsOf(ctx, second, (dialect) =>
      comparedStatement(dialect, two, keys, field.second),
    );
    if ('error' in others) return ofSecond(others);
    const segments = await compareRows(keys.length, own.rows, others.rows);
    if ('error' in segments) return segments;
    return { value: segments.reduce((sum, { value }) => sum + value, 0), segments };
  }
  const own = await runQuery(ctx, first, (dialect) => customStatement(dialect, one, field.first));
  if ('error' in own) return own;
  const others = await runQuery(ctx, second, (dialect) =>
    customStatement(dialect, two, field.second),
  );
  if ('error' in others) return ofSecond(others);
  if (config.compare_by === 'difference') return { value: own.value - others.value };
  if (others.value !== 0) return { value: own.value / others.value };
  return { error: 'The second query answers 0, and nothing is in a ratio to that.' };
}

const ofSecond = (failed: FailedReading): FailedReading => ({
  ...failed,
  error: `The second query: ${failed.error}`,
});
