// The closed sets of words that the database holds in constraints, and the SQL that brings one up to date.

import { isEnumType } from 'graphql';
import type pg from 'pg';
import { schema } from '../src/graphql/schema.ts';

/** The enum of the schema whose words a constraint allows; of several it allows the words of all. */
export const constraints: Readonly<Record<string, string | readonly string[]>> = {
  monitor_metric_type_known: 'MetricType',
  monitor_schedule_cadence_known: 'Cadence',
  monitor_status_known: 'MonitorStatus',
  monitor_adaptation_known: 'Adaptation',
  webhook_format_known: 'WebhookFormat',
  incident_status_known: 'IncidentStatus',
  incident_severity_known: 'IncidentSeverity',
  incident_resolve_reason_known: 'IncidentEnd',
  incident_action_type_known: 'IncidentActionType',
  data_test_severity_known: 'DataTestSeverity',
  data_test_status_known: 'DataTestStatus',
  run_result_status_known: 'ModelRunStatus',
  notification_event_known: ['WebhookDeliveryEvent', 'InboxEvent'],
  notification_state_known: 'WebhookDeliveryState',
  resource_question_status_known: 'QuestionStatus',
  resource_question_priority_known: 'QuestionPriority',
  announcement_severity_known: 'AnnouncementSeverity',
  resource_term_status_known: 'TermStatus',
  custom_property_entity_types_known: 'CoveredKind',
  notification_rule_events_known: 'NotificationEvent',
  api_key_scopes_known: 'ApiKeyScope',
  webhook_events_known: 'WebhookEvent',
};

/** A constraint that allows other words than its enum has. */
export interface SetDifference {
  readonly constraint: string;
  /** Words of the enum that the database refuses. */
  readonly missing: readonly string[];
  /** Words that the database allows and the enum lacks. */
  readonly extra: readonly string[];
  /** What brings the constraint up to date. */
  readonly sql: string;
}

/** The words of an enum of the schema. */
export function wordsOf(name: string): string[] {
  const type = schema.getType(name);
  if (!isEnumType(type)) throw new Error(`${name} is not an enum of the schema.`);
  return type.getValues().map((value) => value.name);
}

/** The constraints that do not allow exactly the words of their enums. */
export async function setDifferences(pool: pg.Pool): Promise<SetDifference[]> {
  const { rows } = await pool.query<{ constraint: string; table: string; rule: string }>(
    `select conname as constraint, conrelid::regclass::text as table,
        pg_get_constraintdef(oid) as rule
      from pg_constraint where contype = 'c' and conname = any($1) order by 1`,
    [Object.keys(constraints)],
  );
  return rows.flatMap(({ constraint, table, rule }) => {
    const enums = [constraints[constraint] ?? ''].flat();
    const words = [...new Set(enums.flatMap(wordsOf))];
    const allowed = [...rule.matchAll(/'(\w+)'::/g)].map(([, word = '']) => word);
    const missing = words.filter((word) => !allowed.includes(word));
    const extra = allowed.filter((word) => !words.includes(word));
    if (missing.length + extra.length === 0) return [];
    const list = words.map((word) => `'${word}'::text`).join(', ');
    const sql =
      `ALTER TABLE "${table}" DROP CONSTRAINT "${constraint}",\n` +
      `  ADD CONSTRAINT "${constraint}" ${rule.replace(/ARRAY\[[^\]]*\]/, `ARRAY[${list}]`)};`;
    return { constraint, missing, extra, sql };
  });
}
