// A workspace in which everything bears a word that says who may see it.

import { randomUUID } from 'node:crypto';
import { createIntegration } from '../../src/integrations/integration.ts';
import { createLineage } from '../../src/lineage/edge.ts';
import { createWindow } from '../../src/monitors/maintenance/maintenance-window.ts';
import { createMonitor } from '../../src/monitors/monitor.ts';
import { createRule } from '../../src/notifications/rule.ts';
import { createWebhook } from '../../src/notifications/webhooks/webhook.ts';
import { createApiKey } from '../../src/people/api-key.ts';
import { createServiceAccount } from '../../src/people/service-account.ts';
import { createAnnouncement } from '../../src/resources/announcements/announcement.ts';
import { createComment } from '../../src/resources/comments/resource-comment.ts';
import { archiveResource } from '../../src/resources/editing/archive.ts';
import { createResource } from '../../src/resources/editing/edit.ts';
import { addImage } from '../../src/resources/images/image.ts';
import type { Kind } from '../../src/resources/kind.ts';
import { saveSearch } from '../../src/resources/search/saved/saved-search.ts';
import { beginSession, listSessions } from '../../src/sign-in/user-session.ts';
import { addTeamMembers } from '../../src/teams/member.ts';
import type { Catalog } from '../catalog.ts';

/** Words in titles and names: anyone who is not among these must never read them. */
export const canaries = {
  members: 'zzcanarymembers',
  editors: 'zzcanaryeditors',
  admins: 'zzcanaryadmins',
} as const;

/** Stands in everything that the workspace holds, the words above included. */
export const anyCanary = 'zzcanary';

/** For everybody in the workspace, guests included. */
const everybody = 'zzcanaryeverybody';

/** The kinds of resources that there are one of each of. */
export const resourceKinds = {
  ...{ database: 'database', schema: 'schema', table: 'table', column: 'column', chart: 'chart' },
  ...{ dashboard: 'dashboard', query: 'query', document: 'document', collection: 'collection' },
  ...{ term: 'glossary', category: 'category', event: 'event', eventProperty: 'event_property' },
  ...{ question: 'question', pipeline: 'job' },
} as const satisfies Record<string, Kind>;

type OfKind = keyof typeof resourceKinds;

/** What there is of a workspace to be asked for by its id. */
export type Thing = OfKind | keyof ReturnType<typeof makers>;

/** All of them. */
export const allThings: readonly Thing[] = [
  ...([
    'table',
    'column',
    'database',
    'schema',
    'chart',
    'dashboard',
    'query',
    'document',
  ] as const),
  ...(['collection', 'term', 'category', 'event', 'eventProperty', 'question', 'reply'] as const),
  ...(['pipeline', 'otherTable'] as const),
  ...(['archived', 'team', 'tag', 'property', 'user', 'group', 'integration', 'project'] as const),
  ...(['source', 'apiKey', 'webhook', 'rule', 'edge', 'monitor', 'incident', 'window'] as const),
  ...(['announcement', 'comment', 'image', 'savedSearch'] as const),
  'sourceTable',
  ...(['measurement', 'job', 'delivery', 'session', 'serviceAccount'] as const),
];

export interface World {
  readonly catalog: Catalog;
  /** The one of its sort, made when it is first asked for. */
  one(thing: Thing): Promise<string>;
  /** Another one of the sort. */
  fresh(thing: Thing): Promise<string>;
  /** The ids of what was asked for; only of what is sent to no one who may not see it. */
  ids(only?: 'secret'): Promise<string[]>;
}

/** Who gets to see the things of a world as far as their sort allows: everybody, or only editors. */
export type Shown = 'everybody' | 'editors';

/** What the worlds of one workspace share. */
export interface Place {
  readonly catalog: Catalog;
  /** A team of the guest, which holds what everybody sees. */
  readonly guests: string;
  /** A closed team of no one. */
  readonly closed: string;
  readonly hidden: World;
  readonly shown: World;
}

/** Make the two worlds of a workspace: what everybody may see, and what only editors and admins may. */
export async function openPlace(catalog: Catalog): Promise<Place> {
  const guests = await catalog.team({ name: `${everybody} guests` });
  await addTeamMembers(catalog.admin, guests.id, [catalog.idOf('guest')]);
  const closed = await catalog.team({ name: `${canaries.editors} closed`, type: 'CLOSED' });
  const teams = { guests: guests.id, closed: closed.id };
  const hidden = worldOf(catalog, teams, 'editors');
  return { catalog, ...teams, hidden, shown: worldOf(catalog, teams, 'everybody') };
}

interface Teams {
  readonly guests: string;
  readonly closed: string;
}

function worldOf(catalog: Catalog, teams: Teams, shown: Shown): World {
  // What holds what everybody sees, and is known to no one who does.
  const made = new Map<Thing, Promise<string>>(
    shown === 'editors' ? [['team', Promise.resolve(teams.closed)]] : [],
  );
  const make = makers(catalog, teams, shown, (thing) => world.one(thing));
  const world: World = {
    catalog,
    one(thing) {
      const known = made.get(thing) ?? world.fresh(thing);
      made.set(thing, known);
      return known;
    },
    fresh(thing) {
      return isKind(thing) ? make.resource(resourceKinds[thing]) : make[thing]();
    },
    ids: (only) =>
      Promise.all(
        [...made].filter(([thing]) => only === undefined || isSecret(thing)).map(([, id]) => id),
      ),
  };
  return world;
}

/** Ids of the others are shown to people who may not read what they name, or everybody may. */
export function isSecret(thing: Thing): boolean {
  return ![
    'tag',
    'property',
    'user',
    'group',
    'integration',
    'project',
    'source',
    'window',
    'image',
  ].includes(thing);
}

