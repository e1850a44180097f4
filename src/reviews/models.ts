// The two sides of a review: the models that the catalog knows, and those of a manifest.

import type { Context } from '../context.ts';
import { rows } from '../database/rows.ts';
import { CatalogError } from '../errors.ts';
import { Prisma } from '../generated/prisma/client.ts';
import type { ExtractedResource, Extraction } from '../integrations/readers/extraction.ts';
import { traceSql } from '../lineage/queries/trace-sql.ts';
import { isAnyRead, placedReason } from '../lineage/queries/unread.ts';
import { openWarehouse } from '../lineage/queries/warehouse.ts';
import type { OutputColumn, SqlLineage } from '../lineage/sql/answer.ts';
import { findDialect } from '../lineage/sql/dialect.ts';
import type { Model, ModelColumn } from './compare.ts';

/** A model in the catalog, with the ids of its columns by lower-cased name. */
export interface KnownModel {
  readonly id: string;
  readonly name: string;
  readonly nativeType: string | null;
  readonly sql: string | null;
  readonly columnIds: ReadonlyMap<string, string>;
  readonly columns: ReadonlyMap<string, ModelColumn>;
}

/** Both sides by lower-cased name, and what could not be determined about them. */
export interface Sides {
  readonly before: ReadonlyMap<string, Model>;
  readonly after: ReadonlyMap<string, Model>;
  readonly unknown: readonly string[];
}

interface KnownRow {
  readonly id: string;
  readonly name: string;
  readonly nativeType: string | null;
  readonly sql: string | null;
  readonly columns: readonly { id: string; title: string; type: string | null }[] | null;
}

/**
 * What the project said of a resource: of a table that a warehouse brought, next to what that said. Its
 * types are compared with the project's own, for a warehouse has other words for them.
 */
const said = (of: 't' | 'c'): Prisma.Sql =>
  Prisma.raw(`coalesce(${of}.source_metadata -> 'transform', ${of}.source_metadata)`);

/** The tables that a project named at its last import, by lower-cased name. */
export async function knownModels(
  ctx: Context,
  integrationId: string,
): Promise<Map<string, KnownModel>> {
  const found = await rows<KnownRow>(
    ctx,
    Prisma.sql`select t.id, t.creation_query as sql,
        case when ${said('t')}->>'resource_type' = 'model'
          then coalesce(${said('t')}->>'materialized', 'model')
          else ${said('t')}->>'resource_type' end as "nativeType",
        concat_ws('.', t.database_name, t.schema_name, t.title) as name,
        (select json_agg(json_build_object('id', c.id, 'title', c.title,
              'type', case when c.integration_id = ${integrationId}::uuid then c.type
                else ${said('c')}->>'data_type' end)
            order by c.sort_order, c.title)
          from resource c where c.workspace_id = t.workspace_id and c.parent_id = t.id
            and c.kind = 'column' and not c.archived and not c.stale) as columns
      from resource t
      where t.workspace_id = ${ctx.workspaceId}::uuid and t.kind = 'table' and not t.archived
        and not t.stale and (t.integration_id = ${integrationId}::uuid
          or ${integrationId}::uuid = any(t.source_ids))
      order by (${said('t')}->>'resource_type' = 'model') nulls first, t.id`,
  );
  return new Map(
    found.map(({ columns, ...table }) => [
      table.name.toLowerCase(),
      {
        ...table,
        columnIds: new Map((columns ?? []).map(({ id, title }) => [title.toLowerCase(), id])),
        columns: new Map(
          (columns ?? []).map(({ title, type }) => [
            title.toLowerCase(),
            { name: title, type, made: null },
          ]),
        ),
      },
    ]),
  );
}

/** A table of the manifest, as far as it was read. */
interface Declared {
  readonly key: string;
  readonly table: ExtractedResource;
  readonly columns: Map<string, ModelColumn>;
}

/**
 * Read a manifest next to what is known. Where the SQL of a model differs, both texts are traced, so that
 * their columns can be compared by what makes them.
 */
export async function collectModels(
  ctx: Context,
  known: ReadonlyMap<string, KnownModel>,
  extraction: Extraction,
): Promise<Sides> {
  const declared = await readDeclared(extraction);
  const before = new Map<string, Model>();
  const after = new Map<string, Model>();
  const unknown: string[] = [];
  for (const [name, model] of known) before.set(name, { ...model, isComplete: true });
  for (const { table, columns } of declared) {
    const name = nameOf(table);
    const old = known.get(name.toLowerCase());
    const model: Model = {
      name,
      nativeType: table.nativeType ?? null,
      sql: table.creationQuery ?? null,
      columns,
      // A manifest names the columns that somebody documented: what it leaves out may be there.
      isComplete: false,
    };
    if (model.sql === null || model.sql === old?.sql) {
      after.set(name.toLowerCase(), model);
      continue;
    }
    const sides = await traced(ctx, table, model, old);
    after.set(name.toLowerCase(), sides.after);
    if (sides.before) before.set(name.toLowerCase(), sides.before);
    unknown.push(...sides.unknown);
  }
  return { before, after, unknown };
}

