// Webhooks in the forms of other services, as those document them, through a receiver that refuses, limits and drops.

import { expect, test } from 'vitest';
import { z } from 'zod';
import { updateIncident } from '../../src/monitors/incidents/incident-change.ts';
import { createMonitor, getMonitor } from '../../src/monitors/monitor.ts';
import { runAndKeep } from '../../src/monitors/runs/run.ts';
import { parsePrivateHosts } from '../../src/network/address.ts';
import { FORMATS, formatted } from '../../src/notifications/webhooks/format.ts';
import { openCatalog } from '../catalog.ts';
import { startReceiver } from './webhook-server.ts';
import { workOff } from './work-off.ts';

const text = (most: number) => z.string().min(1).max(most);

/** https://developer.pagerduty.com/docs/events-api-v2/trigger-events/ */
const PagerDuty = z.discriminatedUnion('event_action', [
  z.strictObject({
    routing_key: text(200),
    dedup_key: text(255),
    event_action: z.literal('trigger'),
    client: z.string(),
    client_url: z.url().optional(),
    links: z.array(z.strictObject({ href: z.url(), text: z.string() })).optional(),
    payload: z.strictObject({
      summary: text(1024),
      source: text(1024),
      severity: z.enum(['critical', 'warning', 'error', 'info']),
      timestamp: z.iso.datetime(),
      custom_details: z.record(z.string(), z.string()),
    }),
  }),
  z.strictObject({
    routing_key: text(200),
    dedup_key: text(255),
    event_action: z.literal('resolve'),
  }),
]);

/** https://docs.opsgenie.com/docs/alert-api#create-alert and #close-alert */
const Opsgenie = z.union([
  z.strictObject({
    message: text(130),
    alias: text(512),
    description: z.string().max(15_000),
    priority: z.enum(['P1', 'P2', 'P3', 'P4', 'P5']),
    source: z.string().max(100),
    entity: z.string().max(512),
    details: z.record(z.string(), z.string()),
  }),
  z.strictObject({ source: z.string().max(100), note: z.string().max(25_000) }),
]);

/** https://adaptivecards.io/explorer/, as a workflow of Teams takes it. */
const Teams = z.strictObject({
  type: z.literal('message'),
  attachments: z.tuple([
    z.strictObject({
      contentType: z.literal('application/vnd.microsoft.card.adaptive'),
      contentUrl: z.null(),
      content: z.strictObject({
        $schema: z.url(),
        type: z.literal('AdaptiveCard'),
        version: z.literal('1.4'),
        body: z.array(
          z.union([
            z.looseObject({ type: z.literal('TextBlock'), text: z.string(), wrap: z.boolean() }),
            z.strictObject({
              type: z.literal('FactSet'),
              facts: z.array(z.strictObject({ title: z.string(), value: z.string() })),
            }),
          ]),
        ),
        actions: z.array(
          z.strictObject({ type: z.literal('Action.OpenUrl'), title: z.string(), url: z.url() }),
        ),
      }),
    }),
  ]),
});

const plain = (most: number) => z.strictObject({ type: z.literal('plain_text'), text: text(most) });
const mrkdwn = (most: number) => z.strictObject({ type: z.literal('mrkdwn'), text: text(most) });

/** https://docs.slack.dev/reference/block-kit/blocks */
const Slack = z.strictObject({
  text: z.string(),
  blocks: z
    .array(
      z.discriminatedUnion('type', [
        z.strictObject({ type: z.literal('header'), text: plain(150) }),
        z.strictObject({
          type: z.literal('section'),
          text: mrkdwn(3_000).optional(),
          fields: z.array(mrkdwn(2_000)).min(1).max(10).optional(),
        }),
        z.strictObject({
          type: z.literal('actions'),
          elements: z
            .array(
              z.strictObject({
                type: z.literal('button'),
                text: plain(75),
                url: z.url().max(3_000),
                action_id: text(255),
              }),
            )
            .max(25),
        }),
      ]),
    )
    .max(50),
});

const schemas = { pagerduty: PagerDuty, opsgenie: Opsgenie, teams: Teams, slack: Slack } as const;
const others = FORMATS.filter((format) => format !== 'headwater');
const keyOf = (format: string) =>
  format === 'pagerduty' || format === 'opsgenie' ? 'k'.repeat(32) : null;

const hostile = `<!channel> & ${'long '.repeat(10_000)}`;
const incident = {
  ...{ id: 'b8a5', name: hostile, summary: hostile, severity: 'critical', value: 1 },
  ...{ url: 'https://catalog.example.com/incidents/b8a5', latestValues: [44, 44, 2_176] },
};
const target = { kind: 'table', title: hostile };
const told = (type: string, data: object) =>
  JSON.stringify({ type, timestamp: new Date(0).toISOString(), data });

