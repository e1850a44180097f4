// Closed sets of words: enums for people, text over REST, and nothing else in the database.

import { type GraphQLEnumType, isEnumType } from 'graphql';
import { expect, test } from 'vitest';
import { schema } from '../../src/graphql/schema.ts';
import { markOf } from '../../src/graphql/views/mark.ts';
import { restSchema } from '../../src/graphql/views/rest-schema.ts';
import { openCatalog } from '../catalog.ts';

const closed = Object.values(schema.getTypeMap()).filter(
  (type): type is GraphQLEnumType => isEnumType(type) && markOf(type).textInRest !== undefined,
);

const valuesOf = (type: GraphQLEnumType) =>
  type
    .getValues()
    .map(({ name }) => name)
    .sort();

/** What is stored, by its type: the constraint that there are no other words. */
const stored: Record<string, string> = {
  MetricType: 'monitor_metric_type_known',
  Cadence: 'monitor_schedule_cadence_known',
  MonitorStatus: 'monitor_status_known',
  IncidentStatus: 'incident_status_known',
  IncidentSeverity: 'incident_severity_known',
  IncidentEnd: 'incident_resolve_reason_known',
  IncidentActionType: 'incident_action_type_known',
  DataTestSeverity: 'data_test_severity_known',
  DataTestStatus: 'data_test_status_known',
  WebhookDeliveryEvent: 'notification_event_known',
  WebhookDeliveryState: 'notification_state_known',
  QuestionStatus: 'resource_question_status_known',
  QuestionPriority: 'resource_question_priority_known',
  CoveredKind: 'custom_property_entity_types_known',
  NotificationEvent: 'notification_rule_events_known',
};

/** Only given or made by the program as it runs, and never stored. */
const neverStored = [
  'ResolveReason',
  'SearchField',
  'ViewerAction',
  'CoverageGroup',
  'EditedField',
  'ImportAction',
  'IntegrationFeed',
  'UnresolvedReason',
  'OutputOrigin',
  'SqlDiagnosticCode',
  'StatementKind',
];

test('each set is a constraint of the database, never stored, or has a word for all else', () => {
  const open = closed.filter((type) => markOf(type).otherwise !== undefined);
  const known = [...Object.keys(stored), ...neverStored, ...open.map(({ name }) => name)];
  expect(closed.map(({ name }) => name).sort()).toEqual(known.sort());
});

test('the database holds the words of a set and no others', async () => {
  await using catalog = await openCatalog();
  const { rows } = await catalog.owner.query<{ name: string; rule: string }>(
    `select conname as name, pg_get_constraintdef(oid) as rule from pg_constraint
      where conname like '%\\_known' and contype = 'c'`,
  );
  const rules = new Map(
    rows.map(({ name, rule }) => [name, [...rule.matchAll(/'(\w+)'::/g)].map(([, word]) => word)]),
  );
  for (const type of closed) {
    const rule = stored[type.name];
    if (rule !== undefined)
      expect([type.name, rules.get(rule)?.sort()]).toEqual([type.name, valuesOf(type)]);
  }
  const named = Object.values(stored);
  expect([...rules.keys()].filter((name) => !named.includes(name))).toEqual([
    'webhook_events_known',
  ]);
});

test('a word that only another version knows is `other` to people and itself over REST', async () => {
  await using catalog = await openCatalog();
  await catalog.tag({ name: 'gold' });
  await catalog.owner.query('alter table audit_log disable trigger user');
  await catalog.owner.query(
    `update audit_log set activity_type = 'tag_painted' where activity_type = 'tag_created'`,
  );
  const { data, errors } = await catalog.graphql(
    '{ auditLogs(first: 1) { nodes { activityType } } }',
  );
  expect(errors).toBeUndefined();
  expect(data.auditLogs.nodes).toEqual([{ activityType: 'other' }]);
  const { status, body } = await catalog.rest('GET', '/activity_log/audit_logs/?page_size=1');
  expect(status).toBe(200);
  expect(body.results).toMatchObject([{ activity_type: 'tag_painted' }]);
});

test('a typing error in a word is refused with those that there are', async () => {
  await using catalog = await openCatalog();
  const { data, errors = [] } = await catalog.graphql(
    '{ incidents(status: resolvd) { totalCount } }',
  );
  expect(data).toBeUndefined();
  expect(errors).toMatchObject([{ extensions: { code: 'BAD_REQUEST' } }]);
  expect(errors[0]?.message).toContain('"resolved"');
});

test('REST says in its own words what a word may be', async () => {
  await using catalog = await openCatalog();
  const { id } = await catalog.resource();
  const body = { target: id, metric_type: 'rowcount' };
  const answer = await catalog.rest('POST', '/monitor/monitors', { body });
  expect(answer.status).toBe(400);
  expect(answer.body.errors).toMatchObject([
    {
      field: 'metric_type',
      message: expect.stringContaining('"rowcount" is not a metric; use one of'),
    },
  ]);
});

test('REST reads and writes every set as text', () => {
  for (const { name } of closed) {
    const asEnum = restSchema.getType(name);
    // Bodies say how often a monitor runs in one of the words.
    expect([name, asEnum !== undefined]).toEqual([name, name === 'Cadence']);
  }
});
