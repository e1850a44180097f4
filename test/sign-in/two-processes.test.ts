// Sessions on two processes of one installation: what ends on one ends on the other within five seconds.

import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type Answer, type Catalog, openCatalog } from '../catalog.ts';
import { startBeside } from '../limits/beside.ts';
import { clientOf } from '../limits/client.ts';
import { type Event, eventsIn } from '../limits/events.ts';
import { OurPage } from './page.ts';

/** How long a session may be believed after its end, with some time for a busy machine. */
const believedMs = 5_000 + 1_000;

interface Person {
  readonly userId: string;
  readonly sessionId: string;
  /** Where they are signed in: on the process that is told of the loss, and on the other one. */
  readonly pages: readonly OurPage[];
}

interface Loss {
  readonly what: string;
  /** What the other process says of the session afterwards. */
  readonly role: 'viewer' | 'UNAUTHENTICATED';
  /** What an open subscription ends with: who may no longer see the thing may be told so first. */
  readonly codes: readonly string[];
  /** What an admin asks for; nothing where the page itself signs out. */
  readonly mutation?: (of: Person) => string;
}

const ended = { role: 'UNAUTHENTICATED', codes: ['UNAUTHENTICATED'] } as const;

const losses: readonly Loss[] = [
  { what: 'signs out', ...ended },
  {
    what: 'has the session ended by an admin',
    ...ended,
    mutation: ({ sessionId }) => `mutation { endSession(id: "${sessionId}") }`,
  },
  {
    what: 'is signed out everywhere by an admin',
    ...ended,
    mutation: ({ userId }) => `mutation { signOutEverywhere(userId: "${userId}") }`,
  },
  {
    what: 'is deactivated',
    ...ended,
    mutation: ({ userId }) => `mutation { deactivateUser(id: "${userId}") { id } }`,
  },
  {
    what: 'is made a viewer',
    role: 'viewer',
    codes: ['FORBIDDEN', 'NOT_FOUND'],
    mutation: ({ userId }) =>
      `mutation { updateUser(id: "${userId}", input: { role: viewer }) { id } }`,
  },
];

/** A new editor who is signed in on one process, and whose cookie counts on another. */
async function signIn(catalog: Catalog, first: string, second: string): Promise<Person> {
  const { id: userId } = await catalog.user({ role: 'editor' });
  const { makeCode } = await catalog.app();
  const page = new OurPage(first);
  await page.signIn(makeCode({ workspaceId: catalog.workspaceId, userId }));
  const other = new OurPage(second);
  const [, secret = ''] = page.cookie.split('=');
  other.cookie = `headwater-${new URL(second).port}=${secret}`;
  const { data } = await catalog.graphql(`{ sessions(userId: "${userId}") { id } }`);
  return { userId, sessionId: data.sessions[0].id, pages: [page, other] };
}

/** What somebody's page is told of their role, or why nothing. */
async function roleOn(page: OurPage): Promise<string | undefined> {
  const { data, errors }: Answer = await page.ask('{ viewer { role } }');
  return errors?.[0]?.extensions.code ?? data.viewer.role;
}

/** Sign out, and keep the cookie, as the one who copied it does. */
async function signOutOf(page: OurPage | undefined): Promise<void> {
  const { cookie = '' } = page ?? {};
  expect((await page?.signOut())?.status).toBe(204);
  if (page) page.cookie = cookie;
}

/** What a page is sent of a resource: all events so far, and whether they are over. */
async function watch(page: OurPage, id: string) {
  const query = `subscription { resourceChanged(id: "${id}") { title } }`;
  const accept = { accept: 'text/event-stream' };
  const response = await page.send('/graphql', JSON.stringify({ query }), accept);
  const watched: { readonly events: Event[]; isOver: boolean } = { events: [], isOver: false };
  const reading = async () => {
    for await (const event of eventsIn(response)) watched.events.push(event);
    watched.isOver = true;
  };
  // One that is cut by the end of the test is not over.
  reading().catch(() => {});
  return watched;
}

test('a session that ends, or loses its role, has on the other process too: it reads nothing, is sent nothing', async () => {
  await using catalog = await openCatalog({ alone: true });
  const here = await catalog.listen();
  await using beside = await startBeside(catalog);
  const admin = clientOf(here, catalog.keyOf('admin'));
  const { id } = await catalog.resource({ title: 'changing', published: false });
  const { id: quietId } = await catalog.resource({ title: 'quiet', published: false });
  const change = async (title: string) => {
    expect((await admin.rest('PATCH', `/table/tables/${id}`, { title })).status).toBe(200);
  };
  // Whatever happens on a process makes it forget all that it remembers of anybody: nothing happens on the other one.
  const runs = await Promise.all(
    losses.map(async (loss) => {
      const person = await signIn(catalog, here, beside.origin);
      for (const page of person.pages) expect(await roleOn(page), loss.what).toBe('editor');
      const watched = await Promise.all(
        person.pages.flatMap((page) => [watch(page, id), watch(page, quietId)]),
      );
      return { loss, watched, person };
    }),
  );
  const all = runs.flatMap(({ watched }) => watched);
  await expect
    .poll(() => all.every(({ events }) => events.length > 0), { timeout: 20_000 })
    .toBe(true);
  for (const { loss, person } of runs) {
    if (loss.mutation) expect((await admin.graphql(loss.mutation(person))).code).toBeUndefined();
    else await signOutOf(person.pages[0]);
  }
  await change('changed once');
  await sleep(believedMs);
  await change('secret');
  for (const { loss, watched, person } of runs) {
    for (const page of person.pages) expect(await roleOn(page), loss.what).toBe(loss.role);
    for (const { events, isOver } of watched) {
      expect(isOver, loss.what).toBe(true);
      expect(loss.codes, loss.what).toContain(events.at(-1)?.errors?.[0]?.extensions.code);
      expect(JSON.stringify(events), loss.what).not.toContain('secret');
    }
  }
  expect(catalog.unexpected).toEqual([]);
});