/** Whether a sort is a kind of resources. */
export function isKind(thing: string): thing is OfKind {
  return Object.hasOwn(resourceKinds, thing);
}

/** How each thing is made; everything of the workspace hangs on the resources that everybody sees. */
function makers(
  catalog: Catalog,
  { guests, closed }: Teams,
  shown: Shown,
  one: (thing: Thing) => Promise<string>,
) {
  const { admin, workspaceId, database } = catalog;
  const { prisma } = database;
  const isShown = shown === 'everybody';
  const word = isShown ? everybody : canaries.editors;
  const named = (whose: string, what: string) => `${whose} ${what} ${randomUUID().slice(0, 8)}`;
  const held = isShown
    ? { published: true, teamIds: [guests, closed] }
    : { published: false, teamIds: [closed] };
  const idOf = async (making: Promise<{ id: string }>) => (await making).id;

  const things = {
    resource: async (kind: Kind = 'table') =>
      (await createResource(admin, kind, { ...held, title: named(word, kind) })).id,
    async reply() {
      const parentId = await one('question');
      const title = named(word, 'reply');
      return idOf(createResource(admin, 'question_reply', { ...held, parentId, title }));
    },
    otherTable: () => things.resource(),
    async archived() {
      const id = await things.resource();
      return (await archiveResource(admin, id)).id;
    },
    team: () =>
      isShown
        ? idOf(catalog.team({ name: named(word, 'team'), addMemberIds: [catalog.idOf('guest')] }))
        : idOf(catalog.team({ name: named(word, 'team'), type: 'CLOSED' })),
    tag: () => idOf(catalog.tag({ name: named(everybody, 'tag') })),
    property: () => idOf(catalog.property({ name: named(everybody, 'property') })),
    user: () => idOf(catalog.user({ firstName: canaries.members, email: mail() })),
    group: () => idOf(catalog.group({ name: named(canaries.members, 'group') })),
    integration: () => idOf(catalog.integration({ name: named(canaries.editors, 'files') })),
    project: () =>
      idOf(catalog.integration({ name: named(canaries.editors, 'project'), type: 'dbt_core' })),
    source: () =>
      idOf(
        createIntegration(admin, {
          name: named(canaries.editors, 'source'),
          type: 'postgres',
          credentials: { host: '127.0.0.1', port: 1, database: 'x', user: 'x', password: 'x' },
        }),
      ),
    async sourceTable() {
      const integrationId = await one('source');
      const id = await things.resource();
      const where = { workspaceId_id: { workspaceId, id } };
      return idOf(prisma.resource.update({ where, data: { integrationId, schemaName: 'public' } }));
    },
    apiKey: async () =>
      (await createApiKey(admin, { name: named(canaries.admins, 'key') })).apiKey.id,
    serviceAccount: () =>
      idOf(createServiceAccount(admin, { name: named(canaries.admins, 'service') })),
    webhook: async () => {
      const name = named(canaries.admins, 'webhook');
      const url = `https://${canaries.admins}.invalid/`;
      return (await createWebhook(admin, { name, url })).webhook.id;
    },
    async announcement() {
      const resourceId = await one('table');
      return idOf(createAnnouncement(admin, { resourceId, text: named(word, 'announcement') }));
    },
    image: () => idOf(addImage(admin, Buffer.from('GIF89a'))),
    async comment() {
      const resourceId = await one('table');
      return idOf(createComment(admin, { resourceId, text: named(word, 'comment') }));
    },
    savedSearch: () => idOf(saveSearch(admin, { name: named(word, 'search') })),
    window: () =>
      idOf(
        createWindow(admin, {
          ...{ name: named(everybody, 'window'), fromTime: '00:00', untilTime: '00:00' },
        }),
      ),
    rule: () =>
      idOf(createRule(admin, { name: named(canaries.editors, 'rule'), emails: [mail()] })),
    async edge() {
      const [fromId, toId] = [await things.resource(), await things.resource()];
      return idOf(createLineage(admin, { fromId, toId }));
    },
    async monitor() {
      const targetId = await one('table');
      const name = named(word, 'monitor');
      return idOf(createMonitor(admin, { targetId, metricType: 'row_count', name }));
    },
    async incident() {
      const [monitorId, targetId] = [await one('monitor'), await one('table')];
      const about = { name: named(word, 'incident'), summary: word, value: 1 };
      return idOf(prisma.incident.create({ data: { workspaceId, monitorId, targetId, ...about } }));
    },
    async measurement() {
      const [monitorId, incidentId] = [await one('monitor'), await one('incident')];
      const data = { workspaceId, monitorId, incidentId, incidentMetadata: word, value: 1 };
      return idOf(prisma.measurement.create({ data }));
    },
    async session() {
      const context = catalog.contextOf(await catalog.user({ email: mail() }));
      const arrival = { method: 'link', says: 'with a link', userAgent: canaries.admins };
      const limits = { idleMs: 3_600_000, maxAgeMs: 3_600_000 };
      await beginSession(context, arrival, limits);
      const [session] = await listSessions(context, limits);
      return session?.id ?? '';
    },
    job: () =>
      idOf(
        prisma.job.create({
          data: { workspaceId, kind: 'none', title: named(canaries.editors, 'job') },
        }),
      ),
    async delivery() {
      const content = { title: canaries.admins, text: canaries.admins };
      const about = { event: 'ping', state: 'failed', content, body: canaries.admins };
      const address = await one('webhook');
      const data = { workspaceId, ...about, channel: 'webhook', address, dedupeKey: randomUUID() };
      return idOf(prisma.notification.create({ data }));
    },
  };
  return things;
}

const mail = () => `${canaries.members}-${randomUUID().slice(0, 8)}@example.com`;
