// The whole schema under requests that no one would write by hand.

import fc from 'fast-check';
import { type GraphQLObjectType, isObjectType, OperationTypeNode } from 'graphql';
import { afterAll, expect, test, vi } from 'vitest';
import { announce, type Topic } from '../../src/database/announce.ts';
import { schema } from '../../src/graphql/schema.ts';
import { createWebhook } from '../../src/notifications/webhooks/webhook.ts';
import { openCatalog } from '../catalog.ts';
import { sayCounted } from '../gates/counted.ts';
import { clientsOf } from '../limits/client.ts';
import { seed } from '../rest/seed.ts';
import { belowOf, type FuzzRequest, nameOf, requestsFor } from './fuzz.ts';

/** Requests for each field; `npm run gates -- fuzz` sends 200. */
const runs = Number(process.env.FUZZ_RUNS || 8);
/** No request may take longer than this, in milliseconds, on a machine that does much else. */
const patience = 20_000;

vi.setConfig({ testTimeout: 600_000 });

let sent = 0;
afterAll(() => sayCounted(`${sent} requests to ${fields.length} fields of GraphQL`));

const catalog = await openCatalog();
const { admin, origin } = await clientsOf(catalog, { SUBSCRIPTIONS_PER_KEY: '1000' });
const { ids, params } = await seed(catalog);
await createWebhook(catalog.admin, { name: 'Pager', url: 'https://example.com/' });
const { id: team_id = '', ...others } = params;

/** Ids that exist, half of them of what a field is about, as its name says. */
function idsFor({ name }: { readonly name: string }): string[] {
  const own = Object.entries({ team_id, ...others }).flatMap(([param, id]) =>
    name.toLowerCase().includes(param.replace(/_id$/, '').replaceAll('_', '')) ? [id] : [],
  );
  return [...ids, ...(own.length > 0 ? ids.map((_, at) => own[at % own.length] ?? '') : [])];
}

const fieldsOf = (type: GraphQLObjectType | null | undefined) =>
  Object.values(type?.getFields() ?? {});
const { QUERY, MUTATION, SUBSCRIPTION } = OperationTypeNode;
const fields = [QUERY, MUTATION].flatMap((kind) =>
  fieldsOf(schema.getRootType(kind)).map((field) => [kind, field.name, field] as const),
);
const limits = { seed: 1, interruptAfterTimeLimit: 300_000, markInterruptAsFailure: true };

/** The documents are right; it is the values that are not. */
function mustBeOurs(status: number, code: string | undefined, said: string): void {
  if (status >= 500 || code === 'INTERNAL_SERVER_ERROR') {
    throw new Error(`${status} ${said.slice(0, 1_000)}`);
  }
  expect(code).not.toBe('GRAPHQL_VALIDATION_FAILED');
}

/** Nothing that was unexpected came after what there was before. */
function nothingBroke(before: number): void {
  expect(catalog.unexpected.slice(before)).toEqual([]);
  expect({}).not.toHaveProperty('polluted');
}

test.each(fields)(
  '%s %s survives whatever is sent: no 5xx, no error of ours, no hang',
  async (kind, _, field) => {
    const before = catalog.unexpected.length;
    await fc.assert(
      fc.asyncProperty(requestsFor(kind, field, idsFor(field)), async ({ query, variables }) => {
        const signal = AbortSignal.timeout(patience);
        sent += 1;
        const { status, code, body } = await admin.graphql(query, variables, signal);
        mustBeOurs(status, code, JSON.stringify(body));
      }),
      { numRuns: runs, ...limits },
    );
    nothingBroke(before);
  },
);

const topics: readonly Topic[] = ['job', 'resource', 'incident', 'measurement', 'inbox'];
/** How long a subscription is listened to after everything was said to have changed, in milliseconds. */
const listening = 300;
/** Subscriptions that are opened at once, since most of them are silent. */
const together = 10;

/** Open a subscription, let everything change, and read what it is sent in the meantime. */
async function subscribe({ query, variables }: FuzzRequest): Promise<void> {
  const end = new AbortController();
  const response = await fetch(`${origin}/graphql`, {
    method: 'POST',
    headers: {
      ...{ 'content-type': 'application/json', accept: 'text/event-stream' },
      authorization: `Bearer ${catalog.keyOf('admin')}`,
    },
    body: JSON.stringify({ query, variables }),
    signal: AbortSignal.any([end.signal, AbortSignal.timeout(patience)]),
  });
  for (const topic of topics) await announce(catalog.admin, topic);
  const silence = setTimeout(() => end.abort(), listening);
  let said = '';
  try {
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      said += chunk;
    }
  } catch (error) {
    if (!end.signal.aborted) throw error;
  } finally {
    clearTimeout(silence);
  }
  mustBeOurs(response.status, /"code":"([A-Z_]+)"/.exec(said)?.[1], said);
}

test.each(fieldsOf(schema.getSubscriptionType()).map((field) => [field.name, field] as const))(
  'the subscription %s survives whatever is sent',
  async (_, field) => {
    const before = catalog.unexpected.length;
    const requests = fc.array(requestsFor(SUBSCRIPTION, field, idsFor(field)), {
      ...{ minLength: together, maxLength: together },
    });
    await fc.assert(
      fc.asyncProperty(requests, async (some) => {
        await Promise.all(some.map(subscribe));
      }),
      { numRuns: Math.ceil(runs / together), ...limits },
    );
    nothingBroke(before);
  },
);

test('each field with arguments is asked for, wherever in the schema it is', () => {
  const roots = [QUERY, MUTATION, SUBSCRIPTION].map((kind) => schema.getRootType(kind));
  const all = Object.values(schema.getTypeMap()).flatMap((type) =>
    isObjectType(type) && !type.name.startsWith('__') && !roots.includes(type)
      ? fieldsOf(type).filter(({ args }) => args.length > 0)
      : [],
  );
  const asked = roots
    .flatMap(fieldsOf)
    .flatMap(belowOf)
    .map(({ field }) => nameOf(field));
  expect(all.map(nameOf).filter((name) => !asked.includes(name))).toEqual([]);
  expect(all.length).toBeGreaterThan(50);
});
