// What other services take: our message in their form, with the incident as its key.

import { z } from 'zod';
import { permanent } from '../outbox/failure.ts';
import { escapedForSlack, slackBlocks } from '../slack-blocks.ts';

/** The forms that a webhook can have. */
export const FORMATS = ['headwater', 'pagerduty', 'opsgenie', 'teams', 'slack'] as const;
export type WebhookFormat = (typeof FORMATS)[number];

/** Formats whose requests hold a key of the service, which an admin gives. */
export const keyed: ReadonlySet<WebhookFormat> = new Set(['pagerduty', 'opsgenie']);

/** A request to a service. */
export interface FormattedRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const Told = z.object({
  type: z.string(),
  timestamp: z.coerce.string(),
  data: z
    .object({
      incident: z
        .object({
          id: z.string(),
          name: z.string(),
          summary: z.string(),
          severity: z.string(),
          url: z.string().nullish(),
          value: z.number().nullish(),
          latestValues: z.array(z.number()).nullish(),
          resolveReason: z.string().nullish(),
          standing: z.string().nullish(),
        })
        .optional(),
      target: z.object({ kind: z.string(), title: z.string() }).optional(),
      downstream: z
        .object({
          count: z.number(),
          dashboards: z.array(z.object({ title: z.string() })).nullish(),
          owners: z.array(z.string()).nullish(),
        })
        .optional(),
      monitors: z.array(z.object({ name: z.string(), error: z.string() })).optional(),
      key: z.string().optional(),
    })
    .loose()
    .optional(),
});

/** What is said of an event, before it has a form. */
interface Saying {
  readonly key: string;
  readonly title: string;
  readonly text: string;
  readonly isOver: boolean;
  readonly severity: string;
  readonly source: string;
  readonly url: string | null;
  readonly facts: readonly (readonly [string, string])[];
  readonly at: string;
}

/** Events that something begins or ends with; all else is of no use to who is on call. */
const turns: Readonly<Record<string, 'begins' | 'ends'>> = {
  incident_opened: 'begins',
  incident_reopened: 'begins',
  incident_resolved: 'ends',
  monitor_failed: 'begins',
  monitor_recovered: 'ends',
  // Nothing is opened by a test: what never began is ended.
  ping: 'ends',
};

/** Events that have a form in each service. */
export const formedEvents: readonly string[] = Object.keys(turns).filter((name) => name !== 'ping');

/** Our message as a service takes it. Throws DeliveryFailure for an event that it has no use for. */
export function formatted(
  format: Exclude<WebhookFormat, 'headwater'>,
  { url, key, body }: { readonly url: string; readonly key: string; readonly body: string },
): FormattedRequest {
  const saying = sayingOf(body);
  if (format === 'pagerduty') return { url, headers: {}, body: json(pagerDuty(saying, key)) };
  if (format === 'opsgenie') return opsgenie(saying, url, key);
  const card =
    format === 'teams'
      ? teamsCard(saying)
      : { text: escapedForSlack(cut(saying.title, 2_000)), blocks: slackCard(saying) };
  return { url, headers: {}, body: json(card) };
}

function sayingOf(body: string): Saying {
  const told = Told.parse(JSON.parse(body));
  const { type, timestamp, data = {} } = told;
  const turn = turns[type];
  if (turn === undefined) throw permanent(`The format of the webhook has no form for ${type}.`);
  const { incident, monitors = [], target, downstream } = data;
  const isOver = turn === 'ends';
  const common = { isOver, at: timestamp, source: target?.title ?? 'Headwater' };
  if (incident) {
    const { id, name, summary, severity, url = null, latestValues, standing } = incident;
    const ended = standing ?? `It ended: ${incident.resolveReason ?? 'resolved'}.`;
    const facts: (readonly [string, string])[] = [
      ['Severity', severity],
      ...(target ? ([['On', `${target.kind} ${target.title}`]] as const) : []),
      ...(latestValues?.length ? ([['Latest values', latestValues.join(', ')]] as const) : []),
      ...(downstream ? ([['Downstream', String(downstream.count)]] as const) : []),
      ...listed(
        'Dashboards',
        downstream?.dashboards?.map(({ title }) => title),
      ),
      ...listed('Owners downstream', downstream?.owners),
    ];
    const text = isOver ? ended : summary;
    return { ...common, key: id, title: name, text, severity, url, facts };
  }
  const names = monitors.map(({ name }) => name);
  const title =
    names.length > 0 ? `Monitors ${isOver ? 'measure again' : "can't measure"}` : 'A test';
  const text = monitors[0]?.error || names.join(', ') || 'Headwater reaches this service.';
  const facts = names.length > 0 ? ([['Monitors', names.slice(0, 5).join(', ')]] as const) : [];
  return {
    ...common,
    key: data.key ?? 'headwater-test',
    title,
    text,
    severity: 'medium',
    url: null,
    facts,
  };
}

