// A request for each field of the schema's roots that would succeed for an admin.

import { type GraphQLArgument, type GraphQLField, getNamedType, isNonNullType } from 'graphql';
import { depthOf, requestOf } from '../graphql/selection.ts';
import { bakery } from '../integrations/imports/bakery.ts';
import { fullNameOf } from './ties.ts';
import type { Thing } from './world.ts';

/** A request of GraphQL, and what it is for. */
export interface Request {
  readonly name: string;
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Which one of a sort to ask for. */
export type Which = (thing: Thing) => Promise<string>;

type Kind = 'query' | 'mutation' | 'subscription';

/** Arguments that narrow what a field answers to what hangs on something, and need not be given. */
export function narrowings(field: GraphQLField<unknown, unknown>): string[] {
  return field.args
    .filter(
      (argument) => !isWanted(field.name, argument) && getNamedType(argument.type).name === 'ID',
    )
    .map((argument) => argument.name);
}

/**
 * A request for a field, with ids of what `which` gives; what names something new is called `name`. The
 * argument `also` is given as well.
 */
export async function requestFor(
  kind: Kind,
  field: GraphQLField<unknown, unknown>,
  which: Which,
  name: string,
  also?: string,
): Promise<Request> {
  const wanted = field.args.filter(
    (argument) => isWanted(field.name, argument) || argument.name === also,
  );
  const entries = wanted.map(
    async (argument): Promise<[string, unknown]> => [
      argument.name,
      await given(field.name, argument, which, name),
    ],
  );
  return {
    name: field.name,
    query: requestOf(kind, field, wanted, depthOf(field)),
    variables: Object.fromEntries(await Promise.all(entries)),
  };
}

/** What need not be given, but without which there is nothing to do. */
const alsoWanted = [
  ...['runMonitors.ids', 'importJsonl.resources', 'importArtifacts.manifest'],
  ...['measurements.monitorId', 'lineageFromQuery.tableId', 'impactOfManifest.integrationId'],
  ...['signOutEverywhere.userId', 'updateResources.ids'],
];

function isWanted(field: string, argument: GraphQLArgument): boolean {
  return isNonNullType(argument.type) || alsoWanted.includes(`${field}.${argument.name}`);
}

async function given(
  field: string,
  argument: GraphQLArgument,
  which: Which,
  name: string,
): Promise<unknown> {
  const type = getNamedType(argument.type).name;
  if (type === 'ID') {
    const id = await which(thingOf(field, argument.name));
    return String(argument.type).includes('[') ? [id] : id;
  }
  const make = values[`${field}.${argument.name}`] ?? values[type] ?? values[argument.name];
  if (!make) throw new Error(`Say what ${field} is given for ${argument.name}: ${argument.type}.`);
  return make(which, name);
}

/** What an argument names, whatever the field; else the field's own name says it. */
const things: Readonly<Record<string, Thing>> = {
  ...{ integrationId: 'integration', resourceId: 'table', resourceIds: 'table', tableId: 'table' },
  ...{ monitorId: 'monitor', deliveryId: 'delivery', userIds: 'user', of: 'table', from: 'table' },
  ...{ targetId: 'table', parentId: 'table', fromIds: 'table', toIds: 'table', teamIds: 'team' },
  ...{
    ownerIds: 'user',
    tagIds: 'tag',
    integrationIds: 'integration',
    incidentId: 'incident',
    userId: 'user',
  },
  ...{
    'markNotificationsRead.ids': 'delivery',
    to: 'table',
    'resourcesChanged.ids': 'table',
    'lineageChanged.ids': 'table',
    'runMonitors.ids': 'monitor',
    'updateResources.ids': 'table',
    'resourcesCsv.ids': 'table',
    'importArtifacts.integrationId': 'project',
  },
  ...{ 'impactOfManifest.integrationId': 'project', 'lineage.after': 'table' },
  ...{ 'failingTests.integrationId': 'project', 'testConnection.integrationId': 'source' },
  ...{ 'mergeResources.keep': 'table', 'mergeResources.merge': 'otherTable' },
  ...{ 'setIntegrationAddresses.id': 'integration', 'revokeInvitation.id': 'user' },
  ...{ 'profileTable.tableId': 'sourceTable', 'sampleTable.tableId': 'sourceTable' },
  ...{ 'triggerSync.integrationId': 'source', 'restoreResource.id': 'archived' },
  ...{ 'markMeasurementNormal.id': 'measurement', 'vote.id': 'question', 'react.id': 'question' },
};

/** Ends of the names of fields, and what is asked for by them. */
const endings: readonly [RegExp, Thing][] = [
  [/^(nodes?|resource|resourceChanged)$|Resource$/, 'table'],
  [/^team$|Team(Members)?$/, 'team'],
  [/^group$|Group(Members)?$/, 'group'],
  [/^tag$|Tag$/, 'tag'],
  [/^user$|User$/, 'user'],
  [/^customProperty$|CustomProperty$/, 'property'],
  [/^integration$|Integration$/, 'integration'],
  [/^lineageEntry$|Lineage$/, 'edge'],
  [/^(monitor|monitorBacktest)$|Monitor$/, 'monitor'],
  [/^incident$|Incident$/, 'incident'],
  [/^(job|jobChanged)$|Job$/, 'job'],
  [/^webhook$|Webhook(Secret)?$/, 'webhook'],
  [/NotificationRule$/, 'rule'],
  [/MaintenanceWindow$/, 'window'],
  [/Announcement$/, 'announcement'],
  [/^image$/, 'image'],
  [/Comment$/, 'comment'],
  [/SavedSearch$/, 'savedSearch'],
  [/ApiKey$/, 'apiKey'],
  [/ServiceAccount$/, 'serviceAccount'],
  [/Question$/, 'question'],
  [/Reply$/, 'reply'],
  [/Session$/, 'session'],
];

function thingOf(field: string, argument: string): Thing {
  const known = things[`${field}.${argument}`] ?? things[argument];
  const found = known ?? endings.find(([ending]) => ending.test(field))?.[1];
  if (!found) throw new Error(`Say what ${field} is to find by ${argument}.`);
  return found;
}

type Value = (which: Which, name: string) => unknown;

/** What else is given: by field and argument, by type, or by the argument alone. */
const values: Readonly<Record<string, Value>> = {
  'backtestThresholds.metricType': () => 'row_count',
  'updateResourcesFromCsv.content': async (which, name) =>
    `id,description\n${await which('table')},${name}\n`,
  'resourceByName.titleFull': async (which) => fullNameOf(await which('table')),
  SeriesPointInput: () =>
    Array.from({ length: 30 }, (_, day) => ({
      at: new Date(Date.UTC(2026, 0, 1 + day)).toISOString(),
      value: day,
    })),
  'lineageChanges.since': () => '2020-01-01T00:00:00Z',
  LineageDirection: () => 'BOTH',
  LineageLevel: () => 'TABLE',
  LineageStrength: () => ['DIRECT'],
  ResourceKind: () => 'table',
  AddressInput: () => [{ database: '*', address: 'postgres://db:5432' }],
  'hostObstacle.host': () => '127.0.0.1',
  'vote.value': () => 1,
  value: () => 'x',
  emoji: () => '👍',
  query: () => 'zz',
  sql: () => 'select 1 as one',
  dialect: () => 'postgres',
  content: () => 'database,schema,name,col_name\nshop,public,made,id',
  resources: () => '{"entity_type":"table","databuilder_id":"made","title":"made"}',
  manifest: () => JSON.stringify(bakery()),
  properties: async (which) => ({ [await which('property')]: 'x' }),
  name: (_, name) => name,
  CreateCustomPropertyInput: (_, name) => ({ name }),
  UpdateCustomPropertyInput: (_, name) => ({ name }),
  CreateGroupInput: (_, name) => ({ name }),
  UpdateGroupInput: (_, name) => ({ name }),
  CreateIntegrationInput: (_, name) => ({ name }),
  UpdateIntegrationInput: (_, name) => ({ name }),
  CreateApiKeyInput: (_, name) => ({ name }),
  CreateServiceAccountInput: (_, name) => ({ name }),
  UpdateServiceAccountInput: (_, name) => ({ name }),
  CreateTagInput: (_, name) => ({ name }),
  UpdateTagInput: (_, name) => ({ name }),
  CreateTeamInput: (_, name) => ({ name }),
  UpdateTeamInput: (_, name) => ({ name }),
  CreateUserInput: (_, name) => ({ email: `${name}@example.com` }),
  InviteUserInput: (_, name) => ({ email: `${name}@example.com` }),
  UpdateUserInput: (_, name) => ({ email: `${name}@example.com` }),
  CreateWebhookInput: (_, name) => ({ name, url: 'https://made.invalid/' }),
  UpdateWebhookInput: (_, name) => ({ name, url: 'https://made.invalid/' }),
  SaveSearchInput: (_, name) => ({ name, query: 'orders' }),
  CreateAnnouncementInput: async (which) => ({ resourceId: await which('table'), text: 'x' }),
  UpdateAnnouncementInput: () => ({ text: 'x' }),
  CreateCommentInput: async (which) => ({ resourceId: await which('table'), text: 'x' }),
  UpdateCommentInput: () => ({ text: 'x' }),
  CreateMaintenanceWindowInput: (_, name) => ({ name, fromTime: '22:00', untilTime: '04:00' }),
  UpdateMaintenanceWindowInput: (_, name) => ({ name }),
  CreateNotificationRuleInput: (_, name) => ({ name, emails: ['made@example.com'] }),
  UpdateNotificationRuleInput: (_, name) => ({ name, emails: ['made@example.com'] }),
  UpdateWorkspaceSettingsInput: () => ({ holidayCountry: 'US' }),
  UpdateIncidentInput: () => ({ severity: 'high' }),
  UpdateMonitorInput: (_, name) => ({ name }),
  CreateMonitorInput: async (which) => ({
    targetId: await which('table'),
    metricType: 'row_count',
  }),
  EmbedLineageInput: async (which) => ({ resourceId: await which('table') }),
  LineageInput: async (which) => ({ fromId: await which('table'), toId: await which('column') }),
  QueryLineageInput: async (which) => ({
    ...{ sql: 'select 1 as one', dialect: 'postgres', tableId: await which('table') },
  }),
  CreateQuestionInput: (_, name) => ({ title: name }),
  UpdateQuestionInput: (_, name) => ({ title: name }),
  UpdateReplyInput: () => ({ definition: 'x' }),
  CreateReplyInput: async (which) => ({ parentId: await which('question'), definition: 'x' }),
  CreateResourceInput: (_, name) => ({ title: name }),
  UpdateResourceInput: (_, name) => ({ title: name }),
};
