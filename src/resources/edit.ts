// In charge of changing resources: creating, updating, deleting and restoring them.

import { record } from '../audit/audit.ts';
import { isAllowed, mustBeAllowed } from '../auth/permission.ts';
import type { Context } from '../context.ts';
import { execute, rows } from '../database/rows.ts';
import { transaction } from '../database/transaction.ts';
import { forbidden, invalidField } from '../errors.ts';
import { Prisma, type Resource } from '../generated/prisma/client.ts';
import { isUuid } from '../uuid.ts';
import { noteEdit } from './change.ts';
import { checkFields, type Fields } from './fields.ts';
import { checkIdSets, type IdSets } from './ids.ts';
import { checkParent, type Kind, kinds, parseKind } from './kind.ts';
import { getResource, resourceColumns } from './resource.ts';
import { keepVersion } from './version.ts';

/** What a resource is created with; all but the kind may be left out. */
export interface NewResource extends IdSets, Fields {
  title?: string | null | undefined;
  parentId?: string | null | undefined;
  integrationId?: string | null | undefined;
}

/** What of a resource is changed: absent leaves alone, null clears. */
export interface ResourceChanges extends NewResource {}

/** Fields that only one kind has, checked by the file in charge of that kind. */
export type ExtraFields = Partial<
  Pick<
    Resource,
    | 'answer'
    | 'answeredById'
    | 'assignedToId'
    | 'questionStatus'
    | 'questionPriority'
    | 'acceptedAnswer'
    | 'baseEntityId'
  >
>;

/**
 * Create a resource of a kind. Editors may; viewers may ask and answer questions. The parent must be
 * of a kind that holds this one (BAD_REQUEST), everything named must exist (BAD_REQUEST).
 */
export async function createResource(
  ctx: Context,
  kind: Kind,
  input: NewResource,
  extra: ExtraFields = {},
): Promise<Resource> {
  mustBeAllowed(ctx, isConversation(kind) ? 'ask questions' : 'edit resources');
  return transaction(ctx, async (tx) => {
    const parent = await parentOf(tx, kind, input.parentId);
    const integration = await integrationOf(tx, input.integrationId);
    const sets = await checkIdSets(tx, {
      ...input,
      teamIds: input.teamIds ?? integration?.teamIds ?? [],
    });
    const fields = checkFields(kind, input);
    const title = fields.title ?? `Untitled ${kinds[kind].label}`;
    const resource = await tx.db.resource.create({
      data: {
        published: isConversation(kind),
        ...ancestry(parent),
        ...fields,
        ...sets,
        ...extra,
        title,
        titleFull: parent ? `${parent.titleFull}.${title}` : title,
        kind,
        workspaceId: ctx.workspaceId,
        parentId: parent?.id ?? null,
        integrationId: integration?.id ?? null,
        createdById: ctx.viewer.id,
        multiplayerIds: [ctx.viewer.id],
        multiplayerLastModifiedBy: ctx.viewer.id,
        multiplayerLastModified: ctx.now(),
      },
    });
    await record(tx, { activity: `${kind}_created`, subject: resource });
    return resource;
  });
}

/** Questions and replies are what people say to each other: anyone but a guest may, and all see it. */
function isConversation(kind: Kind): boolean {
  return kind === 'question' || kind === 'question_reply';
}

async function parentOf(
  ctx: Context,
  kind: Kind,
  parentId: string | null | undefined,
): Promise<Resource | null> {
  if (parentId == null || parentId === '') return null;
  const [parent] = isUuid(parentId)
    ? await rows<Resource>(
        ctx,
        Prisma.sql`select ${resourceColumns} from resource r where not r.archived
          and r.workspace_id = ${ctx.workspaceId}::uuid and r.id = ${parentId}::uuid for share`,
      )
    : [];
  if (!parent)
    throw invalidField('parent', `No resource of this workspace has the id ${parentId}.`);
  checkParent(kind, parseKind(parent.kind));
  return parent;
}

async function integrationOf(ctx: Context, id: string | null | undefined) {
  if (id == null || id === '') return null;
  const integration = isUuid(id)
    ? await ctx.db.integration.findFirst({
        where: { workspaceId: ctx.workspaceId, id },
        select: { id: true, teamIds: true },
      })
    : null;
  if (!integration) {
    throw invalidField('integration', `No integration of this workspace has the id ${id}.`);
  }
  return integration;
}

type Ancestry = Partial<Pick<Resource, 'databaseName' | 'schemaName' | 'tableName' | 'cluster'>>;

