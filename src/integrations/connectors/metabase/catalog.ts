// Reads what Metabase holds: collections, dashboards, questions, and from where their data comes.

import { z } from 'zod';
import { traceSql } from '../../../lineage/queries/trace-sql.ts';
import type { Extracted, Extraction, Reference } from '../../readers/extraction.ts';
import { byKey, type DashboardSession, edge, momentOf, resource } from '../dashboards.ts';
import { type QuestionReads, readsOf } from './question-reads.ts';

const id = z.number();
const card = z.object({
  id,
  name: z.string().nullish(),
  description: z.string().nullish(),
  archived: z.boolean().nullish(),
  type: z.string().nullish(),
  dataset: z.boolean().nullish(),
  display: z.string().nullish(),
  database_id: id.nullish(),
  collection_id: id.nullish(),
  dataset_query: z.unknown(),
  view_count: z.number().nullish(),
  updated_at: z.string().nullish(),
});
type Card = z.infer<typeof card>;

const database = z.object({
  id,
  engine: z.string().nullish(),
  details: z.record(z.string(), z.unknown()).nullish(),
});
const databases = z.union([z.array(database), z.object({ data: z.array(database) })]);
const collection = z.object({
  id: z.union([id, z.string()]),
  name: z.string().nullish(),
  description: z.string().nullish(),
  archived: z.boolean().nullish(),
  personal_owner_id: id.nullish(),
});
const items = z.object({ data: z.array(z.object({ id })), total: z.number().nullish() });
const dashcard = z.object({
  card_id: id.nullish(),
  series: z.array(z.object({ id })).nullish(),
});
const dashboard = z.object({
  id,
  name: z.string().nullish(),
  description: z.string().nullish(),
  archived: z.boolean().nullish(),
  updated_at: z.string().nullish(),
  view_count: z.number().nullish(),
  dashcards: z.array(dashcard).nullish(),
  ordered_cards: z.array(dashcard).nullish(),
});
const tableMetadata = z.object({
  db_id: id.nullish(),
  name: z.string(),
  schema: z.string().nullish(),
  fields: z.array(z.object({ id, name: z.string() })).nullish(),
});
const fieldMetadata = z.object({ table_id: id });

const pageItems = 100;
const maxSql = 100_000;

/** How the databases of Metabase are called here. */
interface Known {
  readonly engine: string;
  readonly name: string | undefined;
}

interface Around {
  readonly session: DashboardSession;
  /** The address that people open. */
  readonly url: string;
  readonly databases: ReadonlyMap<number, Known>;
  readonly tables: Map<number, z.infer<typeof tableMetadata> | null>;
  readonly fieldTables: Map<number, number | null>;
  note(line: string): void;
}

/** All that the login may see, but personal collections and what is archived. */
export async function* extractMetabase(
  session: DashboardSession,
  url: string,
  note: (line: string) => void,
): Extraction {
  const all = await session.get('database', databases);
  const around: Around = {
    ...{ session, url: url.replace(/\/+$/, ''), note, tables: new Map(), fieldTables: new Map() },
    databases: new Map((Array.isArray(all) ? all : all.data).map((one) => [one.id, knownBy(one)])),
  };
  const cards = new Map(
    (await session.get('card?f=all', z.array(card)))
      .filter(({ archived }) => !archived)
      .sort((a, b) => a.id - b.id)
      .map((one) => [one.id, one]),
  );
  const collections = (await session.get('collection', z.array(collection))).filter(
    ({ archived, personal_owner_id: owner }) => !archived && owner == null,
  );
  const open = new Set(collections.map((one) => String(one.id)));
  const shown: Shown = { placed: new Map(), others: [] };
  for (const one of collections) {
    yield groupOf(one);
    yield* extractDashboards(around, one.id, cards, shown);
  }
  const charts = [...cards.values()].filter(
    (one) => open.has(String(one.collection_id ?? 'root')) || shown.placed.has(one.id),
  );
  for (const one of charts) yield chartOf(around, one, shown.placed.get(one.id));
  // An import plans its resources before it takes lineage.
  for (const [cardId, dashboard] of shown.others)
    yield edge(byKey(`card:${cardId}`), byKey(dashboard));
  const known = new Set(charts.map((one) => one.id));
  for (const one of charts) yield* lineageOf(around, one, known);
}

function knownBy({ engine, details }: z.infer<typeof database>): Known {
  const names = ['dbname', 'db', 'project-id', 'catalog'].map((key) => details?.[key]);
  const name = names.find((one) => typeof one === 'string' && one !== '');
  return {
    engine: dialects[engine ?? ''] ?? engine ?? '',
    name: typeof name === 'string' ? name : undefined,
  };
}

/** Engines that Metabase calls otherwise. */
const dialects: Readonly<Record<string, string>> = {
  'bigquery-cloud-sdk': 'bigquery',
  presto: 'trino',
  'presto-jdbc': 'trino',
  starburst: 'trino',
  sparksql: 'databricks',
};

function groupOf({ id: own, name, description }: z.infer<typeof collection>): Extracted {
  return resource({
    ...{ kind: 'dashboard_group', key: `collection:${own}`, title: name ?? String(own) },
    description: description ?? '',
  });
}

/** Where questions are shown: the dashboard that each lies on, and the others, to which its data flows. */
interface Shown {
  readonly placed: Map<number, string>;
  readonly others: [card: number, dashboard: string][];
}