/** A fact that is a list; none where it is empty. */
function listed(name: string, list: readonly string[] | null | undefined): [string, string][] {
  return list?.length ? [[name, list.join(', ')]] : [];
}

const json = (value: unknown): string => JSON.stringify(value);
const cut = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1)}…` : text;

const pagerDutySeverity: Readonly<Record<string, string>> = {
  critical: 'critical',
  high: 'error',
  medium: 'warning',
  low: 'info',
};

/** Events API v2: https://developer.pagerduty.com/docs/events-api-v2/trigger-events/ */
function pagerDuty(
  { key, title, text, isOver, severity, source, url, facts, at }: Saying,
  routingKey: string,
) {
  const common = { routing_key: routingKey, dedup_key: cut(key, 255) };
  if (isOver) return { ...common, event_action: 'resolve' };
  return {
    ...common,
    event_action: 'trigger',
    client: 'Headwater',
    ...(url === null ? {} : { client_url: url, links: [{ href: url, text: 'Incident' }] }),
    payload: {
      summary: cut(`${title}: ${text}`, 1024),
      source: cut(source, 1024),
      severity: pagerDutySeverity[severity] ?? 'warning',
      timestamp: at,
      custom_details: Object.fromEntries(facts),
    },
  };
}

const priorities: Readonly<Record<string, string>> = {
  critical: 'P1',
  high: 'P2',
  medium: 'P3',
  low: 'P4',
};

/** Alert API: https://docs.opsgenie.com/docs/alert-api */
function opsgenie(saying: Saying, url: string, key: string): FormattedRequest {
  const headers = { authorization: `GenieKey ${key}` };
  const alias = cut(saying.key, 512);
  const { title, text, severity, source, facts } = saying;
  const base = url.replace(/\/+$/, '');
  if (saying.isOver) {
    const path = `${base}/${encodeURIComponent(alias)}/close?identifierType=alias`;
    return { url: path, headers, body: json({ source: 'Headwater', note: cut(text, 25_000) }) };
  }
  const link = saying.url === null ? '' : `\n${saying.url}`;
  const alert = {
    message: cut(title, 130),
    alias,
    description: cut(`${text}${link}`, 15_000),
    priority: priorities[severity] ?? 'P3',
    source: 'Headwater',
    entity: cut(source, 512),
    details: Object.fromEntries(facts),
  };
  return { url: base, headers, body: json(alert) };
}

/** An adaptive card for a workflow of Teams: https://adaptivecards.io/explorer/ */
function teamsCard({ title, text, isOver, url, facts }: Saying) {
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [
      { type: 'TextBlock', text: title, weight: 'Bolder', size: 'Medium', wrap: true },
      { type: 'TextBlock', text, wrap: true },
      { type: 'FactSet', facts: facts.map(([name, value]) => ({ title: name, value })) },
    ],
    actions: actsOf(url, isOver).map(([name, href]) => ({
      type: 'Action.OpenUrl',
      title: name,
      url: href,
    })),
  };
  const attachment = {
    contentType: 'application/vnd.microsoft.card.adaptive',
    contentUrl: null,
    content,
  };
  return { type: 'message', attachments: [attachment] };
}

/** Blocks of a message in Slack. */
const slackCard = ({ title, text, isOver, url, facts }: Saying) =>
  slackBlocks({ title, text, facts, acts: actsOf(url, isOver) });

/** What can be done, each on a page that asks whether to. */
function actsOf(url: string | null, isOver: boolean): (readonly [string, string])[] {
  if (url === null) return [];
  const open = ['Open', url] as const;
  if (isOver) return [open];
  return [open, ['Acknowledge', `${url}?do=acknowledge`], ['Resolve', `${url}?do=resolve`]];
}
