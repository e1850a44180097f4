// Every subscription, opened by everybody: who is sent what, and nothing that is not for them.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { roles } from '../../src/auth/viewer.ts';
import { announce } from '../../src/database/announce.ts';
import { schema } from '../../src/graphql/schema.ts';
import { type ActiveKeys, type Asker, openAsked } from './callers.ts';
import { subscriptions } from './expected.ts';
import { type Request, requestFor } from './graphql-requests.ts';
import type { Place } from './world.ts';

let place: Place;
let askers: ActiveKeys;
let origin: string;
beforeAll(async () => {
  ({ place, askers } = await openAsked());
  origin = await place.catalog.listen();
}, 60_000);
afterAll(() => place.catalog[Symbol.asyncDispose]());

/** Longer than any event takes to arrive, in milliseconds; who receives nothing for so long is sent nothing. */
const patience = 10_000;
/** How long who receives nothing is listened to after everybody else has received something. */
const silence = 500;

/** The first event of a subscription as its text, or null where none came before the end. */
async function firstEvent(request: Request, { caller }: Asker, end: AbortSignal) {
  const key = 'as' in caller ? place.catalog.keyOf(caller.as) : caller.key;
  try {
    const response = await fetch(`${origin}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify({ query: request.query, variables: request.variables }),
      signal: end,
    });
    let text = '';
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      const data = /^data: (.+)$/m.exec(text)?.[1];
      if (data) return data;
    }
    return text;
  } catch (error) {
    if (end.aborted) return null;
    throw error;
  }
}

const statuses = new Map([
  ['UNAUTHENTICATED', '401'],
  ['FORBIDDEN', '403'],
  ['NOT_FOUND', '404'],
]);

function resultOf(text: string | null): string {
  if (text === null) return 'silent';
  const answer = JSON.parse(text);
  const code: string | undefined = answer.errors?.[0]?.extensions.code;
  return code ? (statuses.get(code) ?? code) : 'ok';
}

/** Say again and again that things changed, first those that only some may see, until somebody is done. */
async function changeThings(isDone: () => boolean): Promise<void> {
  const began = Date.now();
  const { admin, idOf, database, workspaceId } = place.catalog;
  while (!isDone() && Date.now() - began < patience) {
    for (const world of [place.hidden, place.shown]) {
      await announce(place.catalog.admin, 'incident', [await world.one('incident')]);
      await announce(place.catalog.admin, 'measurement', [await world.one('measurement')]);
      await announce(place.catalog.admin, 'job', [await world.one('job')]);
    }
    const notifications = roles.map((role) => ({
      ...{ workspaceId, event: 'resource_changed', channel: 'inbox', content: {} },
      ...{ address: idOf(role), dedupeKey: randomUUID() },
    }));
    await database.prisma.notification.createMany({ data: notifications });
    await announce(admin, 'inbox', roles.map(idOf));
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await new Promise((resolve) => setTimeout(resolve, silence));
}

const fields = Object.values(schema.getSubscriptionType()?.getFields() ?? {});

test.each(fields.map((field) => [field.name, field] as const))(
  '%s sends each role what the table says, and refuses keys that do not work',
  async (name, field) => {
    const { refused, other, byRole } = askers;
    const members = [other, byRole.guest, byRole.viewer, byRole.editor, byRole.admin];
    const request = await requestFor('subscription', field, place.shown.one, name);
    const end = new AbortController();
    const expected = subscriptions[name]?.split(' ') ?? [];
    let received = 0;
    const everybody = [...refused, ...members];
    const listening = everybody.map(async (asker) => {
      const text = await firstEvent(request, asker, end.signal);
      if (text !== null) received += 1;
      return text;
    });
    const silent = expected.filter((cell) => cell === 'silent').length;
    await changeThings(() => received >= listening.length - silent);
    end.abort();
    const texts = await Promise.all(listening);
    const sent = JSON.stringify(request.variables);
    for (const [at, asker] of everybody.entries()) {
      const text = texts[at] ?? '';
      expect(asker.unseenIn(text, sent), `${asker.name}: ${text}`).toEqual([]);
    }
    const results = texts.map(resultOf);
    expect(results.slice(0, refused.length)).toEqual(refused.map(() => '401'));
    expect(results.slice(refused.length).join(' ')).toBe(subscriptions[name]);
  },
  60_000,
);

test('the table has a row for each subscription, and no other', () => {
  expect(Object.keys(subscriptions).sort()).toEqual(fields.map(({ name }) => name).sort());
});
