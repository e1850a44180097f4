// A request for each documented operation of REST that would succeed for an admin.

import { bakery } from '../integrations/imports/bakery.ts';
import type { Documented } from '../rest/openapi/conform.ts';
import type { Which } from './graphql-requests.ts';
import type { Thing } from './world.ts';

/** A request below `/api/v1`. */
export interface RestRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: object | FormData;
}

/** The name of an operation, whichever of its paths is meant. */
export const nameOf = ({ operation }: Documented) => operation.operationId.replace(/Alias\d+$/, '');

/** A request for an operation, with ids of what `which` gives; what is new is called `name`. */
export async function restRequestFor(
  documented: Documented,
  which: Which,
  name: string,
): Promise<RestRequest> {
  const { method, path } = documented;
  const operation = nameOf(documented);
  let filled = path.replace('/api/v1', '');
  for (const [whole = '', parameter = ''] of path.matchAll(/\{(\w+)\}/g)) {
    filled = filled.replace(whole, await which(thingOf(path, parameter)));
  }
  const query = (await questions[operation]?.(which)) ?? {};
  const search = Object.keys(query).length > 0 ? `?${new URLSearchParams(query)}` : '';
  const body = bodyOf(operation, method, documented);
  return {
    method,
    path: filled + search,
    ...(body ? { body: await body(which, name) } : {}),
  };
}

const parameters: Readonly<Record<string, Thing>> = {
  ...{ integration_id: 'integration', id: 'team', group_id: 'group', user_id: 'user' },
  ...{ job_id: 'job', collection_id: 'collection', chart_id: 'chart', dashboard_id: 'dashboard' },
  ...{ database_id: 'database', schema_id: 'schema', table_id: 'table', column_id: 'column' },
  ...{ term_id: 'term', document_id: 'document', event_category_id: 'category', tag_id: 'tag' },
  ...{ event_id: 'event', event_property_id: 'eventProperty', query_id: 'query' },
  ...{ question_id: 'question', reply_id: 'reply', resource_id: 'table', entity_id: 'table' },
  ...{ custom_property_id: 'property', lineage_id: 'edge', monitor_id: 'monitor' },
  ...{
    incident_id: 'incident',
    api_key_id: 'apiKey',
    webhook_id: 'webhook',
    announcement_id: 'announcement',
    comment_id: 'comment',
    image_id: 'image',
  },
};

