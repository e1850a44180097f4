// Tries what a monitor would measure, before it is made or changed: a dry run on its source.

import { record } from '../../audit/audit.ts';
import { changeOf } from '../../audit/changes.ts';
import { mustBeAllowed } from '../../auth/permission.ts';
import type { ServerContext } from '../../context.ts';
import { invalid, invalidField } from '../../errors.ts';
import { checkFields } from '../../fields.ts';
import type { Monitor, Resource } from '../../generated/prisma/client.ts';
import { openConnector } from '../../integrations/connectors/open.ts';
import { wholeMessage } from '../../integrations/connectors/source-error.ts';
import { readCondition } from '../condition.ts';
import { monitorNoun } from '../fields.ts';
import { type CheckedMetric, readMetric, readStoredConfig, SETTINGS } from '../metric-config.ts';
import {
  createMonitor,
  getMonitor,
  type MonitorInput,
  metricAfter,
  targetOf,
  updateMonitor,
} from '../monitor.ts';
import { closedPeriods } from '../scans/periods.ts';
import type { MeasuredSource } from '../scans/run-scans.ts';
import { checkSql } from '../scans/stored-sql.ts';
import { intervalHours, readSchedule } from '../schedule.ts';
import type { OpenSource } from './asking.ts';
import { measure, whyUnmeasurable } from './measure.ts';
import { namedBy, placeOf } from './subject.ts';

/** The result of a dry run. */
export type Trial =
  | {
      readonly outcome: 'MEASURED';
      readonly value: number;
      readonly message: null;
      /** What is to be said of the value; null for nothing. */
      readonly warning: string | null;
    }
  | {
      /** It was not run: the source said what it would read. */
      readonly outcome: 'ESTIMATED';
      readonly value: null;
      readonly message: null;
    }
  | {
      /** REFUSED by the source, FAILED by what it answered, NO_ANSWER where it could not be asked. */
      readonly outcome: 'REFUSED' | 'FAILED' | 'NO_ANSWER';
      readonly value: null;
      /** In words of ours, which may be kept. */
      readonly message: string;
      /** What the source said, for who wrote the SQL. */
      readonly said?: string | undefined;
    };

/** How sources are asked: by their own connectors for at most this time, unless a test says otherwise. */
export interface TrialOptions {
  /** False: nothing is measured, and only asked what would be read. */
  readonly run?: boolean;
  readonly open?: OpenSource;
  readonly timeoutMs?: number;
}

/** Anyone who makes a monitor waits for its source for so long. */
const usualMs = 5_000;

/**
 * Measure once what a monitor would measure, and keep nothing. Editors may. Throws BAD_REQUEST like
 * making it would; what the source says is in the result.
 */
export async function testMonitor(
  ctx: ServerContext,
  input: MonitorInput,
  options: TrialOptions = {},
): Promise<EstimatedTrial> {
  mustBeAllowed(ctx, monitorNoun.by);
  const target = await targetOf(ctx, input.targetId);
  checkFields(monitorNoun, input);
  readCondition(input);
  const metric = readMetric(target, input);
  await checkSql(ctx, target, metric.metricConfig);
  const schedule = readSchedule(input.schedule);
  const { open = openConnector, run = true } = options;
  const asked: Estimates = { bytes: [], isLeftAtThat: false };
  const counting: OpenSource = async (of, integration) =>
    countingBytes(await open(of, integration), asked, run);
  const tried = await tryMetric(ctx, target, metric, { ...options, open: counting }, schedule);
  const trial = run ? tried : estimatedOf(tried, asked);
  const { id, kind, titleFull, integrationId } = target;
  await record(ctx, {
    activity: 'monitor_tested',
    subject: { id, kind, title: titleFull, integrationId },
    changes: [changeOf('outcome', null, trial.outcome)],
  });
  const { bytes } = asked;
  const estimatedBytes = bytes.length === 0 ? null : bytes.reduce((sum, one) => sum + one, 0);
  return { ...trial, estimatedBytes };
}

/** A trial, with the bytes that its statements read, or would read; null where the source does not say. */
export type EstimatedTrial = Trial & { readonly estimatedBytes: number | null };

/** What sources said that statements would read. */
interface Estimates {
  readonly bytes: number[];
  /** Whether a statement was not run for that reason alone. */
  isLeftAtThat: boolean;
}

/** A source that is asked of each statement what it would read, before it is run, or in place of that. */
function countingBytes(source: MeasuredSource, asked: Estimates, run: boolean): MeasuredSource {
  return {
    ...source,
    async query(sql, options) {
      const estimated = await source.estimate?.(sql, options);
      if (estimated !== undefined) asked.bytes.push(estimated);
      asked.isLeftAtThat = !run;
      if (!run) throw invalid('Not run.');
      return source.query(sql, options);
    },
  };
}

