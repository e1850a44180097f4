// An open source, and one value that a person's query answers there.

import type { ServerContext } from '../../context.ts';
import { saidBy } from '../../integrations/connectors/source-error.ts';
import { type FailedReading, type Reading, readNumber } from '../scans/reading.ts';
import { isAway, limits, type MeasuredSource, reasonOf } from '../scans/run-scans.ts';
import { type SourceDialect, sourceDialect } from '../scans/source-dialect.ts';
import type { MeasuredIntegration } from './subject.ts';

/** Opens the live source of an integration; throws, in words, where that has none. */
export type OpenSource = (
  ctx: ServerContext,
  integration: { readonly id: string; readonly type: string },
) => Promise<MeasuredSource>;

/** An open source, and how to ask it. */
export interface Asking {
  readonly source: MeasuredSource;
  readonly dialect: SourceDialect;
}

/** Open the source of an integration, or say why it can't be. */
export async function openedFor(
  ctx: ServerContext,
  integration: MeasuredIntegration | null | undefined,
  open: OpenSource,
): Promise<Asking | FailedReading> {
  if (!integration) {
    return {
      error: 'The target belongs to no integration, so there is no source to measure.',
      why: 'away',
    };
  }
  try {
    const source = await open(ctx, integration);
    return { source, dialect: sourceDialect(source.dialect ?? integration.type) };
  } catch (error) {
    return { error: reasonOf(ctx, error), why: 'away' };
  }
}

/** The rows that a statement answers, or why there are none. */
export async function rowsOf(
  ctx: ServerContext,
  { source, dialect }: Asking,
  statement: (dialect: SourceDialect) => string,
): Promise<{ readonly rows: readonly (readonly unknown[])[] } | FailedReading> {
  try {
    return await source.query(statement(dialect), limits(ctx));
  } catch (error) {
    const why = isAway(error) ? 'away' : 'refused';
    return { error: reasonOf(ctx, error), said: saidBy(error), why };
  }
}

/** The one value that a person's query answers. */
export async function runQuery(
  ctx: ServerContext,
  asking: Asking,
  statement: (dialect: SourceDialect) => string,
): Promise<Reading> {
  const found = await rowsOf(ctx, asking, statement);
  if ('error' in found) return found;
  const { rows } = found;
  if (rows.length > 1)
    return { error: `The query returned ${rows.length} rows; it has to be one.` };
  return readNumber(rows[0]?.[0]);
}
