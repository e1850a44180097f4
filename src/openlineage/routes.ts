// The door for events of OpenLineage over REST.

import { mustBeAllowed } from '../auth/permission.ts';
import type { Context } from '../context.ts';
import { CatalogError } from '../errors.ts';
import type { Route, RouteReply } from '../rest/route.ts';
import { readEvent } from './events/lineage-event.ts';
import { enqueueEvents, noteRefusals } from './events/queue.ts';
import { mostEvents, readEvents } from './events/request-body.ts';

/** What the server takes of events. */
export interface ReportLimits {
  /** Events of a workspace that wait to be read at most. */
  readonly queue: number;
}

const name = { type: 'string', minLength: 1, maxLength: 2_000 };
const event = {
  type: 'object',
  description: 'An event as OpenLineage specifies it: of a run, a job or a dataset.',
  required: ['eventTime'],
  properties: {
    eventTime: { type: 'string' },
    eventType: { type: 'string' },
    job: { type: 'object', required: ['name'], properties: { namespace: name, name } },
    run: { type: 'object', properties: { runId: name } },
    inputs: { type: 'array', items: { type: 'object' } },
    outputs: { type: 'array', items: { type: 'object' } },
  },
  additionalProperties: true,
};
const accepted = {
  type: 'object',
  required: ['accepted', 'rejected'],
  properties: {
    accepted: { type: 'integer' },
    rejected: {
      type: 'array',
      items: {
        type: 'object',
        required: ['index', 'message'],
        properties: { index: { type: 'integer' }, message: { type: 'string' } },
      },
    },
  },
};
const example = {
  ...{ eventType: 'COMPLETE', eventTime: '2026-01-31T09:30:00Z' },
  run: { runId: '0197a186-8ffc-73ac-b5c7-000000000071' },
  job: { namespace: 'shop', name: 'load_orders' },
  inputs: [{ namespace: 'postgres://db:5432', name: 'shop.public.orders' }],
  outputs: [{ namespace: 'postgres://db:5432', name: 'shop.mart.orders' }],
};

/**
 * `POST /lineage`, where clients of OpenLineage send what runs. Neither counted nor bounded by key: they lose what is answered
 * with 429.
 */
export function reportRoute({ queue }: ReportLimits): Route<Context> {
  return {
    method: 'POST',
    path: '/lineage',
    aliases: ['/openlineage/lineage', '/lineage/batch', '/openlineage/lineage/batch'],
    scope: 'REPORT',
    isNeverLimited: true,
    document: {
      operationId: 'ReportLineage',
      tag: 'Lineage',
      summary: 'Report what runs, as events of OpenLineage',
      description:
        `One event, a list, or an object with the list \`events\`, of at most ${mostEvents} events and 10 MiB, also packed ` +
        'with gzip. Events are stored when this answers, and read into lineage within seconds. An event that came before changes ' +
        'nothing. Facets that are not known are dropped before anything is stored. Editors may, with a key that has REPORT.',
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: {
              anyOf: [
                event,
                { type: 'array', items: event, maxItems: mostEvents },
                {
                  type: 'object',
                  required: ['events'],
                  properties: { events: { type: 'array', items: event, maxItems: mostEvents } },
                },
              ],
            },
            example,
          },
        },
      },
      responses: {
        200: {
          description: 'How many of several events were taken, and what is wrong with the others.',
          content: {
            'application/json': { schema: accepted, example: { accepted: 1, rejected: [] } },
          },
        },
        201: {
          description: 'The one event was taken.',
          content: { 'application/json': { schema: { type: 'object' }, example: {} } },
        },
      },
      errors: [400, 408, 413, 503],
    },
    async handle({ request, context }) {
      mustBeAllowed(context, 'report runs');
      const { events, isList } = await readEvents(request);
      return isList ? takeMany(context, events, queue) : takeOne(context, events[0], queue);
    },
  };
}

async function takeOne(ctx: Context, given: unknown, limit: number): Promise<RouteReply> {
  const checked = check(given);
  if ('error' in checked) {
    await noteRefusals(ctx, [checked.error.message]);
    throw checked.error;
  }
  await enqueueEvents(ctx, [checked.event], limit);
  return { status: 201, body: {} };
}

async function takeMany(
  ctx: Context,
  given: readonly unknown[],
  limit: number,
): Promise<RouteReply> {
  const checked = given.map(check);
  const rejected = checked.flatMap((one, index) =>
    'error' in one ? [{ index, message: one.error.message }] : [],
  );
  const events = checked.flatMap((one) => ('error' in one ? [] : [one.event]));
  await enqueueEvents(ctx, events, limit);
  await noteRefusals(
    ctx,
    rejected.map(({ message }) => message),
  );
  return { status: 200, body: { accepted: events.length, rejected } };
}

function check(given: unknown) {
  try {
    return { event: readEvent(given) };
  } catch (error) {
    if (error instanceof CatalogError) return { error };
    throw error;
  }
}
