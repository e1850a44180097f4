// Related glossary terms: those that people linked, and those of which one names the other in a custom property.

import { changeOf, type FieldChange } from '../../audit/changes.ts';
import { visibleResources } from '../../auth/permission.ts';
import type { Context } from '../../context.ts';
import { loaderOf } from '../../database/loader.ts';
import { execute, rows } from '../../database/rows.ts';
import { invalidField } from '../../errors.ts';
import { Prisma, type Resource } from '../../generated/prisma/client.ts';
import { isUuid, unknownIds } from '../../text/uuid.ts';
import { warn } from '../../warning.ts';
import { loadResources } from '../loaders.ts';

/** Related terms that one term has, and shows, at most. */
export const maxRelated = 100;

/** Another term, and whether people linked the two: what a custom property says is changed there. */
interface RelatedTerm {
  readonly term: Resource;
  readonly isLinked: boolean;
}

/** The terms that are related to a term, from whichever side, by title. */
export async function loadRelatedTerms(ctx: Context, id: string): Promise<RelatedTerm[]> {
  const related = (await loaderOf(ctx, relatedTo).load(id)) ?? new Map<string, boolean>();
  const terms = (await loadResources(ctx, [...related.keys()]))
    .filter(({ kind, archived }) => kind === 'glossary' && !archived)
    .map((term) => ({ term, isLinked: related.get(term.id) ?? false }));
  return terms.sort((a, b) => (a.term.title < b.term.title ? -1 : 1)).slice(0, maxRelated);
}

/** Of each term the ids of what it is linked with, what it names in its properties, and the terms that name it there. */
async function relatedTo(
  ctx: Context,
  ids: readonly string[],
): Promise<Map<string, Map<string, boolean>>> {
  const ours = Prisma.sql`${[...ids]}::uuid[]`;
  const ofWorkspace = Prisma.sql`workspace_id = ${ctx.workspaceId}::uuid`;
  const isOurs = Prisma.sql`v.${ofWorkspace} and length(v.value) = 36`;
  const found = await rows<{ id: string; other: string; isLinked: boolean }>(
    ctx,
    Prisma.sql`select n.id, n.other, false as "isLinked" from (
        select v.property_id, v.resource_id::text as id, v.value as other
          from custom_property_value v where ${isOurs} and v.resource_id = any(${ours})
        union
        select v.property_id, v.value, v.resource_id::text from custom_property_value v
          join resource r on r.workspace_id = v.workspace_id and r.id = v.resource_id
            and r.kind = 'glossary'
          where ${isOurs} and v.value = any(${ours}::text[])) n
      join custom_property p on p.${ofWorkspace} and p.id = n.property_id and p.value_type = 'resource'
      union
      select l.term_id::text, l.related_id::text, true from term_link l
        where l.${ofWorkspace} and l.term_id = any(${ours})
      union
      select l.related_id::text, l.term_id::text, true from term_link l
        where l.${ofWorkspace} and l.related_id = any(${ours})
      order by id, other, "isLinked"`,
  );
  const byTerm = new Map(ids.map((id) => [id, new Map<string, boolean>()]));
  for (const { id, other, isLinked } of found) {
    if (other !== id) byTerm.get(id)?.set(other, isLinked);
  }
  return byTerm;
}

type Ids = readonly string[] | null | undefined;

/** Changes of the terms that people linked one with: all of them, or what is added and taken away. */
export interface RelatedChanges {
  relatedTermIds?: Ids;
  addRelatedTermIds?: Ids;
  removeRelatedTermIds?: Ids;
}

const field = 'related_term_ids';

/** Whether a change says anything of related terms. */
export function changesRelated(changes: RelatedChanges): boolean {
  const { relatedTermIds, addRelatedTermIds, removeRelatedTermIds } = changes;
  const isGiven = (ids: Ids) => ids != null && ids.length > 0;
  return relatedTermIds !== undefined || [addRelatedTermIds, removeRelatedTermIds].some(isGiven);
}

/**
 * Link a term, which is locked, with others, or no longer; what the audit log says of that. Both terms then show
 * each other. Throws BAD_REQUEST for what is no glossary term that the viewer may see, and for more than a term may have.
 */
