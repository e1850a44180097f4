// A workspace that has one of everything, for tests that ask for all of it.

import { addImage } from '../../src/resources/images/image.ts';
import type { Catalog } from '../catalog.ts';

/** What there is, by the names of the path parameters that ask for it. */
export interface Seed {
  readonly params: Readonly<Record<string, string>>;
  /** An integration that takes the artifacts of a project. */
  readonly projectId: string;
  readonly ids: readonly string[];
  /** A documented path with its parameters filled in. */
  fill(path: string): string;
}

/** Make one of everything, over REST where REST can. */
export async function seed(catalog: Catalog): Promise<Seed> {
  const make = async (path: string, body: object, within?: string): Promise<string> => {
    const answer = await catalog.rest('POST', path, { body });
    if (answer.status !== 201) throw new Error(`${path} answered ${answer.status}: ${answer.text}`);
    return (within ? answer.body[within] : answer.body).id;
  };
  const integration_id = (await catalog.integration()).id;
  const projectId = (await catalog.integration({ type: 'dbt_core' })).id;
  const integration = integration_id;
  const id = await make('/auth/teams', { name: 'Finance' });
  const user_id = await make('/user', { email: 'grace@example.com', role: 'viewer' });
  const group_id = await make('/auth/group', { name: 'Analysts', members: [user_id] });
  const tag_id = await make('/tag', { name: 'gold', color: '#d69e2e' });
  const all = { integration, published: true, teams: [id], tags: [tag_id], owners: [user_id] };

  const database_id = await make('/database/databases', { ...all, title: 'shop' });
  const inDatabase = { ...all, parent: database_id, native_type: 'schema' };
  const schema_id = await make('/database/schemas', { ...inDatabase, title: 'public' });
  const table = { ...all, parent: schema_id, native_type: 'table', description: 'Orders' };
  const table_id = await make('/table/tables', { ...table, title: 'orders' });
  const totals = await make('/table/tables', { ...table, title: 'totals' });
  const column = { ...all, parent: table_id, type: 'integer', sort_order: 1 };
  const column_id = await make('/table/columns', { ...column, title: 'amount' });
  const dashboard_id = await make('/dashboard/dashboards', { ...all, title: 'Sales' });
  const chart_id = await make('/dashboard/charts', {
    ...all,
    title: 'Total',
    parent: dashboard_id,
  });
  const query_id = await make('/query/queries', { ...all, title: 'Top', sql: 'select 1' });
  const document_id = await make('/document', { ...all, title: 'Read me', definition: '# Hello' });
  const collection_id = await make('/collection/collections', { ...all, title: 'Month' });
  const term_id = await make('/dictionary/terms', { ...all, title: 'Churn' });
  const event_category_id = await make('/event/category', { ...all, title: 'Checkout' });
  const event = { ...all, parent: event_category_id, title: 'Paid' };
  const event_id = await make('/event/events', event);
  const property = { ...all, parent: event_id, title: 'amount' };
  const event_property_id = await make('/event/event_properties', property);
  const question_id = await make('/question/questions', { ...all, title: 'Which table?' });
  const reply_id = await make('/question/replies', { parent: question_id, definition: 'This one' });
  const edge = { from_entity: table_id, to_entity: totals, direction: 'DOWNSTREAM' };
  const lineage_id = await make('/lineage/manual', edge);
  const properties = '/resource/all_v2/custom_properties';
  const retention = { name: 'Retention', entity_types: ['all'], value_type: 'string' };
  const custom_property_id = await make(properties, retention);
  const monitor = { target: table_id, metric_type: 'row_count' };
  const monitor_id = await make('/monitor/monitors', monitor);
  const { incident_id, measurement, job_id } = await measured(catalog, monitor_id, table_id);
  const key = { name: 'CI', scopes: ['READ'] };
  const api_key_id = await make('/auth/api_keys', key, 'api_key');
  const hook = { name: 'On call', url: 'https://hooks.example.com/headwater' };
  const webhook_id = await make('/webhooks', hook, 'webhook');
  const comment = { text: 'Late again on Monday.' };
  const comment_id = await make(`/resource/all/${table_id}/comments`, comment);
  const announced = { resource: table_id, text: 'Late on Monday.' };
  const announcement_id = await make('/announcements', announced);
  const image_id = (await addImage(catalog.admin, Buffer.from('GIF89a'))).id;
  const params = {
    ...{ integration_id, id, user_id, group_id, tag_id, database_id, schema_id, table_id },
    ...{ column_id, dashboard_id, chart_id, query_id, document_id, collection_id, term_id },
    ...{ event_category_id, event_id, event_property_id, question_id, reply_id, lineage_id },
    ...{ custom_property_id, monitor_id, incident_id, job_id, api_key_id, webhook_id },
    ...{ entity_id: table_id, resource_id: table_id, comment_id, image_id },
    announcement_id,
  };
  return {
    params,
    projectId,
    ids: [...new Set([...Object.values(params), projectId, totals, measurement])],
    fill(path) {
      const isProject = /\/(transform|dbt)\//.test(path);
      const values = new Map(Object.entries(params));
      if (isProject) values.set('integration_id', projectId);
      return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values.get(name) ?? 'unknown');
    },
  };
}

/** A monitor whose last run found a breach, for examples of what runs leave. */
export async function seedBreach(catalog: Catalog): Promise<void> {
  const { id } = await catalog.resource({ title: 'payments', nativeType: 'table' });
  const body = { target: id, metric_type: 'row_count' };
  const monitor = await catalog.rest('POST', '/monitor/monitors', { body });
  await measured(catalog, monitor.body.id, id);
}

/** What a run of a monitor leaves: a breach with its incident, and the job that found it. */
async function measured(catalog: Catalog, monitorId: string, targetId: string) {
  const { workspaceId, database } = catalog;
  const { prisma } = database;
  const incident = await prisma.incident.create({
    data: {
      ...{ workspaceId, monitorId, targetId, name: 'Row count of orders', value: 0 },
      summary: '0 is below 950.',
      actions: { create: { type: 'notification_initial' } },
    },
  });
  const breach = { incidentId: incident.id, incidentMetadata: '0 is below 950.' };
  const measurement = await prisma.measurement.create({
    data: {
      workspaceId,
      monitorId,
      ...breach,
      value: 0,
      lowerThreshold: 950,
      upperThreshold: 1100,
    },
  });
  const job = await prisma.job.create({
    data: {
      ...{ workspaceId, kind: 'test', title: 'Run 1 monitor', state: 'succeeded' },
      completedAt: new Date(),
    },
  });
  return { incident_id: incident.id, measurement: measurement.id, job_id: job.id };
}
