// Resources as the lines of a CSV file.

import { knownUsers, visibleTeams } from '../../auth/permission.ts';
import type { Context } from '../../context.ts';
import { rows } from '../../database/rows.ts';
import { invalidField } from '../../errors.ts';
import { Prisma, type Resource } from '../../generated/prisma/client.ts';
import { listResources, type ResourceQuery } from '../../resources/resource.ts';
import { loadRelatedTerms } from '../../resources/terms/related-terms.ts';
import { maxAtOnce } from '../edit-many.ts';
import { seenValuesOf } from '../seen-values.ts';
import { cellOf, joined } from './csv-cell.ts';
import {
  allColumns,
  type CsvColumn,
  columnsNamed,
  isUsual,
  type OwnColumn,
} from './csv-columns.ts';

/** Lines that one file has at most. */
export const maxLines = 100_000;

const pageSize = 500;

/** Which resources, and which columns of them; the usual ones where none are named. */
export interface CsvQuery extends Pick<ResourceQuery, 'where' | 'filter' | 'kinds'> {
  readonly columns?: readonly string[] | null | undefined;
}

/**
 * The resources that the viewer may see as lines of CSV, by their full names, a header before them. Throws BAD_REQUEST for
 * a column that there is not, and for more than 100,000 resources.
 */
export async function linesOf(ctx: Context, asked: CsvQuery): Promise<AsyncGenerator<string>> {
  const all = await allColumns(ctx);
  const names = asked.columns;
  const columns = names?.length ? columnsNamed(all, names, 'columns') : all.filter(isUsual);
  const { where, filter, kinds } = asked;
  const query = { where, filter, kinds, orderBy: [{ titleFull: 'asc' }] };
  const first = await listResources(ctx, query, { first: pageSize });
  const matched = await first.count();
  if (matched > maxLines) {
    throw invalidField(
      filter == null ? 'where' : 'filter',
      `A file has ${maxLines.toLocaleString('en')} lines at most, and these are ${matched.toLocaleString('en')}: narrow it.`,
    );
  }
  return write(ctx, { columns, query, first });
}

/**
 * Some resources as one file of CSV, as far as the viewer may see them, with a header. Throws BAD_REQUEST like `linesOf`, and
 * for none or more than 500.
 */
export async function csvOf(
  ctx: Context,
  ids: readonly string[],
  columns: readonly string[] | null | undefined,
): Promise<string> {
  if (ids.length === 0 || ids.length > maxAtOnce) {
    throw invalidField('ids', `Use 1 to ${maxAtOnce} resources, not ${ids.length}.`);
  }
  const filter = { operator: 'in', field: 'id', value: ids };
  const texts: string[] = [];
  for await (const text of await linesOf(ctx, { filter, columns })) texts.push(text);
  return texts.join('');
}

interface Writing {
  readonly columns: readonly CsvColumn[];
  readonly query: ResourceQuery;
  readonly first: Awaited<ReturnType<typeof listResources>>;
}

async function* write(ctx: Context, { columns, query, first }: Writing): AsyncGenerator<string> {
  yield `${columns.map(({ name }) => cellOf(name)).join(',')}\r\n`;
  for (let page = first; ; ) {
    const texts = await textsOf(ctx, columns, page.nodes);
    yield texts.map((line) => `${line.map(cellOf).join(',')}\r\n`).join('');
    const after = page.hasNextPage ? page.cursorAt(-1) : null;
    if (after === null) return;
    page = await listResources(ctx, query, { first: pageSize, after });
  }
}

/** What columns say of some resources, line by line, as far as the viewer may know of it. */
export async function textsOf(
  ctx: Context,
  columns: readonly CsvColumn[],
  resources: readonly Resource[],
): Promise<string[][]> {
  const names = await namesOf(ctx, resources);
  const values = columns.some((column) => 'property' in column)
    ? await seenValuesOf(
        ctx,
        resources.map(({ id }) => id),
      )
    : new Map<string, ReadonlyMap<string, string>>();
  const related = await relatedOf(ctx, columns, resources);
  return resources.map((resource) =>
    columns.map((column) => {
      if ('property' in column) return values.get(resource.id)?.get(column.property.id) ?? '';
      return 'fixed' in column
        ? fixedText(resource, column.fixed)
        : ownText(resource, column.own, { names, related: related.get(resource.id) ?? [] });
    }),
  );
}

function fixedText(resource: Resource, column: 'id' | 'version' | 'kind' | 'title_full'): string {
  if (column === 'title_full') return resource.titleFull;
  return String(resource[column]);
}

type Names = ReadonlyMap<string, string>;

interface Named {
  readonly names: Names;
  /** The full names of the terms that a resource is linked with. */
  readonly related: readonly string[];
}

function ownText(resource: Resource, column: OwnColumn, { names, related }: Named): string {
  const those = (ids: readonly string[]) => joined(ids.flatMap((id) => names.get(id) ?? []).sort());
  switch (column) {
    case 'owners':
      return those(resource.ownerIds);
    case 'tags':
      return those(resource.tagIds);
    case 'teams':
      return those(resource.teamIds);
    case 'title':
    case 'definition':
      return resource[column];
    case 'description':
    case 'url':
      return resource[column] ?? '';
    case 'related_terms':
      return joined(related);
    case 'synonyms':
      return joined(resource.synonyms);
    case 'term_status':
      return resource.kind === 'glossary' ? (resource.termStatus ?? 'draft') : '';
    case 'deprecated':
      return String(resource.deprecatedAt !== null);
    case 'deprecation_note':
      return resource.deprecationNote ?? '';
    case 'verified':
    case 'pii':
    case 'published':
      return String(resource[column]);
  }
}

/** The full names of the terms that people or sources linked with each, where a column wants them. */
async function relatedOf(
  ctx: Context,
  columns: readonly CsvColumn[],
  resources: readonly Resource[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (!columns.some((column) => 'own' in column && column.own === 'related_terms'))
    return new Map();
  const terms = resources.filter(({ kind }) => kind === 'glossary');
  return new Map(
    await Promise.all(
      terms.map(async ({ id }) => {
        const related = await loadRelatedTerms(ctx, id);
        const linked = related.filter(({ isLinked }) => isLinked);
        return [id, linked.map(({ term }) => term.titleFull).sort()] as const;
      }),
    ),
  );
}

/** The names of what resources name, by id: of people their addresses. */
async function namesOf(ctx: Context, resources: readonly Resource[]): Promise<Names> {
  const ids = (of: (resource: Resource) => readonly string[]) => [
    ...new Set(resources.flatMap(of)),
  ];
  const ws = Prisma.sql`x.workspace_id = ${ctx.workspaceId}::uuid`;
  const found = await rows<{ id: string; name: string }>(
    ctx,
    Prisma.sql`select x.id, x.email as name from user_account x
        where ${ws} and x.id = any(${knownUsers(
          ctx,
          ids(({ ownerIds }) => ownerIds),
        )}::uuid[])
      union all select x.id, x.name from tag x
        where ${ws} and x.id = any(${ids(({ tagIds }) => tagIds)}::uuid[])
      union all select x.id, x.name from team x
        where ${ws} and x.id = any(${ids(({ teamIds }) => teamIds)}::uuid[])
          and ${visibleTeams(ctx, 'x')}`,
  );
  return new Map(found.map(({ id, name }) => [id, name]));
}
