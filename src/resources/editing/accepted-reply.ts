// Which reply is the answer of its question: the question then says what the reply says.

import { type Deed, record } from '../../audit/audit.ts';
import { changesOf } from '../../audit/changes.ts';
import { mustMaySet } from '../../auth/field-permission.ts';
import { isAllowed } from '../../auth/permission.ts';
import type { Context } from '../../context.ts';
import { forbidden } from '../../errors.ts';
import type { Resource } from '../../generated/prisma/client.ts';
import { noteChanges } from './change.ts';

/**
 * Make a reply the answer of its question, or take it back. Editors may, and the one who asked. Accepting it
 * takes the place of another, since one at most is the answer. Both are locked. What is done to replies is
 * part of the entry that has the id.
 */
export async function acceptReply(
  tx: Context,
  question: Resource,
  reply: Resource,
  accepted: boolean,
  entry: string,
): Promise<Resource> {
  mustMaySet(tx, ['accepted_answer']);
  if (!isAllowed(tx, 'edit resources') && question.createdById !== tx.viewer.id) {
    throw forbidden('Only an editor or the person who asked decides which reply is the answer.');
  }
  const former = await acceptNone(tx, question.id, entry);
  await writeAnswer(tx, question, reply, accepted, { id: entry });
  return accepted ? setAccepted(tx, reply, true, entry) : (former ?? reply);
}

/** Of the replies to a locked question none is the answer; gives the one that was, as it is now. */
export async function acceptNone(
  tx: Context,
  questionId: string,
  entry: string,
): Promise<Resource | null> {
  const { workspaceId } = tx;
  const former = await tx.db.resource.findFirst({
    where: { workspaceId, parentId: questionId, acceptedAnswer: true },
  });
  return former && setAccepted(tx, former, false, entry);
}

/** After an edit of a reply: a question that it answers says the same. The question is locked. */
export async function keepAnswer(
  tx: Context,
  reply: Resource,
  question: Resource | null,
  entry: string,
): Promise<void> {
  if (!reply.acceptedAnswer || !question || question.answer === reply.definition) return;
  await writeAnswer(tx, question, reply, true, { partOf: tx.partOf ?? entry });
}

/** Of a reply that is deleted: a question that it answered is Unanswered. The question is locked. */
export async function withdrawAnswer(
  tx: Context,
  reply: Resource,
  question: Resource | null,
  entry: string,
): Promise<void> {
  if (!reply.acceptedAnswer || !question) return;
  await writeAnswer(tx, question, reply, false, { partOf: tx.partOf ?? entry });
}

async function writeAnswer(
  tx: Context,
  question: Resource,
  reply: Resource,
  accepted: boolean,
  entry: Pick<Deed, 'id' | 'partOf'>,
): Promise<void> {
  const after = await tx.db.resource.update({
    where: { workspaceId_id: { workspaceId: tx.workspaceId, id: question.id } },
    data: {
      answer: accepted ? reply.definition : null,
      answeredById: accepted ? reply.createdById : null,
      questionStatus: accepted ? 'Answered' : 'Unanswered',
      updatedAt: tx.now(),
    },
  });
  await noteChanges(tx, [{ resourceId: question.id, what: 'answer' }]);
  await record(tx, {
    ...entry,
    activity: accepted ? 'question_answered' : 'question_reopened',
    subject: after,
    related: { ids: [reply.id], type: reply.kind },
    changes: changesOf(question, after),
  });
}

async function setAccepted(
  tx: Context,
  before: Resource,
  acceptedAnswer: boolean,
  entry: string,
): Promise<Resource> {
  const reply = await tx.db.resource.update({
    where: { workspaceId_id: { workspaceId: tx.workspaceId, id: before.id } },
    data: { acceptedAnswer, updatedAt: tx.now() },
  });
  await record(tx, {
    partOf: entry,
    activity: 'question_reply_updated',
    subject: reply,
    changes: changesOf(before, reply),
  });
  return reply;
}
