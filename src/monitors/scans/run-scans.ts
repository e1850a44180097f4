// The scans of a table: one statement for all that is due, or one for each where that fails.

import type { Context } from '../../context.ts';
import { CatalogError } from '../../errors.ts';
import type { Connector } from '../../integrations/connectors/connector.ts';
import { saidBy } from '../../integrations/connectors/source-error.ts';
import type { Reading } from './reading.ts';
import { type MeasureRequest, planScans, readScan, type Scan } from './scan.ts';
import type { SourceDialect } from './source-dialect.ts';

/** What can be asked of a live source; a connector can, and says no more than it has to. */
export type MeasuredSource = Pick<Connector, 'dialect' | 'query' | 'estimate' | 'close'>;

/** A statement that measures is cut after this time. */
const timeoutMs = 60_000;

/** One scan for all; where it fails, each of its requests alone, so that one spoils no other. */
export async function runScans(
  ctx: Context,
  source: MeasuredSource,
  dialect: SourceDialect,
  requests: readonly MeasureRequest[],
): Promise<Reading[]> {
  const readings: Reading[] = [];
  const { scans, refused } = planScans(dialect, requests);
  for (const [request, reading] of refused) readings[request] = reading;
  for (const scan of scans) {
    const failure = await runScan(ctx, source, scan, requests, readings);
    if (!failure) continue;
    if (scan.cells.length === 1) note(readings, scan, failure);
    else await runOneByOne(ctx, source, dialect, scan, requests, readings);
  }
  return readings;
}

/** A scan of one request, with that request's place in the whole list. */
const only = (scan: Scan, request: number): Scan => ({
  ...scan,
  cells: scan.cells.map(({ cell }) => ({ request, cell })),
});

async function runOneByOne(
  ctx: Context,
  source: MeasuredSource,
  dialect: SourceDialect,
  scan: Scan,
  requests: readonly MeasureRequest[],
  readings: Reading[],
): Promise<void> {
  let away: Failure | null = null;
  for (const { request: index } of scan.cells) {
    const request = requests[index];
    if (!request) continue;
    const [alone] = planScans(dialect, [request]).scans;
    if (!alone) continue;
    const single = only(alone, index);
    // A source that just did not answer is not asked again for each of a hundred metrics.
    const failure: Failure | null =
      away ?? (await runScan(ctx, source, single, requests, readings));
    if (failure) note(readings, single, failure);
    away = failure?.isAway ? failure : null;
  }
}

/** A statement that failed. */
interface Failure {
  readonly message: string;
  readonly said: string | undefined;
  /** The source does not answer, or not in time. */
  readonly isAway: boolean;
}

async function runScan(
  ctx: Context,
  source: MeasuredSource,
  scan: Scan,
  requests: readonly MeasureRequest[],
  readings: Reading[],
): Promise<Failure | null> {
  try {
    const { rows } = await source.query(scan.sql, limits(ctx));
    for (const { request, reading } of readScan(scan, requests, rows[0] ?? [], ctx.now())) {
      readings[request] = reading;
    }
    return null;
  } catch (error) {
    return { message: reasonOf(ctx, error), said: saidBy(error), isAway: isAway(error) };
  }
}

/** Whether a source did not answer; otherwise it said no. */
export function isAway(error: unknown): boolean {
  return error instanceof CatalogError && error.code === 'UNAVAILABLE';
}

function note(readings: Reading[], scan: Scan, { message, said, isAway }: Failure): void {
  const reading: Reading = { error: message, said, why: isAway ? 'away' : 'refused' };
  for (const { request } of scan.cells) readings[request] = reading;
}

/** How long a statement that measures may take, and who may end it. */
export const limits = (ctx: Context) => ({ timeoutMs, signal: ctx.signal });

/** What a source or a check said no with, in words. Anything else is a fault of ours and thrown on. */
export function reasonOf(ctx: Context, error: unknown): string {
  ctx.signal.throwIfAborted();
  if (error instanceof CatalogError) return error.message;
  throw error;
}
