// In charge of questions and replies: who is asked, what is answered, and how people vote.

import { record } from '../audit/audit.ts';
import { isAllowed, mustBeAllowed } from '../auth/permission.ts';
import type { Context } from '../context.ts';
import { execute, rows } from '../database/rows.ts';
import { transaction } from '../database/transaction.ts';
import { forbidden, invalidField } from '../errors.ts';
import { Prisma, type Resource } from '../generated/prisma/client.ts';
import { isUuid } from '../uuid.ts';
import { noteChanges } from './change.ts';
import {
  createResource,
  type ExtraFields,
  type NewResource,
  type ResourceChanges,
  updateResource,
} from './edit.ts';
import { getResource } from './resource.ts';

/** Priorities of a question, the most urgent first. */
export const priorities = ['Highest', 'High', 'Medium', 'Low', 'Lowest'] as const;

/** What a question has beside the fields of every resource. */
export interface QuestionFields {
  assignedToId?: string | null | undefined;
  answer?: string | null | undefined;
  priority?: string | null | undefined;
}

/** Ask a question. It is Unanswered unless it comes with its answer. */
export async function createQuestion(
  ctx: Context,
  input: NewResource & QuestionFields,
): Promise<Resource> {
  mustBeAllowed(ctx, 'ask questions');
  return transaction(ctx, async (tx) => {
    const fields = await checkQuestion(tx, input);
    return createResource(tx, 'question', input, { questionStatus: 'Unanswered', ...fields });
  });
}

/** Change a question; an answer makes it Answered, taking the answer back makes it Unanswered. */
export async function updateQuestion(
  ctx: Context,
  id: string,
  changes: ResourceChanges & QuestionFields,
): Promise<Resource> {
  return transaction(ctx, async (tx) =>
    updateResource(tx, id, changes, ['question'], await checkQuestion(tx, changes)),
  );
}

async function checkQuestion(ctx: Context, given: QuestionFields): Promise<ExtraFields> {
  const { assignedToId, answer, priority } = given;
  if (priority && !priorities.some((known) => known === priority)) {
    throw invalidField(
      'priority',
      `"${priority}" is not a priority; use ${priorities.join(', ')}.`,
    );
  }
  if (answer && answer.length > 1_000_000) {
    throw invalidField('answer', 'It takes 1000000 characters at most.');
  }
  if (assignedToId) await mustBeUser(ctx, assignedToId);
  return {
    ...(assignedToId === undefined ? {} : { assignedToId: assignedToId || null }),
    ...(priority === undefined ? {} : { questionPriority: priority || null }),
    ...(answer === undefined ? {} : answered(ctx, answer || null)),
  };
}

function answered(ctx: Context, answer: string | null): ExtraFields {
  return answer === null
    ? { answer: null, answeredById: null, questionStatus: 'Unanswered' }
    : { answer, answeredById: ctx.viewer.id, questionStatus: 'Answered' };
}

async function mustBeUser(ctx: Context, id: string): Promise<void> {
  const { workspaceId } = ctx;
  const user = isUuid(id)
    ? await ctx.db.user.findFirst({ where: { workspaceId, id }, select: { id: true } })
    : null;
  if (!user) throw invalidField('assigned_to', `No user of this workspace has the id ${id}.`);
}

/** What a reply has beside the fields of every resource. */
export interface ReplyFields {
  acceptedAnswer?: boolean | null | undefined;
}

/** Reply to a question; `acceptedAnswer` makes the reply its answer. */
export async function createReply(
  ctx: Context,
  input: NewResource & ReplyFields,
): Promise<Resource> {
  mustBeAllowed(ctx, 'ask questions');
  return transaction(ctx, async (tx) => {
    if (!input.parentId) throw invalidField('parent', 'A reply needs the id of its question.');
    const question = await getQuestion(tx, input.parentId);
    const title = input.title ?? `Re: ${question.title}`;
    const reply = await createResource(tx, 'question_reply', { ...input, title });
    return input.acceptedAnswer ? accept(tx, reply, true) : reply;
  });
}

async function getQuestion(ctx: Context, id: string): Promise<Resource> {
  return getResource(ctx, id, { kinds: ['question'] });
}

/** Change a reply; setting `acceptedAnswer` answers its question, unsetting takes the answer back. */
export async function updateReply(
  ctx: Context,
  id: string,
  changes: ResourceChanges & ReplyFields,
): Promise<Resource> {
  return transaction(ctx, async (tx) => {
    const before = await getResource(tx, id, { kinds: ['question_reply'] });
    const { acceptedAnswer, ...fields } = changes;
    const edits = Object.values(fields).some((value) => value !== undefined);
    const reply = edits ? await updateResource(tx, id, fields, ['question_reply']) : before;
    const isAccepted = acceptedAnswer ?? reply.acceptedAnswer;
    return isAccepted === before.acceptedAnswer ? reply : accept(tx, reply, isAccepted);
  });
}

