// Questions and replies: who is asked, what is answered, and how people vote.

import { randomUUID } from 'node:crypto';
import { nameOf, record } from '../../audit/audit.ts';
import { changeOf } from '../../audit/changes.ts';
import { type ExpectedVersion, mustBeAtVersion } from '../../audit/version.ts';
import { isUser } from '../../auth/account.ts';
import { mustMaySet } from '../../auth/field-permission.ts';
import { mustBeAllowed } from '../../auth/permission.ts';
import type { Context } from '../../context.ts';
import { rows } from '../../database/rows.ts';
import { transaction } from '../../database/transaction.ts';
import { invalidField } from '../../errors.ts';
import { checkFields, namesOf } from '../../fields.ts';
import { Prisma, type Resource } from '../../generated/prisma/client.ts';
import { noteHappening } from '../../jobs/happening.ts';
import { unknownIds } from '../../text/uuid.ts';
import { acceptNone, acceptReply } from '../editing/accepted-reply.ts';
import {
  changesAnything,
  type NewResource,
  type ResourceChanges,
} from '../editing/asked-changes.ts';
import { createResource, type ExtraFields, updateResource } from '../editing/edit.ts';
import { asSeen } from '../editing/ids.ts';
import { mustHaveQuestion } from '../editing/location.ts';
import { lockResource } from '../editing/lock.ts';
import { conversations } from '../kind.ts';
import { getResource } from '../resource.ts';
import { resourceColumns } from '../shown.ts';
import { unversioned } from '../usage.ts';
import { type QuestionFields, questionNoun } from './question-fields.ts';

/** Ask a question. It is Unanswered unless it comes with its answer. */
export async function createQuestion(
  ctx: Context,
  input: NewResource & QuestionFields,
): Promise<Resource> {
  mustBeAllowed(ctx, 'ask questions');
  return transaction(ctx, async (tx) => {
    const fields = await checkQuestion(tx, input);
    const question = await createResource(tx, 'question', input, fields);
    await noteHappening(tx, 'question_asked', about(tx, question));
    if (fields.answer) await noteHappening(tx, 'question_answered', about(tx, question));
    return question;
  });
}

/**
 * Change a question; an answer makes it Answered, taking the answer back makes it Unanswered. A reply
 * that was the answer is not when it gets another one, or none.
 */
export async function updateQuestion(
  ctx: Context,
  id: string,
  changes: ResourceChanges & QuestionFields,
  expectedVersion?: ExpectedVersion,
): Promise<Resource> {
  mustBeAllowed(ctx, 'ask questions');
  return transaction(ctx, async (tx) => {
    const given = await checkQuestion(tx, changes);
    const before = changes.answer === undefined ? null : await lockQuestion(tx, id);
    const extra = before && before.answer === given.answer ? withoutAnswer(given) : given;
    const entry = randomUUID();
    const options = { kinds: ['question'] as const, extra, expectedVersion, entry };
    const after = await updateResource(tx, id, changes, options);
    if (before && after.answer !== before.answer) {
      await acceptNone(tx, after.id, entry);
      if (after.answer) await noteHappening(tx, 'question_answered', about(tx, after));
    }
    return after;
  });
}

/** What webhooks are sent of a question. */
function about(ctx: Context, { id, title, answer }: Resource) {
  return { question: { id, title, answer }, by: nameOf(ctx.viewer) };
}

async function checkQuestion(ctx: Context, given: QuestionFields): Promise<ExtraFields> {
  const { fields } = questionNoun;
  const set = namesOf(fields).filter((name) => given[name] !== undefined);
  mustMaySet(
    ctx,
    set.map((name) => fields[name].rest),
  );
  const { priority, answer, ...checked } = checkFields(questionNoun, given);
  const { assignedToId } = checked;
  if (assignedToId && !(await isUser(ctx, assignedToId))) {
    throw invalidField(fields.assignedToId.rest, unknownIds('user', [assignedToId]));
  }
  return {
    ...checked,
    ...(priority === undefined ? {} : { questionPriority: priority }),
    ...(answer === undefined ? {} : answered(ctx, answer)),
  };
}

function answered(ctx: Context, answer: string | null): ExtraFields {
  return answer === null
    ? { answer: null, answeredById: null, questionStatus: 'Unanswered' }
    : { answer, answeredById: ctx.viewer.id, questionStatus: 'Answered' };
}

/** What is given besides an answer that is there already: it stays that of the one who gave it. */
function withoutAnswer(given: ExtraFields): ExtraFields {
  const { answer: _answer, answeredById: _by, questionStatus: _status, ...others } = given;
  return others;
}

/** What a reply has besides the fields of every resource. */
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
    const { parentId } = input;
    mustHaveQuestion('question_reply', parentId);
    const question = input.acceptedAnswer
      ? await lockQuestion(tx, parentId)
      : await getResource(tx, parentId ?? '', { kinds: ['question'] });
    const title = input.title ?? `Re: ${question.title}`;
    const fields = { ...input, title };
    if (!input.acceptedAnswer) return createResource(tx, 'question_reply', fields);
    const entry = randomUUID();
    const reply = await createResource({ ...tx, partOf: entry }, 'question_reply', fields);
    await noteHappening(tx, 'question_answered', about(tx, question));
    return acceptReply(tx, question, reply, true, entry);
  });
}

