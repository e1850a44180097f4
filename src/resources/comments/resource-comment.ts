// Comments on resources: what people say of one, each in a text of its own.

import { record } from '../../audit/audit.ts';
import { changesOf, changesOfGone, changesOfNew } from '../../audit/changes.ts';
import { type ExpectedVersion, mustBeAtVersion } from '../../audit/version.ts';
import { isAllowed, mustBeAllowed } from '../../auth/permission.ts';
import type { Context } from '../../context.ts';
import { columnsOf } from '../../database/columns.ts';
import { rows } from '../../database/rows.ts';
import { transaction } from '../../database/transaction.ts';
import { CatalogError, forbidden, notFound } from '../../errors.ts';
import { checkFields } from '../../fields.ts';
import { type Comment, Prisma, type Resource } from '../../generated/prisma/client.ts';
import { newestFirst, type Page, type PageArgs } from '../../lists/page.ts';
import { loadPage, type OwnedListing } from '../../lists/page-of-each.ts';
import { isUuid } from '../../text/uuid.ts';
import { lockResource } from '../editing/lock.ts';
import { noteMentions } from '../editing/mentioned-people.ts';
import { getResource } from '../resource.ts';
import { type CommentInput, commentNoun } from './fields.ts';

const columns = columnsOf(Prisma.CommentScalarFieldEnum, 'c');

/** Comment on a resource. Everyone may who may read it, but guests. Who is mentioned, owns it or follows it is notified. */
export async function createComment(
  ctx: Context,
  { resourceId, ...input }: { readonly resourceId: string; readonly text: string },
): Promise<Comment> {
  mustBeAllowed(ctx, commentNoun.by);
  return transaction(ctx, async (tx) => {
    const { resource } = await lockResource(tx, resourceId);
    const { text = '' } = checkFields(commentNoun, input);
    const comment = await tx.db.comment.create({
      data: {
        ...{ workspaceId: tx.workspaceId, resourceId: resource.id, authorId: tx.viewer.id },
        ...{ text, createdAt: tx.now(), updatedAt: tx.now() },
      },
    });
    const changes = changesOfNew({ text: comment.text });
    await record(tx, { activity: 'comment_created', ...deed(comment, resource), changes });
    await noteMentions(tx, {
      resource: resource.id,
      before: '',
      after: comment.text,
      in: 'comment',
    });
    return comment;
  });
}

/** Change what one wrote. Who is mentioned for the first time is notified. */
export async function updateComment(
  ctx: Context,
  id: string,
  input: CommentInput,
  expectedVersion?: ExpectedVersion,
): Promise<Comment> {
  mustBeAllowed(ctx, commentNoun.by);
  return transaction(ctx, async (tx) => {
    const { comment: before, resource } = await lockComment(tx, id);
    if (before.authorId !== tx.viewer.id) throw forbidden('Only its author can change a comment.');
    const data = checkFields(commentNoun, input);
    await mustBeAtVersion(tx, before, expectedVersion);
    if (data.text === undefined || data.text === before.text) return before;
    const after = await tx.db.comment.update({
      where: { workspaceId_id: { workspaceId: tx.workspaceId, id: before.id } },
      data: { ...data, updatedAt: tx.now() },
    });
    const changes = changesOf({ text: before.text }, { text: after.text });
    await record(tx, { activity: 'comment_updated', ...deed(after, resource), changes });
    await noteMentions(tx, {
      ...{ resource: resource.id, before: before.text, after: after.text, in: 'comment' },
    });
    return after;
  });
}

/** Delete a comment; returns what it was. Its author may, and editors. */
export async function deleteComment(
  ctx: Context,
  id: string,
  expectedVersion?: ExpectedVersion,
): Promise<Comment> {
  mustBeAllowed(ctx, commentNoun.by);
  return transaction(ctx, async (tx) => {
    const { comment, resource } = await lockComment(tx, id);
    if (comment.authorId !== tx.viewer.id && !isAllowed(tx, 'edit resources')) {
      throw forbidden('Only its author and editors can delete a comment.');
    }
    await mustBeAtVersion(tx, comment, expectedVersion);
    await tx.db.comment.delete({
      where: { workspaceId_id: { workspaceId: tx.workspaceId, id: comment.id } },
    });
    const changes = changesOfGone({ text: comment.text });
    await record(tx, { activity: 'comment_deleted', ...deed(comment, resource), changes });
    return comment;
  });
}

/** The comments on a resource that the viewer may see, the newest first; those of many are read together. */
export function loadComments(
  ctx: Context,
  resourceId: string,
  args: PageArgs,
): Promise<Page<Comment>> {
  return loadPage(ctx, commentsOf, { ownerId: resourceId, query: null, args });
}

/** The comments on a resource, the newest first. Throws NOT_FOUND for what the viewer may not see. */
export async function listComments(
  ctx: Context,
  resourceId: string,
  args: PageArgs,
): Promise<Page<Comment>> {
  const { id } = await getResource(ctx, resourceId);
  return loadComments(ctx, id, args);
}

function commentsOf(ctx: Context): OwnedListing {
  return {
    from: Prisma.sql`comment c`,
    columns,
    where: Prisma.sql`c.workspace_id = ${ctx.workspaceId}::uuid`,
    order: newestFirst(Prisma.sql`c`),
    belongs: Prisma.sql`c.resource_id = owner.id`,
  };
}

interface LockedComment {
  readonly comment: Comment;
  readonly resource: Resource;
}

/** A comment and, before it, the resource that it is about, both locked. Throws NOT_FOUND where the viewer may not see it. */
async function lockComment(tx: Context, id: string): Promise<LockedComment> {
  const mine = Prisma.sql`c.workspace_id = ${tx.workspaceId}::uuid and c.id = ${id}::uuid`;
  const read = (lock: Prisma.Sql) =>
    rows<Comment>(tx, Prisma.sql`select ${columns} from comment c where ${mine} ${lock}`);
  const [found] = isUuid(id) ? await read(Prisma.empty) : [];
  if (!found) throw notFound('Comment');
  // What hangs on a resource that one may not see is not there.
  const { resource } = await lockResource(tx, found.resourceId).catch((error: unknown) => {
    throw error instanceof CatalogError && error.code === 'NOT_FOUND' ? notFound('Comment') : error;
  });
  const [comment] = await read(Prisma.sql`for update`);
  if (!comment) throw notFound('Comment');
  return { comment, resource };
}

function deed({ id, version }: Comment, { id: on, kind, title }: Resource) {
  return {
    subject: { id, kind: 'comment', title: `on ${title}`, version },
    related: { ids: [on], type: kind },
  };
}
