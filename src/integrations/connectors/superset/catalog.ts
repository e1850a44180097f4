// Reads what Superset holds: dashboards, charts and datasets.

import { z } from 'zod';
import type { Extracted, Extraction } from '../../readers/extraction.ts';
import { ownersOf } from '../../readers/owner-name.ts';
import { byKey, type DashboardSession, edge, momentOf, resource } from '../dashboards.ts';
import { type DatabaseNames, namesOf } from './database-name.ts';
import { dataset, id, people, type SupersetDataset, text } from './dataset.ts';
import { chartEdges, type DatasetReading, datasetEdges } from './dataset-lineage.ts';
import { listed } from './requests.ts';

const changed = { changed_on_utc: text, owners: people, editors: people };

const dashboard = z.object({
  ...{ id, dashboard_title: text, description: text, status: text, certified_by: text },
  ...changed,
});
const chart = z.object({
  ...{ id, slice_name: text, description: text, viz_type: text, params: text },
  ...{ datasource_id: id.nullish(), datasource_type: text, certified_by: text },
  dashboards: z.array(z.object({ id })).nullish(),
  ...changed,
});
const database = z.object({ id, database_name: text, backend: text, sqlalchemy_uri: text });
const of = <Fields>(result: z.ZodType<Fields>) => z.object({ result });
const shownCharts = z.array(
  z.object({ id: id.nullish(), form_data: z.object({ slice_id: id.nullish() }).nullish() }),
);

type Chart = z.infer<typeof chart>;

/** All that the login may see. */
export async function* extractSuperset(
  session: DashboardSession,
  url: string,
  note: (line: string) => void,
): Extraction {
  const base = url.replace(/\/+$/, '');
  const names = await databaseNames(session);
  const datasets = new Map<number, SupersetDataset>();
  yield resource({ kind: 'database', key: 'superset', title: 'Superset' });
  for await (const { id: own } of listed(session, 'dataset', 'table_name', z.object({ id }))) {
    const found = await session.find(`dataset/${own}`, of(dataset));
    if (!found) note(`The dataset ${own} cannot be read by this login.`);
    if (!found) continue;
    datasets.set(own, found.result);
    yield* describeDataset(found.result, base);
  }
  const charts: Chart[] = [];
  for await (const one of listed(session, 'chart', 'slice_name', chart)) charts.push(one);
  const known = new Set(charts.map((one) => one.id));
  const shown = placesOf(charts);
  for await (const one of listed(session, 'dashboard', 'dashboard_title', dashboard)) {
    yield describeDashboard(one, base);
    // Versions that do not say with a chart where it is shown say it with the dashboard.
    if (charts.some(({ dashboards }) => dashboards)) continue;
    for (const chartId of await chartsOn(session, one.id)) {
      if (known.has(chartId)) shown.set(chartId, [...(shown.get(chartId) ?? []), one.id]);
    }
  }
  for (const one of charts) yield describeChart(one, base, shown.get(one.id)?.[0]);
  // An import plans its resources before it takes lineage.
  const reading: DatasetReading = { names, note };
  for (const one of datasets.values()) yield* datasetEdges(reading, one);
  for (const one of charts) {
    for (const other of shown.get(one.id)?.slice(1) ?? []) {
      yield edge(byKey(`chart:${one.id}`), byKey(`dashboard:${other}`));
    }
    const read = one.datasource_type === 'table' ? datasets.get(one.datasource_id ?? -1) : null;
    if (read) yield* chartEdges(one.id, one.params ?? '', read);
  }
}

/** How the databases are called that the login sees. */
async function databaseNames(session: DashboardSession): Promise<Map<number, DatabaseNames>> {
  const found = new Map<number, DatabaseNames>();
  const seen = z.object({ id });
  for await (const { id: own } of listed(session, 'database', 'database_name', seen)) {
    const read = await session.find(`database/${own}`, of(database));
    if (read) found.set(own, namesOf(read.result.backend ?? '', read.result.sqlalchemy_uri));
  }
  return found;
}

