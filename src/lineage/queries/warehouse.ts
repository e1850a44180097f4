// The tables and columns that SQL names: found in the catalog, with what is shown of them.

import { visibleResources } from '../../auth/permission.ts';
import type { Context } from '../../context.ts';
import { rows } from '../../database/rows.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { columnsBelow } from '../../resources/lists/nesting.ts';
import type { KnownField, KnownTable, Lookup } from '../sql/answer.ts';

/** A table or column of the catalog, as much of it as lineage shows. */
export interface LineageResource {
  readonly id: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly title: string;
  readonly kind: string;
  readonly type: string | null;
  readonly nativeType: string | null;
  readonly cluster: string | null;
  readonly databaseName: string | null;
  readonly schemaName: string | null;
  readonly parentId: string | null;
  readonly integrationId: string | null;
  readonly integrationTitle: string | null;
  readonly integrationType: string | null;
  /** Where it lies. */
  readonly address: string | null;
}

/** What a lookup found, to be asked when the engine has decided what is meant. */
export interface Warehouse {
  readonly lookup: Lookup;
  table(id: string | null): LineageResource | null;
  /**
   * The column of a table, by its exact name first, else without regard to case, and the columns within
   * it that a path of fields leads through, as far as the catalog has them.
   */
  along(tableId: string | null, column: string, fields?: readonly string[]): LineageResource[];
  /** The ids of the columns that lie in a column, also within others. */
  within(columnId: string): string[];
}

/** So many tables of one name are looked at, those of the preferred integration first. */
const maxTables = 2_000;
const maxColumns = 500_000;

const columns = Prisma.sql`r.id, r.created_at as "createdAt", r.updated_at as "updatedAt", r.title,
  r.kind, r.type, r.native_type as "nativeType", r.cluster, r.database_name as "databaseName",
  r.schema_name as "schemaName", r.parent_id as "parentId", r.integration_id as "integrationId",
  i.name as "integrationTitle", i.type as "integrationType", r.address`;
const source = Prisma.sql`resource r left join integration i
  on i.workspace_id = r.workspace_id and i.id = r.integration_id`;

/**
 * Look tables up for the SQL engine, as far as the viewer may see them. Of several that fit, those that
 * flow into `target` already are preferred, then those of its integration; it is always known itself.
 */
export function openWarehouse(ctx: Context, target: LineageResource | null): Warehouse {
  const tables = new Map<string, LineageResource>();
  /** The columns of each table and of each nested column, by its id. */
  const byParent = new Map<string, Map<string, LineageResource>>();
  /** The first column of each name, whatever its case. */
  const anyCase = new Map<string, Map<string, LineageResource>>();
  const learn = async (found: readonly LineageResource[]) => {
    const fresh = found.filter(({ id }) => !tables.has(id));
    for (const table of fresh) tables.set(table.id, table);
    for (const column of await columnsOf(ctx, fresh)) {
      const parent = column.parentId ?? '';
      const exact = byParent.get(parent) ?? new Map();
      byParent.set(parent, exact.set(column.title, column));
      const folded = anyCase.get(parent) ?? new Map();
      const name = column.title.toLowerCase();
      anyCase.set(parent, folded.has(name) ? folded : folded.set(name, column));
    }
  };
  const named = (parentId: string, name: string): LineageResource | null => {
    const exact = byParent.get(parentId)?.get(name);
    return exact ?? anyCase.get(parentId)?.get(name.toLowerCase()) ?? null;
  };
  return {
    async lookup(names) {
      const found = await tablesNamed(ctx, names, target);
      await learn(target ? [target, ...found] : found);
      const all = [...tables.values()];
      const favourites = target ? await favouritesOf(ctx, target, all) : new Set();
      return all.map((table) => known(table, byParent, favourites.has(table.id)));
    },
    table: (id) => (id === null ? null : (tables.get(id) ?? null)),
    along(tableId, column, fields = []) {
      const found: LineageResource[] = [];
      let parentId = tableId;
      for (const name of [column, ...fields]) {
        const next = parentId === null ? null : named(parentId, name);
        if (!next) break;
        found.push(next);
        parentId = next.id;
      }
      return found;
    },
    within: (columnId) => idsWithin(columnId, byParent),
  };
}

type ByParent = ReadonlyMap<string, ReadonlyMap<string, LineageResource>>;

function idsWithin(parentId: string, columns: ByParent): string[] {
  const fields = [...(columns.get(parentId)?.values() ?? [])];
  return fields.flatMap(({ id }) => [id, ...idsWithin(id, columns)]);
}