/** The names of what a resource lies in, which each table and column carries for lists and filters. */
function ancestry(parent: Resource | null): Ancestry {
  if (!parent) return {};
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

/**
 * Change a resource. Editors may; a viewer may change what they said in a question or reply. A changed
 * definition becomes a new version; what a person edits, imports leave alone from then on.
 */
export async function updateResource(
  ctx: Context,
  id: string,
  changes: ResourceChanges,
  only?: readonly Kind[],
  extra: ExtraFields = {},
): Promise<Resource> {
  if (!isAllowed(ctx, 'edit resources')) mustBeAllowed(ctx, 'ask questions');
  return transaction(ctx, async (tx) => {
    const before = await getResource(tx, id, only ? { kinds: only } : {});
    const kind = parseKind(before.kind);
    mustMayEdit(ctx, before);
    const fields = checkFields(kind, changes);
    const moved = await moveOf(tx, before, kind, changes);
    const sets = await checkIdSets(tx, changes);
    const version = await keepVersion(tx, before, fields.definition);
    const resource = await tx.db.resource.update({
      where: { workspaceId_id: { workspaceId: ctx.workspaceId, id: before.id } },
      data: {
        ...fields,
        ...sets,
        ...moved,
        ...extra,
        ...(version ? { definitionVersion: version.version } : {}),
        editedFields: editedFields(before, changes),
        multiplayerIds: [...new Set([ctx.viewer.id, ...before.multiplayerIds])].slice(0, 20),
        multiplayerLastModifiedBy: ctx.viewer.id,
        multiplayerLastModified: ctx.now(),
        updatedAt: ctx.now(),
      },
    });
    await renameDescendants(tx, before, resource);
    await noteEdit(tx, before, resource);
    await record(tx, {
      activity: `${kind}_updated`,
      subject: resource,
      ...(version ? { versionId: version.id } : {}),
    });
    return resource;
  });
}

/** Throw FORBIDDEN unless the viewer may edit the resource: editors any, others what they said. */
export function mustMayEdit(ctx: Context, resource: Resource): void {
  if (isAllowed(ctx, 'edit resources')) return;
  const isOwn = resource.createdById === ctx.viewer.id;
  if (isOwn && (resource.kind === 'question' || resource.kind === 'question_reply')) return;
  throw forbidden(`The role ${ctx.viewer.role} may edit only its own questions and replies.`);
}

async function moveOf(
  ctx: Context,
  before: Resource,
  kind: Kind,
  changes: ResourceChanges,
): Promise<Ancestry & Partial<Pick<Resource, 'parentId' | 'titleFull'>>> {
  const { title = before.title } = checkFields(kind, changes);
  if (changes.parentId === undefined && title === before.title) return {};
  const wanted = changes.parentId === undefined ? before.parentId : changes.parentId;
  const parent = await parentOf(ctx, kind, wanted);
  if (parent) await mustNotLieWithin(ctx, before.id, parent.id);
  return {
    parentId: parent?.id ?? null,
    titleFull: parent ? `${parent.titleFull}.${title}` : title,
    ...ancestry(parent),
  };
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
async function renameDescendants(ctx: Context, before: Resource, after: Resource): Promise<void> {
  if (before.titleFull === after.titleFull) return;
  const below = ancestry(after);
  await execute(
    ctx,
    Prisma.sql`with recursive down(id, kind) as (
        select id, kind from resource
          where workspace_id = ${ctx.workspaceId}::uuid and parent_id = ${after.id}::uuid
        union select c.id, c.kind from resource c join down on c.parent_id = down.id
          where c.workspace_id = ${ctx.workspaceId}::uuid)
      update resource r set
        title_full = ${after.titleFull} || substr(r.title_full, ${before.titleFull.length + 1}),
        database_name = coalesce(${below.databaseName ?? null}, r.database_name),
        schema_name = coalesce(${below.schemaName ?? null}, r.schema_name),
        table_name = coalesce(${below.tableName ?? null}, r.table_name)
      from down where r.workspace_id = ${ctx.workspaceId}::uuid and r.id = down.id`,
  );
}

const keptFromImports = {
  description: 'description',
  definition: 'definition',
  tagIds: 'tags',
  ownerIds: 'owners',
} as const;

function editedFields(before: Resource, changes: ResourceChanges): string[] {
  const given = new Map(Object.entries(changes));
  const edited = Object.entries(keptFromImports)
    .filter(([name]) => given.get(name) !== undefined)
    .map(([, field]) => field);
  return [...new Set([...before.editedFields, ...edited])];
}
