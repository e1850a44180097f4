// Where a resource lies: its parent, the names it has from there, and moving it.

import type { Context } from '../../context.ts';
import { execute, rows } from '../../database/rows.ts';
import { conflict, invalidField } from '../../errors.ts';
import { Prisma, type Resource } from '../../generated/prisma/client.ts';
import { unknownIds } from '../../text/uuid.ts';
import { checkParent, type Kind, parseKind } from '../kind.ts';
import type { ParentRow } from './ids.ts';
import { holdHierarchy, lockWithin, mayLieInItself } from './lock.ts';

/** What places a resource, as a client gives it: absent leaves it where it is, null puts it nowhere. */
export interface Placing {
  title?: string | null | undefined;
  parentId?: string | null | undefined;
}

/** The names of what a resource lies in, which each table and column carries for lists and filters. */
type Ancestry = Partial<Pick<Resource, 'databaseName' | 'schemaName' | 'tableName' | 'cluster'>>;

/** Where a resource lies, as it is stored. */
export type Location = Ancestry & Pick<Resource, 'parentId' | 'titleFull'>;

/** Whether an id of a parent was given at all: clients send an empty one for none. */
function isGiven(parentId: string | null | undefined): parentId is string {
  return parentId != null && parentId !== '';
}

/**
 * Where a resource of a kind and title lies. Throws BAD_REQUEST where there is no such parent, or one
 * that cannot hold it.
 */
export function locate(
  kind: Kind,
  title: string,
  { parentId, parent }: { parentId: string | null | undefined; parent: ParentRow | null },
): Location {
  if (!isGiven(parentId)) return { parentId: null, titleFull: title };
  if (!parent) {
    throw invalidField('parent', unknownIds('resource', [parentId]));
  }
  checkParent(kind, parseKind(parent.kind));
  return {
    parentId: parent.id,
    titleFull: `${parent.titleFull}.${title}`,
    ...ancestry(parent),
  };
}

function ancestry(parent: ParentRow): Ancestry {
  const { databaseName, schemaName, cluster } = parent;
  switch (parent.kind) {
    case 'database':
      return { databaseName: parent.title, cluster };
    case 'schema':
      return { databaseName, schemaName: parent.title, cluster };
    case 'table':
      return { databaseName, schemaName, tableName: parent.title, cluster };
    case 'column':
      return { databaseName, schemaName, tableName: parent.tableName, cluster };
    default:
      return {};
  }
}

/** Throw BAD_REQUEST for a reply to nothing. */
export function mustHaveQuestion(kind: string, parentId: string | null | undefined): void {
  if (kind !== 'question_reply' || isGiven(parentId)) return;
  throw invalidField('parent', 'A reply needs the id of its question.');
}

/** Let no two moves make a circle together; to be called before anything else is locked. */
export async function holdForMove(
  tx: Context,
  { parentId }: Placing,
  only: readonly Kind[] | undefined,
): Promise<void> {
  if (isGiven(parentId) && (!only || only.some(mayLieInItself))) await holdHierarchy(tx);
}

/**
 * Where a locked resource lies after a change of its title or parent; nothing where it stays. Throws
 * BAD_REQUEST for a place it cannot lie in, such as none of a reply, and CONFLICT for an accepted answer that is to leave its
 * question.
 */
export async function moveOf(
  tx: Context,
  before: Resource,
  changes: Placing & { readonly title?: string | undefined },
  parent: ParentRow | null,
): Promise<Partial<Location>> {
  const { title = before.title } = changes;
  if (changes.parentId === undefined && title === before.title) return {};
  const parentId = changes.parentId === undefined ? before.parentId : changes.parentId;
  const location = locate(parseKind(before.kind), title, { parentId, parent });
  if (location.parentId === before.parentId) return location;
  if (before.acceptedAnswer) {
    throw conflict('This reply is the accepted answer of its question: unaccept it first.');
  }
  mustHaveQuestion(before.kind, location.parentId);
  if (location.parentId) await mustNotLieWithin(tx, before.id, location.parentId);
  return location;
}

/** A resource cannot be moved into itself: its ancestry would be a circle. */
async function mustNotLieWithin(ctx: Context, id: string, parentId: string): Promise<void> {
  const found = await rows<{ id: string }>(
    ctx,
    Prisma.sql`with recursive up(id, parent_id) as (
        select id, parent_id from resource
          where workspace_id = ${ctx.workspaceId}::uuid and id = ${parentId}::uuid
        union select p.id, p.parent_id from resource p join up on p.id = up.parent_id
          where p.workspace_id = ${ctx.workspaceId}::uuid)
      select id from up where id = ${id}::uuid`,
  );
  if (found.length > 0) throw invalidField('parent', 'A resource cannot lie within itself.');
}

/** A new title or place shows in the full titles and the database, schema and table names below it. */
export async function renameDescendants(
  tx: Context,
  before: Resource,
  after: Resource,
): Promise<void> {
  if (before.titleFull === after.titleFull) return;
  await lockWithin(tx, after.id);
  const below = ancestry(after);
  await execute(
    tx,
    Prisma.sql`with recursive down(id, kind) as (
        select id, kind from resource
          where workspace_id = ${tx.workspaceId}::uuid and parent_id = ${after.id}::uuid
        union select c.id, c.kind from resource c join down on c.parent_id = down.id
          where c.workspace_id = ${tx.workspaceId}::uuid)
      update resource r set updated_at = ${tx.now()}::timestamptz,
        title_full = ${after.titleFull} || substr(r.title_full, ${before.titleFull.length + 1}),
        database_name = coalesce(${below.databaseName ?? null}, r.database_name),
        schema_name = coalesce(${below.schemaName ?? null}, r.schema_name),
        table_name = coalesce(${below.tableName ?? null}, r.table_name)
      from down where r.workspace_id = ${tx.workspaceId}::uuid and r.id = down.id`,
  );
}