test.each(others)('%s takes whatever is said, however long', (format) => {
  const given = { url: 'https://receiver.example.com/v2/alerts', key: 'k' };
  const monitors = [{ name: hostile, error: hostile }];
  for (const body of [
    told('incident_opened', { incident, target, downstream: { count: 3 } }),
    told('incident_reopened', { incident, target }),
    told('incident_resolved', { incident: { ...incident, resolveReason: 'fixed' }, target }),
    told('monitor_failed', { key: 'source:1', monitors }),
    told('monitor_recovered', { key: 'source:1', monitors }),
    told('ping', {}),
  ]) {
    const request = formatted(format, { ...given, body });
    expect(schemas[format].safeParse(JSON.parse(request.body)).error).toBeUndefined();
    // What a table is called must not call people.
    if (format === 'slack') expect(request.body).not.toMatch(/"mrkdwn","text":"[^"]*<!channel>/);
  }
  const change = { ...given, body: told('resource_changed', {}) };
  expect(() => formatted(format, change)).toThrow(/no form for resource_changed/);
});

const create = `mutation ($input: CreateWebhookInput!) {
  createWebhook(input: $input) { secret webhook { id format } } }`;

test('an incident opens and ends in each form, through refusals, limits and lost connections', async () => {
  await using catalog = await openCatalog();
  const privateHosts = parsePrivateHosts('127.0.0.1/32');
  catalog.surroundings.reach = { privateHosts, filesDir: null };
  const receivers = await Promise.all(others.map(() => startReceiver()));
  try {
    for (const [i, format] of others.entries()) {
      const url = receivers[i]?.url.replace('?source=headwater', '') ?? '';
      const events = ['incident_opened', 'incident_resolved'];
      const input = { name: format, url, format, key: keyOf(format), events };
      const { data } = await catalog.graphql(create, { input });
      expect(data.createWebhook).toMatchObject({ secret: '', webhook: { format } });
      receivers[i]?.reply({ status: 429, headers: { 'retry-after': '1' } }, { status: 503 });
    }
    const integration = await catalog.integration({ type: 'postgres' });
    const table = await catalog.resource({ title: 'orders' });
    await catalog.database.prisma.resource.update({
      where: { workspaceId_id: { workspaceId: catalog.workspaceId, id: table.id } },
      data: { integrationId: integration.id, schemaName: 'public' },
    });
    const { id } = await createMonitor(catalog.admin, {
      ...{ targetId: table.id, metricType: 'row_count' },
      ...{ conditionAutoSensitivity: null, conditionManualMin: 5 },
    });
    const source = async () => ({
      ...{ dialect: 'postgres' as const, close: async () => {} },
      query: async () => ({ rows: [[1]] }),
    });
    const by = { jobId: null, scheduled: false, fence: async () => {} };
    await runAndKeep(catalog.admin, [id], source, by, { log: () => {}, progress: () => {} });
    await workOff(catalog);
    const incidentId = (await getMonitor(catalog.admin, id)).lastIncidentId ?? '';
    await updateIncident(catalog.admin, incidentId, { status: 'resolved', resolveReason: 'fixed' });
    await workOff(catalog);
    for (const [i, format] of others.entries()) {
      const received = receivers[i]?.received ?? [];
      // Refused twice, and taken; then the end.
      expect(received).toHaveLength(4);
      for (const { body } of received) {
        expect(schemas[format].safeParse(JSON.parse(body)).error).toBeUndefined();
      }
      expect(new Set(received.slice(0, 3).map(({ body }) => body)).size).toBe(1);
      if (format === 'pagerduty') {
        expect(JSON.parse(received[3]?.body ?? '')).toMatchObject({
          ...{ event_action: 'resolve', dedup_key: incidentId, routing_key: keyOf(format) },
        });
      }
      if (format === 'opsgenie') {
        expect(received[0]?.headers.authorization).toBe(`GenieKey ${keyOf(format)}`);
        expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({ alias: incidentId });
      }
    }
  } finally {
    await Promise.all(receivers.map((receiver) => receiver[Symbol.asyncDispose]()));
  }
});

test('a key is given where its service needs one, and is read by no one', async () => {
  await using catalog = await openCatalog();
  const url = 'https://events.example.com/v2/enqueue';
  const make = async (format: string, key: string | null) =>
    catalog.graphql(create, { input: { name: 'On call', url, format, key } });
  expect((await make('pagerduty', null)).errors?.[0]?.message).toContain(
    'Give the key of pagerduty',
  );
  expect((await make('teams', 'k')).errors?.[0]?.message).toContain('has no key');
  expect((await make('headwater', 'k')).errors?.[0]?.message).toContain('has no key');
  expect((await make('pager', null)).errors).toHaveLength(1);
  const made = await make('pagerduty', 'a-key-of-the-service');
  const rotate = 'mutation ($id: ID!) { rotateWebhookSecret(id: $id) { secret } }';
  const { id } = made.data.createWebhook.webhook;
  expect((await catalog.graphql(rotate, { id })).errors?.[0]?.message).toContain('not signed');
  const { rows } = await catalog.owner.query('select secret from webhook where id = $1', [id]);
  expect(JSON.stringify(rows)).not.toContain('a-key-of-the-service');
  const { rows: log } = await catalog.owner.query('select * from audit_log');
  expect(JSON.stringify(log)).not.toContain('a-key-of-the-service');
});
