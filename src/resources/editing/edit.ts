// Changes resources: creating, updating, deleting and restoring them.

import { randomUUID } from 'node:crypto';
import { record } from '../../audit/audit.ts';
import { changesOf, changesOfNew } from '../../audit/changes.ts';
import { type ExpectedVersion, mustBeAtVersion } from '../../audit/version.ts';
import { isAllowed, mustBeAllowed } from '../../auth/permission.ts';
import type { Context } from '../../context.ts';
import { rows } from '../../database/rows.ts';
import { transaction } from '../../database/transaction.ts';
import { invalidField } from '../../errors.ts';
import { namesOf } from '../../fields.ts';
import { Prisma, type Resource } from '../../generated/prisma/client.ts';
import { mustFit } from '../../limits/workspace-limits.ts';
import { isUuid, unknownIds } from '../../text/uuid.ts';
import { placeByHand } from '../identities/by-hand.ts';
import { isConversation, type Kind, kinds, parseKind } from '../kind.ts';
import { approvalOf } from '../terms/approval.ts';
import { relateTerms } from '../terms/related-terms.ts';
import { keepAnswer } from './accepted-reply.ts';
import {
  editedBy,
  isMoved,
  mayStay,
  mustMayEdit,
  mustMaySetAll,
  type NewResource,
  type ResourceChanges,
} from './asked-changes.ts';
import { noteEdit } from './change.ts';
import { deprecationOf } from './deprecation.ts';
import { keepVersion } from './documentation-version.ts';
import { changesOfReleased } from './edited-fields.ts';
import { type CheckedFields, checkFields } from './fields.ts';
import { asSeen, type CheckedSets, checkCounts, lockNamed, setsOf } from './ids.ts';
import { holdForMove, locate, moveOf, mustHaveQuestion, renameDescendants } from './location.ts';
import { lockResource } from './lock.ts';
import { noteMentions, wordsOf } from './mentioned-people.ts';
import { publishParts } from './publish.ts';
import { mustBeFreeKey } from './source-key.ts';

/** Fields that only one kind has, checked by the file of that kind. */
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
 * of a kind that holds this one, a reply has a question, everything named must exist (BAD_REQUEST). What is
 * said of it here, imports leave alone from then on.
 */
export async function createResource(
  ctx: Context,
  kind: Kind,
  input: NewResource,
  extra: ExtraFields = {},
): Promise<Resource> {
  mustBeAllowed(ctx, isConversation(kind) ? 'ask questions' : 'edit resources');
  checkCounts(input);
  mustMaySetAll(ctx, kind, input, null);
  return transaction(ctx, async (tx) => {
    const { integration, named } = await lockForNew(tx, input);
    const fields = checkFields(tx, kind, input);
    const title = fields.title ?? `Untitled ${kinds[kind].label}`;
    const { parent } = named;
    mustHaveQuestion(kind, input.parentId);
    const location = locate(kind, title, { parentId: input.parentId, parent });
    const sets = setsOf(named, {});
    await mustBeFreeKey(tx, integration?.id ?? null, fields.databuilderId);
    await mustFit(tx, 'resources', 1);
    const resource = await tx.db.resource.create({
      data: {
        // What is said of something that was unpublished is no more public than that.
        published: isConversation(kind) && (parent?.published ?? true),
        ...(kind === 'question' ? { questionStatus: 'Unanswered' } : {}),
        ...location,
        ...fields,
        ...approvalOf(tx, null, fields),
        ...sets,
        ...extra,
        title,
        kind,
        editedFields: [...writtenFields(fields, sets), ...relatedFields(kind, input)],
        workspaceId: ctx.workspaceId,
        integrationId: integration?.id ?? null,
        createdById: ctx.viewer.id,
        multiplayerIds: [ctx.viewer.id],
        multiplayerLastModifiedBy: ctx.viewer.id,
        multiplayerLastModified: ctx.now(),
      },
    });
    await placeByHand(tx, resource);
    const after = wordsOf(resource);
    await noteMentions(tx, { resource: resource.id, before: '', after, in: 'documentation' });
    const changes = [...changesOfNew(resource), ...(await relateTerms(tx, resource, input))];
    await record(tx, { activity: `${kind}_created`, subject: resource, changes });
    return resource;
  });
}

/** The fields of a new resource that imports leave alone, as far as a person filled them. */
function writtenFields(fields: CheckedFields, sets: CheckedSets): string[] {
  const { description, definition, synonyms, termStatus } = fields;
  const { tagIds = [], ownerIds = [], ownerGroupIds = [] } = sets;
  const filled = {
    ...{ description, definition, tags: tagIds.length, owners: ownerIds.length },
    ...{ owners_groups: ownerGroupIds.length, synonyms: synonyms?.length, term_status: termStatus },
  };
  return namesOf(filled).filter((name) => Boolean(filled[name]));
}

/** The same of the terms that it is related to from the start. */
function relatedFields(kind: string, { relatedTermIds, addRelatedTermIds }: NewResource): string[] {
  const isAny = [relatedTermIds, addRelatedTermIds].some((ids) => ids != null && ids.length > 0);
  return kind === 'glossary' && isAny ? ['related_term_ids'] : [];
}