async function lockQuestion(tx: Context, id: string | null | undefined): Promise<Resource> {
  const { resource } = await lockResource(tx, id ?? '', { kinds: ['question'] });
  return resource;
}

/** Change a reply; setting `acceptedAnswer` answers its question, unsetting takes the answer back. */
export async function updateReply(
  ctx: Context,
  id: string,
  changes: ResourceChanges & ReplyFields,
  expectedVersion?: ExpectedVersion,
): Promise<Resource> {
  mustBeAllowed(ctx, 'ask questions');
  return transaction(ctx, async (tx) => {
    const { acceptedAnswer, ...fields } = changes;
    const kinds = ['question_reply'] as const;
    const isGiven = Object.values(fields).some((value) => value !== undefined);
    if (isGiven && acceptedAnswer == null) {
      return updateResource(tx, id, fields, { kinds, expectedVersion });
    }
    // The question comes before its replies: anyone else who accepts one waits here.
    const { resource: before } = await lockResource(tx, id, { kinds, withParent: true });
    await mustBeAtVersion(tx, before, expectedVersion);
    if ((acceptedAnswer ?? before.acceptedAnswer) === before.acceptedAnswer) {
      return isGiven ? updateResource(tx, id, fields, { kinds }) : before;
    }
    const entry = randomUUID();
    // Anyone who asked accepts the words of others, and may send them back as they were read.
    const reply = changesAnything(fields, await asSeen(tx, before))
      ? await updateResource({ ...tx, partOf: entry }, id, fields, { kinds })
      : before;
    const question = await lockQuestion(tx, reply.parentId);
    if (!before.acceptedAnswer) await noteHappening(tx, 'question_answered', about(tx, question));
    return acceptReply(tx, question, reply, !before.acceptedAnswer, entry);
  });
}

/** Vote for (1) or against (-1) a question or reply, or take the vote back (0). */
export async function vote(ctx: Context, id: string, value: number): Promise<Resource> {
  mustBeAllowed(ctx, 'take part');
  return transaction(ctx, async (tx) => {
    const { resource } = await lockResource(tx, id, { kinds: conversations });
    if (value !== 1 && value !== -1 && value !== 0) {
      throw invalidField('value', 'A vote is 1, -1, or 0 to take it back.');
    }
    const mine = Prisma.sql`workspace_id = ${ctx.workspaceId}::uuid
      and resource_id = ${resource.id}::uuid and user_id = ${ctx.viewer.id}::uuid`;
    const [{ before } = { before: 0 }] = await rows<{ before: number }>(
      tx,
      value === 0
        ? Prisma.sql`delete from vote where ${mine} returning value as before`
        : Prisma.sql`with mine as materialized (select value from vote where ${mine})
            insert into vote (workspace_id, resource_id, user_id, value)
            values (${ctx.workspaceId}::uuid, ${resource.id}::uuid, ${ctx.viewer.id}::uuid, ${value})
            on conflict (workspace_id, resource_id, user_id) do update set value = excluded.value
            returning coalesce((select value from mine), 0) as before`,
    );
    if (before !== value) {
      const activity = value === 0 ? 'vote_withdrawn' : 'vote_cast';
      const changes = [changeOf('vote', before, value)];
      await record(tx, { activity, subject: unversioned(resource), changes });
    }
    return counted(
      tx,
      resource,
      Prisma.sql`votes_sum = (select coalesce(sum(v.value), 0) from vote v
        where v.workspace_id = r.workspace_id and v.resource_id = r.id)`,
    );
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
    const { resource } = await lockResource(tx, id, { kinds: conversations });
    if (!reactionForm.test(emoji)) {
      throw invalidField('emoji', 'A reaction is one emoji, such as 👍.');
    }
    const { workspaceId } = ctx;
    const mine = { workspaceId, resourceId: resource.id, userId: ctx.viewer.id, emoji };
    const { count } = on
      ? await tx.db.reaction.createMany({ data: [mine], skipDuplicates: true })
      : await tx.db.reaction.deleteMany({ where: mine });
    if (count > 0) {
      const activity = on ? 'reaction_added' : 'reaction_removed';
      const changes = [changeOf('reaction', on ? null : emoji, on ? emoji : null)];
      await record(tx, { activity, subject: unversioned(resource), changes });
    }
    return counted(
      tx,
      resource,
      Prisma.sql`reactions = array(select x.emoji from reaction x
        where x.workspace_id = r.workspace_id and x.resource_id = r.id
        group by x.emoji order by min(x.created_at), x.emoji)`,
    );
  });
}

const reactionForm =
  /^\p{Extended_Pictographic}[\p{Emoji_Component}\p{Extended_Pictographic}\u200d]{0,12}$/u;

/** Count votes or reactions again. The resource is locked, so that none is missed. */
async function counted(tx: Context, resource: Resource, sum: Prisma.Sql): Promise<Resource> {
  const [after] = await rows<Resource>(
    tx,
    Prisma.sql`update resource r set ${sum}
      where r.workspace_id = ${tx.workspaceId}::uuid and r.id = ${resource.id}::uuid
      returning ${resourceColumns}`,
  );
  return after ?? resource;
}
