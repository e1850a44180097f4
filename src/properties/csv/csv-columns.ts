// The columns that a list of resources has as CSV: what each shows, and what it changes when it comes back.

import { visibleResources } from '../../auth/permission.ts';
import type { Context } from '../../context.ts';
import { rows } from '../../database/rows.ts';
import { invalidField } from '../../errors.ts';
import { type CustomProperty, Prisma } from '../../generated/prisma/client.ts';
import { listProperties } from '../property.ts';

/** Columns that say which resource a line is about, and change nothing. */
export const fixedColumns = ['id', 'version', 'kind', 'title_full'] as const;

/** Columns of what people may change. */
export const ownColumns = [
  ...(['title', 'description', 'definition', 'url', 'verified', 'pii', 'published'] as const),
  ...(['owners', 'tags', 'teams'] as const),
  // As the lines of an import call them.
  ...(['synonyms', 'term_status', 'related_terms', 'deprecated', 'deprecation_note'] as const),
] as const;

export type FixedColumn = (typeof fixedColumns)[number];
export type OwnColumn = (typeof ownColumns)[number];

/** A column of one file. */
export type CsvColumn =
  | { readonly name: string; readonly fixed: FixedColumn }
  | { readonly name: string; readonly own: OwnColumn }
  | { readonly name: string; readonly property: CustomProperty };

const prefix = 'property:';

/** All columns of a workspace: a custom property has one called `property:` and its name, or its id where several share that. */
export async function allColumns(ctx: Context): Promise<CsvColumn[]> {
  const { nodes } = await listProperties(ctx, { first: 1_000 });
  const named = nodes.map(({ name }) => name);
  const isShared = (name: string) => named.indexOf(name) !== named.lastIndexOf(name);
  return [
    ...fixedColumns.map((fixed) => ({ name: fixed, fixed })),
    ...ownColumns.map((own) => ({ name: own, own })),
    ...nodes.map((property) => ({
      name: prefix + (isShared(property.name) ? property.id : property.name),
      property,
    })),
  ];
}

/** What a file has where nothing is said: no whole documentation. */
export function isUsual(column: CsvColumn): boolean {
  return !('own' in column && (column.own === 'definition' || column.own === 'url'));
}

/**
 * The columns of some names, `id` first. Throws BAD_REQUEST that names those that there are not, and lists those that
 * there are.
 */
export function columnsNamed(
  all: readonly CsvColumn[],
  names: readonly string[],
  field: string,
): CsvColumn[] {
  const known = new Map(all.map((column) => [column.name, column]));
  for (const column of all) {
    if ('property' in column) known.set(prefix + column.property.id, column);
  }
  const unknown = names.filter((name) => !known.has(name));
  if (unknown.length > 0) {
    const shown = unknown.slice(0, 10).map((name) => JSON.stringify(name.slice(0, 60)));
    const there = all.map(({ name }) => name).slice(0, 60);
    throw invalidField(
      field,
      `There is no column ${shown.join(', ')}. There are ${there.join(', ')}.`,
    );
  }
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw invalidField(field, `The column ${twice} is there twice.`);
  return names.flatMap((name) => known.get(name) ?? []);
}

/** What lines name, and its ids: addresses of people, names of tags and teams, full names of glossary terms. */
export interface NamedIds {
  readonly owners: ReadonlyMap<string, string>;
  readonly tags: ReadonlyMap<string, string>;
  readonly teams: ReadonlyMap<string, string>;
  readonly related_terms: ReadonlyMap<string, string>;
}

/** The ids of what some names mean, in lower case: those of users by their addresses. */
export async function idsNamed(
  ctx: Context,
  names: Readonly<Record<keyof NamedIds, readonly string[]>>,
): Promise<NamedIds> {
  const find = async (table: Prisma.Sql, name: Prisma.Sql, wanted: readonly string[]) => {
    const lower = wanted.map((one) => one.toLowerCase());
    if (lower.length === 0) return new Map<string, string>();
    const found = await rows<{ id: string; name: string }>(
      ctx,
      Prisma.sql`select x.id, lower(${name}) as name from ${table} x
        where x.workspace_id = ${ctx.workspaceId}::uuid and lower(${name}) = any(${lower}::text[])
        order by x.id`,
    );
    return new Map(found.map((one) => [one.name, one.id]));
  };
  return {
    owners: await find(Prisma.sql`user_account`, Prisma.sql`x.email`, names.owners),
    tags: await find(Prisma.sql`tag`, Prisma.sql`x.name`, names.tags),
    teams: await find(
      Prisma.sql`(select * from team where not archived)`,
      Prisma.sql`x.name`,
      names.teams,
    ),
    // A name that several terms have means none of them.
    related_terms: await find(
      Prisma.sql`(select r.workspace_id, min(r.id::text) as id, lower(r.title_full) as name from resource r
        where r.workspace_id = ${ctx.workspaceId}::uuid and r.kind = 'glossary' and not r.archived
          and ${visibleResources(ctx)} group by 1, 3 having count(*) = 1)`,
      Prisma.sql`x.name`,
      names.related_terms,
    ),
  };
}