/** The integration of a new resource, whose teams hold it where no others are named. */
async function lockForNew(tx: Context, input: NewResource) {
  for (let attempt = 1; ; attempt += 1) {
    const integration = await integrationOf(tx, input.integrationId);
    const inherited = integration?.teamIds ?? [];
    const named = await lockNamed(tx, withTeams(input, inherited), input.parentId);
    // A team may just have been deleted: the integration has another one in its place by now.
    const isCurrent = input.teamIds != null || inherited.every((id) => named.known.teams.has(id));
    if (isCurrent || attempt === maxAttempts) return { integration, named };
  }
}

const maxAttempts = 3;

function withTeams(input: NewResource, inherited: readonly string[]): NewResource {
  if (input.teamIds != null) return input;
  const gone = new Set(input.removeTeamIds);
  const teamIds = [...inherited, ...(input.addTeamIds ?? [])].filter((id) => !gone.has(id));
  return { ...input, teamIds, addTeamIds: undefined, removeTeamIds: undefined };
}

async function integrationOf(ctx: Context, id: string | null | undefined) {
  if (id == null || id === '') return null;
  const [integration] = !isUuid(id)
    ? []
    : await rows<{ id: string; teamIds: string[] }>(
        ctx,
        Prisma.sql`select id, team_ids as "teamIds" from integration
          where workspace_id = ${ctx.workspaceId}::uuid and id = ${id}::uuid`,
      );
  if (!integration) throw invalidField('integration', unknownIds('integration', [id]));
  return integration;
}

/** Which resource an edit is of, and what goes with it. */
export interface EditOptions {
  /** Kinds it may be of; a resource of another kind is not found. */
  readonly kinds?: readonly Kind[] | undefined;
  readonly extra?: ExtraFields | undefined;
  /** The version it must be at: a later one is a CONFLICT that says who made it. */
  readonly expectedVersion?: ExpectedVersion;
  /** Id of the entry in the audit log, where others have to name it as what they are part of. */
  readonly entry?: string;
}

/**
 * Change a resource. Editors may; a viewer may change what they said in a question or reply. A changed
 * definition becomes a new version; what a person makes different, imports leave alone from then on, until
 * it is handed back. Columns are published and unpublished with their table, replies with their question.
 * Others who change it at the same time come before or after: nothing of theirs is undone but what is named here.
 */
export async function updateResource(
  ctx: Context,
  id: string,
  changes: ResourceChanges,
  { kinds: only, extra = {}, expectedVersion, entry = randomUUID() }: EditOptions = {},
): Promise<Resource> {
  if (!isAllowed(ctx, 'edit resources')) mustBeAllowed(ctx, 'ask questions');
  checkCounts(changes);
  return transaction(ctx, async (tx) => {
    await holdForMove(tx, changes, only);
    const named = await lockNamed(tx, changes, changes.parentId);
    const withParent = mayStay(ctx, changes) && (changes.title ?? changes.parentId) !== undefined;
    const held = await lockResource(tx, id, { kinds: only, withParent, withQuestion: true });
    const before = held.resource;
    mustMayEdit(ctx, before);
    // Anyone who sends back what they read changes nothing of what they may not see.
    const seen = await asSeen(tx, before);
    mustMaySetAll(ctx, parseKind(before.kind), changes, seen);
    await mustBeAtVersion(tx, before, expectedVersion);
    const fields = checkFields(tx, parseKind(before.kind), changes);
    const { title } = fields;
    const stays = mayStay(ctx, changes) && !isMoved(changes, seen);
    const [parentId, parent] = stays ? [undefined, held.parent] : [changes.parentId, named.parent];
    const moved = await moveOf(tx, before, { title, parentId }, parent);
    const sets = setsOf(named, before, seen);
    if (fields.databuilderId !== before.databuilderId) {
      await mustBeFreeKey(tx, before.integrationId, fields.databuilderId);
    }
    const version = await keepVersion(tx, before, fields.definition);
    const related = await relateTerms(tx, before, changes);
    const resource = await tx.db.resource.update({
      where: { workspaceId_id: { workspaceId: ctx.workspaceId, id: before.id } },
      data: {
        ...fields,
        ...approvalOf(tx, before, fields),
        ...sets,
        ...moved,
        ...extra,
        ...(await deprecationOf(tx, before, changes.deprecation)),
        ...(fields.forcedUnstaleByUser ? { stale: false, staleAt: null } : {}),
        ...(version ? { definitionVersion: version.version } : {}),
        editedFields: editedBy(before, changes, related.length > 0),
        multiplayerIds: [...new Set([ctx.viewer.id, ...before.multiplayerIds])].slice(0, 20),
        multiplayerLastModifiedBy: ctx.viewer.id,
        multiplayerLastModified: ctx.now(),
        updatedAt: ctx.now(),
      },
    });
    await renameDescendants(tx, before, resource);
    if (before.titleFull !== resource.titleFull) await placeByHand(tx, resource);
    await publishParts(tx, before, resource);
    await noteEdit(tx, before, resource);
    const texts = { before: wordsOf(before), after: wordsOf(resource) };
    await noteMentions(tx, { resource: resource.id, ...texts, in: 'documentation' });
    await keepAnswer(tx, resource, held.parent, entry);
    await record(tx, {
      id: entry,
      activity: `${before.kind}_updated`,
      subject: resource,
      changes: [...changesOf(before, resource), ...changesOfReleased(before, resource), ...related],
      ...(version ? { versionId: version.id } : {}),
    });
    return resource;
  });
}