/** What came of a monitor that was not run: a source that refuses to say it refuses to run it, too. */
function estimatedOf(tried: Trial, { bytes, isLeftAtThat }: Estimates): Trial {
  if (bytes.length > 0) return { outcome: 'ESTIMATED', value: null, message: null };
  if (!isLeftAtThat) return tried;
  const message = 'The source does not say what a statement would read.';
  return { outcome: 'NO_ANSWER', value: null, message };
}

/**
 * Make a monitor after its SQL was tried. Throws BAD_REQUEST for what the source refuses; a source that
 * does not answer is no reason to refuse, and the monitor's last error says so until its first run.
 */
export async function createTriedMonitor(
  ctx: ServerContext,
  input: MonitorInput,
  options: TrialOptions = {},
): Promise<Monitor> {
  mustBeAllowed(ctx, monitorNoun.by);
  const target = await targetOf(ctx, input.targetId);
  const note = await noteOfTrial(ctx, target, readMetric(target, input), options);
  return createMonitor(ctx, input, note);
}

/** Change a monitor after its SQL, if that is what changes, was tried like that of a new one. */
export async function updateTriedMonitor(
  ctx: ServerContext,
  id: string,
  input: MonitorInput,
  expectedVersion?: Parameters<typeof updateMonitor>[3],
  options: TrialOptions = {},
): Promise<Monitor> {
  mustBeAllowed(ctx, monitorNoun.by);
  const before = await getMonitor(ctx, id);
  const target = await targetOf(ctx, before.targetId);
  const metric = metricAfter(before, target, input);
  if (metric) await noteOfTrial(ctx, target, metric, options);
  return updateMonitor(ctx, id, input, expectedVersion);
}

/** What is to be said of a trial; empty where there was nothing to try or all went well. */
async function noteOfTrial(
  ctx: ServerContext,
  target: Resource,
  metric: CheckedMetric,
  options: TrialOptions,
): Promise<string> {
  const config = readStoredConfig(metric.metricConfig);
  // First what is most likely wrong where there are several.
  const [tried] = SETTINGS.filter((name) => config[name] !== undefined);
  if (tried === undefined && metric.metricType !== 'freshness') {
    return noteOfSource(ctx, target, metric, options);
  }
  await checkSql(ctx, target, metric.metricConfig);
  const trial = await tryMetric(ctx, target, metric, options);
  if (trial.outcome === 'MEASURED') return trial.warning ?? '';
  if (tried === undefined) return noteOfSource(ctx, target, metric, options);
  if (trial.outcome !== 'REFUSED') return `Tried when it was saved: ${trial.message}`;
  throw invalidField(`metric_config.${tried}`, wholeMessage(trial.message, trial.said));
}

/** What is to be said where there is no source to ask: an upload fed the table, or nothing did. */
async function noteOfSource(
  ctx: ServerContext,
  target: Resource,
  { metricType, metricConfig }: CheckedMetric,
  { open = openConnector }: TrialOptions,
): Promise<string> {
  const place = await placeOf(ctx, target);
  if (!place) return '';
  const monitor = { id: target.id, targetId: target.id, metricType, metricConfig, frequency: 24 };
  const why = await whyUnmeasurable(ctx, { monitor, ...place }, open);
  return why === null ? '' : `It cannot be measured: ${why}`;
}

async function tryMetric(
  ctx: ServerContext,
  target: Resource,
  { metricType, metricConfig }: CheckedMetric,
  { open = openConnector, timeoutMs = usualMs }: TrialOptions,
  schedule = readSchedule(null),
): Promise<Trial> {
  const place = await placeOf(ctx, target);
  if (!place) return { outcome: 'NO_ANSWER', value: null, message: 'The table is gone.' };
  const frequency = intervalHours(schedule);
  const draft = { id: target.id, targetId: target.id, metricType, metricConfig, frequency };
  // One period is enough to try it.
  const periods = closedPeriods(schedule, null, ctx.now(), null).slice(-1);
  const named = await namedBy(ctx, readStoredConfig(metricConfig));
  const late = AbortSignal.timeout(timeoutMs);
  const hurried = { ...ctx, signal: AbortSignal.any([ctx.signal, late]) };
  try {
    for await (const { readings } of measure(
      hurried,
      [{ monitor: draft, periods, ...named, ...place }],
      open,
    )) {
      const reading = readings.get(draft.id);
      if (!reading) break;
      if ('value' in reading) {
        const { value, warning = null } = reading;
        return { outcome: 'MEASURED', value, message: null, warning };
      }
      const { error: message, said, why = 'failed' } = reading;
      return { outcome: outcomes[why], value: null, message, said };
    }
  } catch (error) {
    if (!late.aborted || ctx.signal.aborted) throw error;
    const message = `The source did not answer within ${timeoutMs / 1_000} s.`;
    return { outcome: 'NO_ANSWER', value: null, message };
  }
  throw new Error('A monitor was measured without a reading.');
}

const outcomes = { refused: 'REFUSED', away: 'NO_ANSWER', failed: 'FAILED' } as const;