async function readDeclared(extraction: Extraction): Promise<Declared[]> {
  const tables = new Map<string, Declared>();
  for await (const piece of extraction) {
    if (piece.is !== 'resource') continue;
    const { resource } = piece;
    if (resource.kind === 'table' && resource.title && !tables.has(resource.key)) {
      tables.set(resource.key, { key: resource.key, table: resource, columns: new Map() });
    }
    if (resource.kind !== 'column' || !resource.title) continue;
    const { title, type = null } = resource;
    const column = { name: title, type, made: null };
    tables.get(resource.parentKey ?? '')?.columns.set(title.toLowerCase(), column);
  }
  return [...tables.values()];
}

function nameOf({ database, schema, title = '' }: ExtractedResource): string {
  return [database, schema, title].filter((part) => part).join('.');
}

/** The columns that the SQL of a model makes, and what of it cannot be read. */
interface Outputs {
  readonly outputs: readonly OutputColumn[] | null;
  readonly unread: readonly string[];
}

async function traced(
  ctx: Context,
  table: ExtractedResource,
  model: Model,
  old: KnownModel | undefined,
): Promise<{ before: Model | null; after: Model; unknown: string[] }> {
  const { outputs, unread } = await outputsOf(ctx, table, model.sql ?? '');
  const unknown = unread.map((reason) => `The SQL of ${model.name}: ${reason}`);
  if (outputs === null) return { before: null, after: model, unknown };
  const after = { ...model, columns: merged(outputs, model.columns), isComplete: isWhole(outputs) };
  const oldOutputs = old?.sql ? (await outputsOf(ctx, table, old.sql)).outputs : null;
  if (!old || oldOutputs === null) return { before: null, after, unknown };
  const before = { ...old, columns: merged(oldOutputs, old.columns), isComplete: true };
  return { before, after, unknown };
}

/** The columns that come out of a query: null where they cannot be determined, with why. */
async function outputsOf(
  ctx: Context,
  { database, schema, metadata }: ExtractedResource,
  sql: string,
): Promise<Outputs> {
  const said = typeof metadata?.dialect === 'string' ? metadata.dialect : '';
  try {
    const lineage = await traceSql(
      {
        sql,
        dialect: findDialect(said) ? said : 'postgres',
        defaultDatabase: database,
        defaultSchema: schema,
        expressions: true,
      },
      openWarehouse(ctx, null).lookup,
    );
    return made(lineage);
  } catch (error) {
    if (error instanceof CatalogError) return { outputs: null, unread: [error.message] };
    throw error;
  }
}

/** What the last statement that makes columns makes: unknown where one behind it cannot be read. */
function made(lineage: SqlLineage): Outputs {
  const { statements, errors } = lineage;
  const isSeveral = statements.length + errors.length > 1;
  const unread = errors.map((error) => placedReason(error, isSeveral));
  const last = statements.findLast(({ outputs }) => outputs.length > 0);
  const isHidden = errors.some(({ statement }) => statement > (last?.statement ?? 0));
  const isUnknown = isHidden || (errors.length > 0 && !isAnyRead(lineage));
  return { outputs: isUnknown ? null : (last?.outputs ?? []), unread };
}

function isWhole(outputs: readonly OutputColumn[]): boolean {
  return outputs.every(({ column }) => column !== '*');
}

/** What the SQL makes, with the types that are documented; documented columns that it lacks stay out. */
function merged(
  outputs: readonly OutputColumn[],
  documented: ReadonlyMap<string, ModelColumn>,
): Map<string, ModelColumn> {
  const columns = new Map(isWhole(outputs) ? [] : documented);
  for (const output of outputs) {
    const key = output.column.toLowerCase();
    const sources = output.sources.map(({ table, column }) => `${table.name}.${column}`).sort();
    const made = [output.expression ?? '', sources.join(', ')].filter(Boolean).join(' of ');
    columns.set(key, { name: output.column, type: documented.get(key)?.type ?? null, made });
  }
  columns.delete('*');
  return columns;
}