async function* extractDashboards(
  { session, url, note }: Around,
  collectionId: number | string,
  cards: ReadonlyMap<number, Card>,
  { placed, others }: Shown,
): Extraction {
  for (let offset = 0; ; ) {
    const path = `collection/${collectionId}/items?models=dashboard&limit=${pageItems}&offset=${offset}`;
    const page = await session.find(path, items);
    for (const { id: own } of page?.data ?? []) {
      const found = await session.find(`dashboard/${own}`, dashboard);
      if (!found) note(`The dashboard ${own} cannot be read by this login.`);
      if (!found || found.archived) continue;
      const key = `dashboard:${own}`;
      yield resource({
        ...{ kind: 'dashboard', key, parentKey: `collection:${collectionId}` },
        ...{ title: found.name ?? String(own), description: found.description ?? '' },
        ...{ url: `${url}/dashboard/${own}`, externalUsage: found.view_count ?? undefined },
        externalUpdatedAt: momentOf(found.updated_at),
      });
      for (const shown of found.dashcards ?? found.ordered_cards ?? []) {
        for (const cardId of [shown.card_id, ...(shown.series ?? []).map((one) => one.id)]) {
          if (cardId == null || !cards.has(cardId)) continue;
          // A chart lies on the first dashboard that shows it; to the others its data flows.
          if (!placed.has(cardId)) placed.set(cardId, key);
          else if (placed.get(cardId) !== key) others.push([cardId, key]);
        }
      }
    }
    offset += pageItems;
    if (!page || page.data.length === 0 || offset >= (page.total ?? 0)) return;
  }
}

function chartOf({ url }: Around, one: Card, parentKey: string | undefined): Extracted {
  const isModel = one.type === 'model' || one.dataset === true;
  return resource({
    ...{ kind: 'chart', key: `card:${one.id}`, ...(parentKey ? { parentKey } : {}) },
    ...{ title: one.name ?? String(one.id), description: one.description ?? '' },
    ...{ url: `${url}/question/${one.id}`, externalUsage: one.view_count ?? undefined },
    ...{
      externalUpdatedAt: momentOf(one.updated_at),
      nativeType: isModel ? 'model' : (one.display ?? 'question'),
    },
  });
}

async function* lineageOf(around: Around, one: Card, cards: ReadonlySet<number>): Extraction {
  const reads = readsOf(one.dataset_query);
  const to = byKey(`card:${one.id}`);
  for (const source of reads.cards) {
    if (source !== one.id && cards.has(source)) yield edge(byKey(`card:${source}`), to);
  }
  yield* fieldEdges(around, reads, to);
  if (reads.sql !== null) yield* sqlEdges(around, one, reads.sql, to);
}

async function* fieldEdges(around: Around, reads: QuestionReads, to: Reference): Extraction {
  const tables = new Set(reads.tables);
  for (const field of reads.fields) {
    const table = await tableOfField(around, field, tables);
    if (table !== null) tables.add(table);
  }
  for (const tableId of tables) {
    const table = await tableOf(around, tableId);
    if (!table) continue;
    const { name } = around.databases.get(table.db_id ?? -1) ?? {};
    const place = {
      by: 'name' as const,
      database: name,
      schema: table.schema || undefined,
      table: table.name,
    };
    yield edge(place, to);
    for (const { id: field, name: column } of table.fields ?? []) {
      if (reads.fields.has(field)) yield edge({ ...place, column }, to);
    }
  }
}

async function tableOf({ session, tables }: Around, tableId: number) {
  const known = tables.get(tableId);
  if (known !== undefined) return known;
  const found = await session.find(`table/${tableId}/query_metadata`, tableMetadata);
  tables.set(tableId, found);
  return found;
}

/** The table of a field: one that is named anyway, or the one that Metabase says. */
async function tableOfField(around: Around, field: number, tables: ReadonlySet<number>) {
  const known = around.fieldTables.get(field);
  if (known !== undefined) return known;
  for (const tableId of tables) {
    const table = await tableOf(around, tableId);
    if (table?.fields?.some(({ id: own }) => own === field)) {
      around.fieldTables.set(field, tableId);
      return tableId;
    }
  }
  const found = await around.session.find(`field/${field}`, fieldMetadata);
  around.fieldTables.set(field, found?.table_id ?? null);
  return found?.table_id ?? null;
}

async function* sqlEdges(around: Around, one: Card, sql: string, to: Reference): Extraction {
  const { engine = '', name } = around.databases.get(one.database_id ?? -1) ?? {};
  const unread = `The SQL of the question ${one.id} cannot be read.`;
  if (sql.length > maxSql) return around.note(unread);
  const traced = await traceSql({ sql, dialect: engine, defaultDatabase: name }).catch(() => null);
  if (!traced || traced.errors.length > 0) around.note(unread);
  const met = new Set<string>();
  for (const { sources, outputs } of traced?.statements ?? []) {
    const columns = outputs.flatMap((output) => output.sources);
    const named = [
      ...sources.map(({ path }) => ({ path, column: undefined })),
      ...columns.map(({ table, column }) => ({ path: table.path, column })),
    ];
    for (const { path, column } of named) {
      const [table = '', schema, database] = path.toReversed();
      const key = JSON.stringify([path, column]);
      if (table === '' || column === '*' || met.has(key)) continue;
      met.add(key);
      yield edge({ by: 'name', database, schema, table, column }, to);
    }
  }
}
