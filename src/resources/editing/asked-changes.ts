// What people ask to change of a resource: what it makes different, and whether they may.

import { mustMaySet, type ResourceField } from '../../auth/field-permission.ts';
import { isAllowed } from '../../auth/permission.ts';
import type { Context } from '../../context.ts';
import { forbidden } from '../../errors.ts';
import type { Resource } from '../../generated/prisma/client.ts';
import { isConversation, type Kind, parseKind } from '../kind.ts';
import { changesRelated, type RelatedChanges } from '../terms/related-terms.ts';
import type { DeprecationInput } from './deprecation.ts';
import { checkReleased, editedAfter } from './edited-fields.ts';
import { type Fields, fieldsChanged } from './fields.ts';
import { type SetChanges, setsChanged } from './ids.ts';
import { ownedFields } from './source-key.ts';

/** What a resource is created with; all but the kind may be left out. */
export type NewResource = SetChanges &
  RelatedChanges &
  Fields & {
    parentId?: string | null | undefined;
    integrationId?: string | null | undefined;
  };

/** What of a resource is changed: absent leaves alone, null clears. */
export type ResourceChanges = NewResource & {
  /** Fields that people edited, and that the source is to set again. */
  releaseFields?: readonly string[] | null | undefined;
  /** That it is no longer to be used; null ends that. */
  deprecation?: DeprecationInput | null | undefined;
};

/** Throw FORBIDDEN unless the viewer may edit the resource: editors any, others what they said. */
export function mustMayEdit(ctx: Context, resource: Resource): void {
  if (isAllowed(ctx, 'edit resources')) return;
  const isOwn = resource.createdById === ctx.viewer.id;
  if (isOwn && isConversation(resource.kind)) return;
  throw forbidden(`The role ${ctx.viewer.role} may edit only its own questions and replies.`);
}

/**
 * Throw FORBIDDEN that names what the viewer may not set, of all that a change makes different: of `before`,
 * or, for something new, of what it is by itself. Nothing that it names was looked up yet.
 */
export function mustMaySetAll(
  ctx: Context,
  kind: Kind,
  changes: ResourceChanges,
  before: Resource | null,
): void {
  const sets = setsChanged(changes, before ?? {})
    .filter(({ field, ids }) => field !== 'subscribers' || ids.some((id) => id !== ctx.viewer.id))
    .map(({ field }) => field);
  const moved: ResourceField[] = isMoved(changes, before) ? ['parent'] : [];
  // It cannot be changed later, and is left alone then.
  const joined: ResourceField[] = before === null && changes.integrationId ? ['integration'] : [];
  const released: ResourceField[] = changes.releaseFields?.length ? ['release_fields'] : [];
  const plain = fieldsChanged(kind, changes, before ?? { published: isConversation(kind) });
  const related: ResourceField[] = changesRelated(changes) ? ['related_term_ids'] : [];
  const ended: ResourceField[] = changesDeprecation(changes, before) ? ['deprecation'] : [];
  const all = [...plain, ...sets, ...moved, ...joined, ...released, ...related, ...ended];
  mustMaySet(ctx, all, ownedFields(kind, before));
}

export function isMoved({ parentId }: ResourceChanges, before: Resource | null): boolean {
  return parentId !== undefined && (parentId?.toLowerCase() || null) !== (before?.parentId ?? null);
}

/** Whether a change may leave a resource where it is: who may not see where that is reads, and sends, no parent. */
export function mayStay(ctx: Context, { parentId }: ResourceChanges): boolean {
  return parentId === undefined || (!parentId && !isAllowed(ctx, 'edit resources'));
}

/** Whether a change says that something is deprecated, or ends that. */
function changesDeprecation({ deprecation }: ResourceChanges, before: Resource | null): boolean {
  const isDeprecated = (before?.deprecatedAt ?? null) !== null;
  return Boolean(deprecation) || (deprecation === null && isDeprecated);
}

/** Whether a change makes anything of a resource different. */
export function changesAnything(changes: ResourceChanges, before: Resource): boolean {
  const plain = fieldsChanged(parseKind(before.kind), changes, before);
  const sets = setsChanged(changes, before);
  return plain.length > 0 || sets.length > 0 || isMoved(changes, before);
}

/**
 * The fields that imports leave alone after an edit: also those that it makes different. What it does to links with related
 * terms is known to the one who calls.
 */
export function editedBy(before: Resource, changes: ResourceChanges, isRelated: boolean): string[] {
  const plain = fieldsChanged(parseKind(before.kind), changes, before);
  const sets = setsChanged(changes, before).map(({ field }) => field);
  const deprecated = changesDeprecation(changes, before) ? ['deprecation'] : [];
  const related = isRelated ? ['related_term_ids'] : [];
  const released = checkReleased(changes.releaseFields);
  return editedAfter(before, [...plain, ...sets, ...deprecated, ...related], released);
}
