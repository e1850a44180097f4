// Reads one declaration of monitors: the list that a model's `meta` holds.

import { z } from 'zod';
import { CatalogError, type FieldError } from '../../errors.ts';
import { checkFields } from '../../fields.ts';
import type { DeclaredTarget } from '../../integrations/imports/declared.ts';
import type { WorkspaceSettings } from '../../people/workspace-settings.ts';
import { checkName } from '../../text/text.ts';
import { type Condition, conditionFor } from '../condition.ts';
import { monitorNoun } from '../fields.ts';
import { ADAPTATIONS } from '../learning/learner.ts';
import { type CheckedMetric, countsFaults, readMetric } from '../metric-config.ts';
import { checkSqlOf } from '../scans/stored-sql.ts';
import { readSchedule, type Schedule } from '../schedule.ts';

const text = z.string().optional();
const integer = z.number().int().optional();

/** One monitor of a list. All fields are there, and no others: a typing error is not passed over. */
const monitorShape = z.strictObject({
  name: z.string(),
  column: text,
  metric_type: z.string(),
  metric_config: z
    .strictObject({
      ...{ query_select: text, where: text, timestamp_column: text },
      ...{ time_column: text, dimension: text, pattern: text, references: text },
      ...{ values: z.array(z.string()).optional(), key_columns: z.array(z.string()).optional() },
    })
    .optional(),
  schedule: z
    .strictObject({ cadence: text, frequency: integer, hour: integer, day: integer })
    .optional(),
  condition_auto_sensitivity: z.number().nullish(),
  condition_manual_min: z.number().nullish(),
  condition_manual_max: z.number().nullish(),
  time_zone: z.string().nullish(),
  holiday_country: z.string().nullish(),
  adaptation: z.enum(ADAPTATIONS).optional(),
  notify_chat_channel: z.string().nullish(),
  is_enabled: z.boolean().optional(),
});

/** What stands under `meta.headwater`. */
const declarationShape = z.strictObject({ monitors: z.array(z.unknown()).optional() });

/** The same with its monitors, as a JSON Schema for editors. */
export function declarationSchema(): object {
  const whole = declarationShape.extend({ monitors: z.array(monitorShape).optional() });
  return { title: 'What meta.headwater may hold', ...z.toJSONSchema(whole) };
}

/** Entries of one list; there are no projects with more monitors than that. */
const maxEntries = 10_000;

export type DeclaredMonitor = z.output<typeof monitorShape>;

/** A monitor as its declaration says it is to be, checked against its target. */
export interface WantedMonitor extends CheckedMetric, Condition {
  readonly name: string;
  readonly schedule: Schedule;
  readonly timeZone: string | null;
  readonly holidayCountry: string | null;
  readonly adaptation: string;
  readonly notifyChatChannel: string | null;
  readonly isEnabled: boolean;
}

/** A declared monitor that is right, with its target. */
export interface Declared extends WantedMonitor {
  /** Where it is declared: the table's key in the project, and the column. */
  readonly declaredIn: string;
  readonly target: DeclaredTarget;
}

/** What was read of a list: each monitor with its place in it, and what is wrong with the rest. */
export interface ReadList {
  readonly monitors: readonly { readonly path: string; readonly monitor: DeclaredMonitor }[];
  readonly problems: readonly FieldError[];
}

/** Read what stands under `meta.headwater`, by its shape alone. */
export function readDeclaration(path: string, value: unknown): ReadList {
  const read = declarationShape.safeParse(value);
  if (!read.success) return { monitors: [], problems: problemsOf(path, read.error) };
  const monitors: { path: string; monitor: DeclaredMonitor }[] = [];
  const problems: FieldError[] = [];
  const list = read.data.monitors ?? [];
  if (list.length > maxEntries) {
    const message = `has ${list.length} monitors; ${maxEntries} are the most of a project.`;
    return { monitors, problems: [{ field: `${path}.monitors`, message }] };
  }
  for (const [index, entry] of list.entries()) {
    const at = `${path}.monitors.${index}`;
    const one = monitorShape.safeParse(entry);
    if (one.success) monitors.push({ path: at, monitor: one.data });
    else problems.push(...problemsOf(at, one.error));
  }
  return { monitors, problems };
}

/**
 * Check a declared monitor against its target: what is wanted, or all that is wrong with it. A zone or country that
 * is absent is the workspace's; null is none.
 */
export function checkDeclaration(
  target: DeclaredTarget,
  path: string,
  monitor: DeclaredMonitor,
  usual: Pick<WorkspaceSettings, 'timeZone' | 'holidayCountry'>,
): { wanted: WantedMonitor } | { problems: FieldError[] } {
  const problems: FieldError[] = [];
  const attempt = <T>(read: () => T): T | undefined => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof CatalogError) || error.code !== 'BAD_REQUEST') throw error;
      const found =
        error.fields.length > 0 ? error.fields : [{ field: '', message: error.message }];
      for (const { field, message } of found) {
        problems.push({ field: field === '' ? path : `${path}.${field}`, message });
      }
      return undefined;
    }
  };
  const channel = monitor.notify_chat_channel;
  const name = attempt(() => checkName('name', monitor.name));
  const metric = attempt(() =>
    readMetric(target, { metricType: monitor.metric_type, metricConfig: monitor.metric_config }),
  );
  if (metric) attempt(() => checkSqlOf(target.integrationType, metric.metricConfig));
  const schedule = attempt(() => readSchedule(monitor.schedule));
  const condition = attempt(() =>
    conditionFor(
      { isFault: metric !== undefined && countsFaults(metric) },
      {
        conditionAutoSensitivity: monitor.condition_auto_sensitivity,
        conditionManualMin: monitor.condition_manual_min,
        conditionManualMax: monitor.condition_manual_max,
      },
    ),
  );
  const calendar = attempt(() =>
    checkFields(monitorNoun, {
      timeZone: monitor.time_zone,
      holidayCountry: monitor.holiday_country,
    }),
  );
  const notifyChatChannel = attempt(() =>
    channel ? checkName('notify_chat_channel', channel) : null,
  );
  if (!name || !metric || !schedule || !condition || problems.length > 0) return { problems };
  const isEnabled = monitor.is_enabled ?? true;
  return {
    wanted: {
      name,
      ...metric,
      ...condition,
      schedule,
      isEnabled,
      ...{ timeZone: usual.timeZone, holidayCountry: usual.holidayCountry, ...calendar },
      adaptation: monitor.adaptation ?? 'normal',
      notifyChatChannel: notifyChatChannel ?? null,
    },
  };
}

function problemsOf(path: string, error: z.ZodError): FieldError[] {
  return error.issues.flatMap((issue) => {
    const at = [path, ...issue.path].join('.');
    if (issue.code !== 'unrecognized_keys') {
      return [{ field: at, message: `cannot be read: ${issue.message}.` }];
    }
    return issue.keys
      .slice(0, 10)
      .map((key) => ({ field: `${at}.${key}`, message: 'is not known here.' }));
  });
}