/** The dashboards that each chart is shown on, in the order of their ids. */
function placesOf(charts: readonly Chart[]): Map<number, number[]> {
  return new Map(
    charts.map(({ id: own, dashboards }) => [
      own,
      (dashboards ?? []).map((one) => one.id).sort((a, b) => a - b),
    ]),
  );
}

async function chartsOn(session: DashboardSession, dashboardId: number): Promise<number[]> {
  const found = await session.find(`dashboard/${dashboardId}/charts`, of(shownCharts));
  return (found?.result ?? []).flatMap((one) => one.id ?? one.form_data?.slice_id ?? []);
}

function* describeDataset(one: SupersetDataset, base: string): Generator<Extracted> {
  const { id: own, database: place, schema } = one;
  const title = [place.database_name ?? String(place.id), ...(schema ? [schema] : [])].join('.');
  const holder = `schema:${place.id}:${schema ?? ''}`;
  yield resource({ kind: 'schema', key: holder, parentKey: 'superset', title });
  const key = `dataset:${own}`;
  yield resource({
    ...{ kind: 'table', key, parentKey: holder, title: one.table_name },
    ...{ database: 'Superset', schema: title, description: one.description ?? '' },
    ...{ nativeType: one.sql ? 'virtual dataset' : 'dataset' },
    url: `${base}/explore/?datasource_type=table&datasource_id=${own}`,
    ...{ owners: ownersIn(one), externalUpdatedAt: momentOf(one.changed_on) },
    metadata: {
      ...(one.sql ? { sql: one.sql.slice(0, 100_000) } : {}),
      ...(one.metrics.length > 0
        ? { metrics: one.metrics.map((metric) => [metric.metric_name, metric.expression ?? '']) }
        : {}),
    },
  });
  for (const [at, column] of one.columns.entries()) {
    yield resource({
      ...{ kind: 'column', key: `${key}:${column.column_name}`, parentKey: key },
      ...{ title: column.column_name, type: column.type ?? '', sortOrder: at + 1 },
      description: column.description ?? '',
    });
  }
}

function describeDashboard(one: z.infer<typeof dashboard>, base: string): Extracted {
  return resource({
    ...{ kind: 'dashboard', key: `dashboard:${one.id}` },
    ...{ title: one.dashboard_title || `Dashboard ${one.id}`, description: one.description ?? '' },
    ...{ url: `${base}/superset/dashboard/${one.id}/`, owners: ownersIn(one) },
    externalUpdatedAt: momentOf(one.changed_on_utc),
    metadata: { ...(one.status ? { status: one.status } : {}), ...certified(one) },
  });
}

function describeChart(one: Chart, base: string, on: number | undefined): Extracted {
  return resource({
    ...{ kind: 'chart', key: `chart:${one.id}` },
    ...(on === undefined ? {} : { parentKey: `dashboard:${on}` }),
    ...{ title: one.slice_name || `Chart ${one.id}`, description: one.description ?? '' },
    ...{ url: `${base}/explore/?slice_id=${one.id}`, nativeType: one.viz_type ?? 'chart' },
    ...{ owners: ownersIn(one), externalUpdatedAt: momentOf(one.changed_on_utc) },
    metadata: certified(one),
  });
}

const certified = ({ certified_by: by }: { certified_by?: string | null | undefined }) =>
  by ? { certified_by: by } : {};

/** Owners by their addresses where Superset says them, else by their names. */
function ownersIn({ owners, editors }: Pick<SupersetDataset, 'owners' | 'editors'>): string[] {
  return ownersOf(
    [...(owners ?? []), ...(editors ?? [])].map((one) => ({
      email: one.email,
      name: one.label ?? [one.first_name, one.last_name].filter(Boolean).join(' '),
    })),
  );
}