function known(table: LineageResource, columns: ByParent, preferred: boolean): KnownTable {
  const { cluster, databaseName, schemaName, title } = table;
  const list = [...(columns.get(table.id)?.values() ?? [])];
  return {
    id: table.id,
    path: [cluster, databaseName, schemaName, title].filter((part) => part !== null),
    columns: list.map((column) => column.title),
    types: list.map((column) => column.type),
    fields: list.map((column) => fieldsOf(column, columns)),
    preferred,
  };
}

function fieldsOf({ id }: LineageResource, columns: ByParent): KnownField[] | null {
  const fields = columns.get(id);
  if (!fields) return null;
  return [...fields.values()].map((field) => ({
    name: field.title,
    fields: fieldsOf(field, columns),
  }));
}

/**
 * The tables that are meant where several have one name: those that flow into the target already, as
 * a project's own dependencies say; else those that lie where the target lies.
 */
async function favouritesOf(
  ctx: Context,
  target: LineageResource,
  tables: readonly LineageResource[],
): Promise<Set<string>> {
  const upstream = await rows<{ id: string }>(
    ctx,
    Prisma.sql`select e.source_id as id from lineage_edge e
      where e.workspace_id = ${ctx.workspaceId}::uuid and e.target_id = ${target.id}::uuid
        and e.valid_to is null and e.source_id = any(${tables.map(({ id }) => id)}::uuid[])`,
  );
  const flowing = new Set(upstream.map(({ id }) => id));
  const nameOf = (table: LineageResource) =>
    JSON.stringify([
      table.cluster,
      table.databaseName,
      table.schemaName,
      table.title,
    ]).toLowerCase();
  const decided = new Set(tables.filter(({ id }) => flowing.has(id)).map(nameOf));
  const favourites = tables.filter(
    (table) => flowing.has(table.id) || (isBeside(table, target) && !decided.has(nameOf(table))),
  );
  return new Set(favourites.map(({ id }) => id));
}

/** Whether a name of the one in the SQL of the other means it: they lie in one source. */
function isBeside(table: LineageResource, target: LineageResource): boolean {
  if (table.address === null) return table.integrationId === target.integrationId;
  return table.address === target.address;
}

const indexedTitle = Prisma.sql`left(lower(r.title), 256) collate "C"`;

async function tablesNamed(
  ctx: Context,
  names: readonly (readonly string[])[],
  target: LineageResource | null,
): Promise<LineageResource[]> {
  // As long as the index on titles holds them.
  const titles = names.map((path) => path.at(-1)?.toLowerCase().slice(0, 256) ?? '');
  const schemas = names.map((path) => path.at(-2)?.toLowerCase() ?? null);
  return rows<LineageResource>(
    ctx,
    Prisma.sql`select ${columns} from ${source}
      where r.workspace_id = ${ctx.workspaceId}::uuid and r.kind = 'table' and not r.archived
        and ${indexedTitle} = any(${titles}::text[]) and ${visibleResources(ctx)}
        and exists (select from unnest(${titles}::text[], ${schemas}::text[]) n(title, schema_name)
          where n.title = ${indexedTitle} and (n.schema_name is null or r.schema_name is null
            or n.schema_name = lower(r.schema_name)))
      order by (r.address is not distinct from ${target?.address ?? null}) desc,
        (r.integration_id is not distinct from ${target?.integrationId ?? null}::uuid) desc,
        r.stale, r.id
      limit ${maxTables}`,
  );
}

/** The columns of tables, those within columns included. */
async function columnsOf(
  ctx: Context,
  tables: readonly LineageResource[],
): Promise<LineageResource[]> {
  if (tables.length === 0) return [];
  const ids = Prisma.sql`select unnest(${tables.map(({ id }) => id)}::uuid[])`;
  return rows<LineageResource>(
    ctx,
    Prisma.sql`with recursive ${columnsBelow(ctx, ids, { where: Prisma.sql`not r.archived` })}
      select ${columns} from below b join (${source}) on r.workspace_id = ${ctx.workspaceId}::uuid
        and r.id = b.id
      where b.hops > 0 and ${visibleResources(ctx)}
      order by r.parent_id, r.sort_order nulls last, r.created_at, r.id
      limit ${maxColumns}`,
  );
}

/** The summary of a table that the viewer may see, or null. */
export async function tableSummary(ctx: Context, id: string): Promise<LineageResource | null> {
  const [table] = await rows<LineageResource>(
    ctx,
    Prisma.sql`select ${columns} from ${source}
      where r.workspace_id = ${ctx.workspaceId}::uuid and r.id = ${id}::uuid
        and r.kind = 'table' and not r.archived and ${visibleResources(ctx)}`,
  );
  return table ?? null;
}
