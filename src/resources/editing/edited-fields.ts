// Which fields of a resource imports leave alone: those that a person edited and did not hand back.

import { changeOf, type FieldChange } from '../../audit/changes.ts';
import { invalidField } from '../../errors.ts';
import type { Resource } from '../../generated/prisma/client.ts';

/** Fields that people and sources both set, by their names over REST. */
export const editedFields = [
  'description',
  'definition',
  'tags',
  'owners',
  'owners_groups',
  'synonyms',
  'term_status',
  'related_term_ids',
  'deprecation',
] as const;
export type EditedField = (typeof editedFields)[number];

/**
 * The fields that imports leave alone after an edit that made some of them different, and that hands some
 * back to the source. What one edit does both of stays as it was edited.
 */
export function editedAfter(
  before: Resource,
  changed: readonly string[],
  released: readonly string[],
): string[] {
  const kept = before.editedFields.filter((field) => !released.includes(field));
  return [...new Set([...kept, ...editedFields.filter((field) => changed.includes(field))])];
}

/** The fields to hand back. Throws BAD_REQUEST for a name of something else. */
export function checkReleased(given: readonly string[] | null | undefined): readonly string[] {
  const names: readonly string[] = editedFields;
  const unknown = given?.find((field) => !names.includes(field));
  if (unknown === undefined) return given ?? [];
  const message = `Use ${names.join(', ')}, not "${unknown.slice(0, 30)}".`;
  throw invalidField('release_fields', message);
}

/** What the audit log says of fields that were handed back; of those that were edited it says the values. */
export function changesOfReleased(before: Resource, after: Resource): FieldChange[] {
  const isReleased = before.editedFields.some((field) => !after.editedFields.includes(field));
  return isReleased ? [changeOf('editedFields', before.editedFields, after.editedFields)] : [];
}
