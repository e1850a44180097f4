// What the audit log says of the values of custom properties that were set.

import { randomUUID } from 'node:crypto';
import { type Deed, recordAll } from '../audit/audit.ts';
import { changeOf, type FieldChange } from '../audit/changes.ts';
import type { Context } from '../context.ts';
import { rows } from '../database/rows.ts';
import { type CustomProperty, Prisma, type Resource } from '../generated/prisma/client.ts';

/** A value that is to be stored; an empty one is to be deleted. */
export interface Assignment {
  readonly property: CustomProperty;
  readonly value: string;
}

/** What was stored: by ids of resource and property what there was before, and the versions it made. */
export interface Stored {
  readonly assignments: readonly Assignment[];
  readonly before: ReadonlyMap<string, string>;
  readonly versions: ReadonlyMap<string, number>;
}

/** The values that resources have of properties, by the ids of both with a space between. */
export async function readStored(
  tx: Context,
  resources: readonly Resource[],
  properties: readonly CustomProperty[],
): Promise<ReadonlyMap<string, string>> {
  const found = await rows<{ key: string; value: string }>(
    tx,
    Prisma.sql`select v.resource_id || ' ' || v.property_id as key, v.value
      from custom_property_value v where v.workspace_id = ${tx.workspaceId}::uuid
        and v.resource_id = any(${resources.map(({ id }) => id)}::uuid[])
        and v.property_id = any(${properties.map(({ id }) => id)}::uuid[])`,
  );
  return new Map(found.map(({ key, value }) => [key, value]));
}

/** The values that a resource does not have yet. */
export function differingIn(
  { id }: Resource,
  assignments: readonly Assignment[],
  before: ReadonlyMap<string, string>,
): Assignment[] {
  return assignments.filter(
    ({ property, value }) => (before.get(`${id} ${property.id}`) ?? '') !== value,
  );
}

/** One entry: that of the one resource, or one of them all that those of each are parts of. */
export async function recordValues(
  tx: Context,
  resources: readonly Resource[],
  { assignments, before, versions }: Stored,
): Promise<void> {
  const activity = 'custom_properties_updated';
  const related = { ids: assignments.map(({ property }) => property.id), type: 'custom_property' };
  const all = resources.length > 1 ? randomUUID() : null;
  const deeds = resources.map((resource): Deed => {
    const version = versions.get(resource.id) ?? resource.version;
    const changes = differingIn(resource, assignments, before).map(({ property, value }) =>
      changeOfValue(property, before.get(`${resource.id} ${property.id}`) ?? '', value),
    );
    return { activity, subject: { ...resource, version }, changes, related, partOf: all };
  });
  if (all === null) return recordAll(tx, deeds);
  const whole: Deed = {
    id: all,
    activity,
    related: { ids: resources.map(({ id }) => id), type: 'resource' },
    changes: assignments.map(({ property, value }) => changeOfValue(property, '', value)),
  };
  await recordAll(tx, [whole, ...deeds]);
}

function changeOfValue({ name }: CustomProperty, before: string, after: string): FieldChange {
  return changeOf(`customProperties.${name}`, before || null, after || null);
}