/** One reply at most is the answer: accepting it takes the place of another. */
async function accept(ctx: Context, reply: Resource, accepted: boolean): Promise<Resource> {
  const { workspaceId } = ctx;
  const question = await getQuestion(ctx, reply.parentId ?? '');
  if (!isAllowed(ctx, 'edit resources') && question.createdById !== ctx.viewer.id) {
    throw forbidden('Only an editor, or whoever asked, decides which reply is the answer.');
  }
  await ctx.db.resource.updateMany({
    where: { workspaceId, parentId: question.id, acceptedAnswer: true },
    data: { acceptedAnswer: false },
  });
  await ctx.db.resource.update({
    where: { workspaceId_id: { workspaceId, id: question.id } },
    data: {
      answer: accepted ? reply.definition : null,
      answeredById: accepted ? reply.createdById : null,
      questionStatus: accepted ? 'Answered' : 'Unanswered',
      updatedAt: ctx.now(),
    },
  });
  await noteChanges(ctx, [{ resourceId: question.id, what: 'answer' }]);
  const activity = accepted ? 'question_answered' : 'question_reopened';
  await record(ctx, {
    activity,
    subject: question,
    related: { ids: [reply.id], type: reply.kind },
  });
  return ctx.db.resource.update({
    where: { workspaceId_id: { workspaceId, id: reply.id } },
    data: { acceptedAnswer: accepted, updatedAt: ctx.now() },
  });
}

const conversations = ['question', 'question_reply'] as const;

/** Vote for (1) or against (-1) a question or reply, or take the vote back (0). */
export async function vote(ctx: Context, id: string, value: number): Promise<Resource> {
  mustBeAllowed(ctx, 'take part');
  return transaction(ctx, async (tx) => {
    const resource = await getResource(tx, id, { kinds: conversations });
    if (value !== 1 && value !== -1 && value !== 0) {
      throw invalidField('value', 'A vote is 1, -1, or 0 to take it back.');
    }
    await execute(
      tx,
      value === 0
        ? Prisma.sql`delete from vote where workspace_id = ${ctx.workspaceId}::uuid
            and resource_id = ${resource.id}::uuid and user_id = ${ctx.viewer.id}::uuid`
        : Prisma.sql`insert into vote (workspace_id, resource_id, user_id, value)
            values (${ctx.workspaceId}::uuid, ${resource.id}::uuid, ${ctx.viewer.id}::uuid, ${value})
            on conflict (workspace_id, resource_id, user_id) do update set value = excluded.value`,
    );
    await execute(
      tx,
      Prisma.sql`update resource set votes_sum = (select coalesce(sum(value), 0) from vote
          where workspace_id = ${ctx.workspaceId}::uuid and resource_id = ${resource.id}::uuid)
        where workspace_id = ${ctx.workspaceId}::uuid and id = ${resource.id}::uuid`,
    );
    return getResource(tx, id);
  });
}

/** Add an emoji reaction to a question or reply, or take it back. */
export async function react(
  ctx: Context,
  id: string,
  emoji: string,
  on: boolean,
): Promise<Resource> {
  mustBeAllowed(ctx, 'take part');
  return transaction(ctx, async (tx) => {
    const resource = await getResource(tx, id, { kinds: conversations });
    if (
      !/^\p{Extended_Pictographic}[\p{Emoji_Component}\p{Extended_Pictographic}\u200d]{0,12}$/u.test(
        emoji,
      )
    ) {
      throw invalidField('emoji', 'A reaction is one emoji, such as 👍.');
    }
    const mine = {
      workspaceId: ctx.workspaceId,
      resourceId: resource.id,
      userId: ctx.viewer.id,
      emoji,
    };
    if (on) await tx.db.reaction.createMany({ data: [mine], skipDuplicates: true });
    else await tx.db.reaction.deleteMany({ where: mine });
    const [found] = await rows<{ reactions: string[] }>(
      tx,
      Prisma.sql`update resource set reactions = array(select emoji from reaction
            where workspace_id = ${ctx.workspaceId}::uuid and resource_id = ${resource.id}::uuid
            group by emoji order by min(created_at), emoji)
        where workspace_id = ${ctx.workspaceId}::uuid and id = ${resource.id}::uuid
        returning reactions`,
    );
    return { ...resource, reactions: found?.reactions ?? [] };
  });
}