export async function relateTerms(
  tx: Context,
  { id, kind }: Resource,
  changes: RelatedChanges,
): Promise<FieldChange[]> {
  if (!changesRelated(changes)) return [];
  if (kind !== 'glossary') {
    warn(tx, field, 'This has no effect here. Kinds that have it: glossary term.');
    return [];
  }
  const before = await linkedWith(tx, id);
  const after = asked(changes, before);
  const added = after.filter((one) => !before.includes(one));
  const gone = before.filter((one) => !after.includes(one));
  if (added.length + gone.length === 0) return [];
  await mustBeTerms(tx, id, added, changes.relatedTermIds === undefined ? `add_${field}` : field);
  const other = Prisma.sql`unnest(${added}::uuid[]) x(id)`;
  await execute(
    tx,
    Prisma.sql`delete from term_link where workspace_id = ${tx.workspaceId}::uuid
      and (term_id = ${id}::uuid and related_id = any(${gone}::uuid[])
        or related_id = ${id}::uuid and term_id = any(${gone}::uuid[]))`,
  );
  await execute(
    tx,
    Prisma.sql`insert into term_link (workspace_id, term_id, related_id)
      select ${tx.workspaceId}::uuid, least(x.id, ${id}::uuid), greatest(x.id, ${id}::uuid)
      from ${other} on conflict do nothing`,
  );
  if (added.length > 0) await mustHaveRoom(tx, [id, ...added]);
  return [changeOf('relatedTermIds', before, after)];
}

/** The terms that are to be linked. Throws BAD_REQUEST for both ways of saying it at once, and for too many. */
function asked(changes: RelatedChanges, before: readonly string[]): string[] {
  const { relatedTermIds: all, addRelatedTermIds: more, removeRelatedTermIds: fewer } = changes;
  const [whole, added, gone] = [all, more, fewer].map((ids) => ids?.map((id) => id.toLowerCase()));
  if (all !== undefined && (more ?? fewer) != null) {
    const message = `Give all of them, or add_${field} and remove_${field}, not both.`;
    throw invalidField(field, message);
  }
  const kept = all === undefined ? before : (whole ?? []);
  const both = added?.find((id) => gone?.includes(id));
  if (both !== undefined) {
    throw invalidField(`add_${field}`, `This is also in the list to remove: ${both}.`);
  }
  const after = new Set([...kept, ...(added ?? [])]);
  for (const id of gone ?? []) after.delete(id);
  if (after.size > Math.max(maxRelated, before.length)) throw invalidField(field, tooMany);
  return [...after];
}

const tooMany = `A term has at most ${maxRelated} related terms.`;

/** Terms that people linked with a term, as far as the viewer may see them. */
async function linkedWith(ctx: Context, id: string): Promise<string[]> {
  const found = await rows<{ id: string }>(
    ctx,
    Prisma.sql`select r.id from (
        select related_id as id from term_link
          where workspace_id = ${ctx.workspaceId}::uuid and term_id = ${id}::uuid
        union select term_id from term_link
          where workspace_id = ${ctx.workspaceId}::uuid and related_id = ${id}::uuid) l
      join resource r on r.workspace_id = ${ctx.workspaceId}::uuid and r.id = l.id
      where not r.archived and ${visibleResources(ctx)} order by r.id`,
  );
  return found.map((one) => one.id);
}

/** Throw BAD_REQUEST where ids are not of other terms; these stay as long as the transaction lasts. */
async function mustBeTerms(tx: Context, id: string, ids: readonly string[], name: string) {
  if (ids.includes(id)) throw invalidField(name, 'A term is not related to itself.');
  const found = await rows<{ id: string }>(
    tx,
    Prisma.sql`select r.id from resource r where r.workspace_id = ${tx.workspaceId}::uuid
      and r.id = any(${ids.filter(isUuid)}::uuid[]) and r.kind = 'glossary' and not r.archived
      and ${visibleResources(tx)} order by r.id for key share`,
  );
  const known = new Set(found.map((one) => one.id));
  const unknown = ids.filter((one) => !known.has(one));
  if (unknown.length > 0) throw invalidField(name, unknownIds('glossary term', unknown));
}

/** Throw BAD_REQUEST where one of the terms now has more related ones than it may have. */
async function mustHaveRoom(tx: Context, ids: readonly string[]): Promise<void> {
  const [full] = await rows<{ title: string }>(
    tx,
    Prisma.sql`select r.title from resource r where r.workspace_id = ${tx.workspaceId}::uuid
      and r.id = any(${[...ids]}::uuid[]) and (select count(*) from term_link l
        where l.workspace_id = r.workspace_id and (l.term_id = r.id or l.related_id = r.id)) > ${maxRelated}
      order by r.title limit 1`,
  );
  if (full) throw invalidField(field, `${tooMany} The term "${full.title}" would have more.`);
}