function thingOf(path: string, parameter: string): Thing {
  if (/\/trigger\/?$/.test(path)) return 'source';
  if (/\/(profile|sample)$/.test(path)) return 'sourceTable';
  if (/\/(transform|dbt)\//.test(path)) return 'project';
  const thing = parameters[parameter];
  if (!thing) throw new Error(`Say what {${parameter}} of ${path} is.`);
  return thing;
}

type Given<T> = (which: Which, name: string) => T | Promise<T>;

const sql = { sql: 'select 1 as one', dialect: 'postgres' };

/** Parameters of queries that are needed. */
const questions: Readonly<Record<string, (which: Which) => Promise<Record<string, string>>>> = {
  // Of all entries the newest are of what the tests before did.
  ListAuditLogs: async () => ({
    filter: JSON.stringify({
      ...{ operator: 'exact', field: 'activity_type', value: 'webhook_created' },
    }),
  }),
  ListResourceLogs: async (which) => ({ resource_id: await which('table') }),
  ListMeasurements: async (which) => ({ monitor: await which('monitor') }),
  PreviewLineageFromQuery: async (which) => ({ ...sql, table_id: await which('table') }),
};

/** The body of an operation: its own, or what all that make or change something take. */
function bodyOf(
  operation: string,
  method: string,
  { operation: { requestBody } }: Documented,
): Given<object | FormData> | undefined {
  const own = bodies[operation];
  if (own || !requestBody) return own;
  if (method === 'POST') return (_, name) => ({ title: name, name });
  if (operation.endsWith('ByPut')) return (_, name) => ({ title: name });
  return (_, name) => ({ description: name });
}

const fromQuery: Given<object> = async (which) => ({ ...sql, table_id: await which('table') });
const values: Given<object> = async (which) => ({
  entity_ids: [await which('table')],
  properties: { [await which('property')]: 'x' },
});

const bodies: Readonly<Record<string, Given<object | FormData>>> = {
  ReportLineage: (_, name) => ({ eventTime: '2026-01-31T09:30:00Z', job: { name } }),
  CreateAnnouncement: async (which, name) => ({ resource: await which('table'), text: name }),
  UpdateAnnouncement: (_, name) => ({ text: name }),
  UpdateAnnouncementByPut: (_, name) => ({ text: name }),
  CreateComment: (_, name) => ({ text: name }),
  UpdateComment: (_, name) => ({ text: name }),
  UpdateCommentByPut: (_, name) => ({ text: name }),
  CreateReply: async (which, name) => ({ title: name, parent: await which('question') }),
  CreateResource: (_, name) => ({ title: name, entity_type: 'table' }),
  UpdateResourcesFromCsv: async (which, name) => ({
    content: `id,description\n${await which('table')},${name}\n`,
  }),
  UpdateResources: async (which, name) => ({
    ...{ entity_ids: [await which('table')], description: name },
  }),
  CreateEventCategory: async (which, name) => ({
    ...{ title: name, integration: await which('integration') },
  }),
  CreateMonitor: async (which) => ({ target: await which('table'), metric_type: 'row_count' }),
  UpdateMonitor: (_, name) => ({ name }),
  RunMonitors: async (which) => ({ monitors: [await which('monitor')] }),
  UpdateIncident: () => ({ severity: 'high' }),
  CreateIntegration: (_, name) => ({ name, type: 'custom' }),
  UpdateIntegration: (_, name) => ({ name }),
  CreateUser: (_, name) => ({ email: `${name}@example.com` }),
  UpdateUser: (_, name) => ({ title: name }),
  CreateWebhook: (_, name) => ({ name, url: 'https://a.test/hook' }),
  UpdateWebhook: (_, name) => ({ name }),
  UpdateWebhookByPut: (_, name) => ({ name, url: 'https://a.test/hook' }),
  UpdateTag: () => ({ color: '#d69e2e' }),
  UpdateCustomProperty: (_, name) => ({ name }),
  UpdateMonitorByPut: () => ({ metric_type: 'row_count' }),
  UpdateIncidentByPut: () => ({ severity: 'high' }),
  UpdateIntegrationByPut: (_, name) => ({ name }),
  UpdateGroupByPut: (_, name) => ({ name }),
  UpdateTeamByPut: (_, name) => ({ name }),
  UpdateTagByPut: (_, name) => ({ name, color: '#d69e2e' }),
  UpdateUserByPut: (_, name) => ({ email: `${name}@example.com` }),
  TestMonitor: async (which) => ({ target: await which('table'), metric_type: 'row_count' }),
  CreateCustomProperty: (_, name) => ({ name, entity_types: ['all'], value_type: 'string' }),
  ReplaceCustomProperty: (_, name) => ({ name, entity_types: ['all'], value_type: 'string' }),
  SetCustomProperty: () => ({ value: 'x' }),
  ChangeCustomPropertyValue: () => ({ value: 'x' }),
  SetCustomProperties: values,
  ChangeCustomProperties: values,
  CreateLineage: async (which) => ({
    from_entity: await which('table'),
    to_entity: await which('column'),
    direction: 'DOWNSTREAM',
  }),
  CreateLineageFromQuery: fromQuery,
  ReplaceLineageFromQuery: fromQuery,
  ImportMetadata: () => files({ file: 'database,schema,name,col_name\nshop,public,made,id' }),
  ImportJsonlMetadata: () =>
    files({
      resources_file: '{"entity_type":"table","databuilder_id":"made","title":"made"}',
    }),
  UploadImage: () => files({ file: 'GIF89a' }),
  UploadArtifacts: () => files({ manifest: JSON.stringify(bakery()) }),
  ImpactOfManifest: async (which) =>
    files({ manifest: JSON.stringify(bakery()), integration_id: await which('project') }),
};

function files(named: Readonly<Record<string, string>>): FormData {
  const form = new FormData();
  for (const [name, text] of Object.entries(named)) {
    if (name.endsWith('_id')) form.set(name, text);
    else form.set(name, new Blob([text]), name);
  }
  return form;
}
