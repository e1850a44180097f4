// What integrations and people do to a catalog, a step each: uploads, syncs of a real file, deletions, edits.

import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDuckDbConnector } from '../../../../src/integrations/connectors/duckdb/duckdb.ts';
import { deleteIntegration } from '../../../../src/integrations/delete-integration.ts';
import { updateIntegration } from '../../../../src/integrations/integration.ts';
import { readSource } from '../../../../src/integrations/syncs/live-sync.ts';
import { updateResource } from '../../../../src/resources/editing/edit.ts';
import type { Catalog } from '../../../catalog.ts';
import { loopback } from '../../connectors/read-source.ts';
import { schemaOf } from '../bakery.ts';
import { feedCsv, feedJsonl, feedProject } from '../feed.ts';

/** Where steps are done: a catalog, its integrations by the names of a scenario, and a folder of warehouses. */
export interface Place {
  readonly catalog: Catalog;
  readonly ids: ReadonlyMap<string, string>;
}

/**
 * The integrations of a scenario by their names, made a second apart: of equals the one made first counts, and of two that are made in
 * one millisecond chance would say which that is.
 */
export async function makeIntegrations(
  catalog: Catalog,
  wanted: readonly { readonly name: string; readonly type: string }[],
): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (const { name, type } of wanted)
    ids.set(name, (await catalog.integration({ name, type })).id);
  await catalog.owner.query(
    `update integration i set created_at = timestamptz '2026-01-01' + w.place * interval '1 second'
      from unnest($2::uuid[]) with ordinality w(id, place) where i.workspace_id = $1 and i.id = w.id`,
    [catalog.workspaceId, [...ids.values()]],
  );
  return ids;
}

/** Something that one integration does. */
export type Step = (place: Place, id: string) => Promise<unknown>;

/** A table as a manifest names it. */
export interface Named {
  readonly name: string;
  readonly schema?: string;
  readonly database?: string | null;
  readonly description?: string;
  readonly from?: readonly string[];
}

const fieldsOf = ({ name, schema = 'core', database = 'wh', description = '' }: Named) => ({
  ...{ name, schema, database, description },
  package_name: 'p',
  original_file_path: `models/${name}.sql`,
});

interface Parts {
  readonly models?: readonly Named[];
  readonly sources?: readonly Named[];
  readonly adapter?: string;
}

/** The manifest of a project. */
function manifestOf(name: string, { models = [], sources = [], adapter = 'duckdb' }: Parts) {
  const columns = {
    id: { name: 'id', description: `Id, says ${name}`, data_type: 'bigint', tags: [], meta: {} },
  };
  return {
    metadata: {
      dbt_schema_version: schemaOf('manifest', 12),
      generated_at: '2026-03-01T06:00:00.000000Z',
      ...{ invocation_id: name, project_name: name, adapter_type: adapter },
    },
    nodes: Object.fromEntries(
      models.map((one) => [
        `model.${name}.${one.name}`,
        {
          ...fieldsOf(one),
          ...{ resource_type: 'model', alias: one.name, columns },
          config: { materialized: 'table', tags: [`${name}-tag`] },
          compiled_code: `select id from ${name}`,
          depends_on: { macros: [], nodes: one.from ?? [] },
        },
      ]),
    ),
    sources: Object.fromEntries(
      sources.map((one) => [
        `source.${name}.s.${one.name}`,
        {
          ...fieldsOf(one),
          ...{ resource_type: 'source', source_name: 's', identifier: one.name, columns },
        },
      ]),
    ),
    ...{ exposures: {}, metrics: {}, semantic_models: {}, groups: {} },
  };
}

const forced = { force: true };

/** A project uploads its manifest. */
export const project =
  (name: string, parts: Parts): Step =>
  ({ catalog }, id) =>
    feedProject(catalog, { id }, { manifest: manifestOf(name, parts) }, forced);

/** Tables arrive as CSV, each `database.schema.name`. */
export const csv =
  (...tables: readonly string[]): Step =>
  ({ catalog }, id) =>
    feedCsv(
      catalog,
      { id },
      ['database,schema,name,description,col_name,col_type']
        .concat(tables.map((path) => `${path.split('.').join(',')},By CSV,id,NUMBER`))
        .join('\n'),
      forced,
    );

/** Tables arrive as JSONL, each `database.schema.name`, or with a key of its own before an equals sign. */
export const jsonl =
  (...tables: readonly string[]): Step =>
  ({ catalog }, id) =>
    feedJsonl(
      catalog,
      { id },
      {
        resources: tables.map((table) => {
          const [key, path = key] = table.split('=');
          const [database, schema, title] = (path ?? '').split('.');
          return {
            ...{ entity_type: 'table', databuilder_id: `j:${key}`, title, database, schema },
            ...{ description: 'By JSONL', tags: ['jsonl-tag'] },
          };
        }),
      },
      forced,
    );

/** The integration and all that only it describes goes. */
export const deleted: Step = ({ catalog }, id) => deleteIntegration(catalog.admin, id);

/** A person writes about a table. */
export const write =
  (path: string): Step =>
  async ({ catalog }) => {
    const found = await catalog.database.prisma.resource.findMany({
      where: { workspaceId: catalog.workspaceId, kind: 'table', titleFull: path, archived: false },
      orderBy: [{ stale: 'asc' }, { createdAt: 'asc' }],
    });
    const [one] = found;
    if (!one) throw new Error(`No one can write about ${path}: it is not there.`);
    await updateResource(catalog.admin, one.id, { definition: 'Written by a person' });
  };

/** Warehouses in files, and what syncs read of them. */
export interface Warehouses extends AsyncDisposable {
  /** The integration reads the warehouse as it is in a version, under its path or another one. */
  sync(version: string, path?: string): Step;
}

/** Make files of DuckDB, one for each version of one warehouse, by the statements that fill it. */
export async function makeWarehouses(
  versions: Readonly<Record<string, readonly string[]>>,
): Promise<Warehouses> {
  const duckdb = await import('@duckdb/node-api');
  const folder = await mkdtemp(join(tmpdir(), 'warehouses-'));
  for (const [version, statements] of Object.entries(versions)) {
    await mkdir(join(folder, version));
    const instance = await duckdb.DuckDBInstance.create(join(folder, version, 'wh.duckdb'));
    const connection = await instance.connect();
    for (const statement of [...statements, 'checkpoint']) await connection.run(statement);
    connection.closeSync();
    instance.closeSync();
  }
  return {
    sync:
      // It is one file that changes: its address stays, unless a path is said.
        (version, path = 'wh.duckdb') =>
        async ({ catalog }, id) => {
          const ctx = catalog.admin;
          const credentials = { path };
          const integration = await updateIntegration(ctx, id, { credentials });
          const connector = openDuckDbConnector(
            { id: `${folder}/${version}`, reach: { ...loopback, filesDir: folder } },
            { path: `${version}/wh.duckdb` },
          );
          const run = { ctx, log: () => {}, progress: () => {}, complete: async () => {} };
          try {
            await readSource(run, integration, connector, true);
          } finally {
            await connector.close();
          }
        },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}
