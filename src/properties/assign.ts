// The values that resources have of custom properties: setting and reading them.

import { type ExpectedVersion, mustBeAtVersion } from '../audit/version.ts';
import { isUser } from '../auth/account.ts';
import { mustMaySet } from '../auth/field-permission.ts';
import { isAllowed, mustBeAllowed } from '../auth/permission.ts';
import type { Context } from '../context.ts';
import { execute, rows } from '../database/rows.ts';
import { transaction } from '../database/transaction.ts';
import { CatalogError, type FieldError, invalid, invalidField, notFound } from '../errors.ts';
import { type CustomProperty, Prisma, type Resource } from '../generated/prisma/client.ts';
import { mustMayEdit } from '../resources/editing/asked-changes.ts';
import { noteChanges } from '../resources/editing/change.ts';
import { lockResources } from '../resources/editing/lock.ts';
import { findResource } from '../resources/resource.ts';
import { isUuid } from '../text/uuid.ts';
import { covers, readProperties } from './property.ts';
import { parseValue, wrongValue } from './value.ts';
import { type Assignment, differingIn, readStored, recordValues } from './value-entries.ts';

const maxResources = 10_000;
const maxValues = 100_000;

/**
 * Set values of properties on resources, all or nothing. `values` maps property ids to values; an
 * empty string deletes. Editors may. Throws NOT_FOUND for an unknown resource or property, BAD_REQUEST
 * for a wrong value (it names the property and its type) and for a resource of a kind that a property
 * does not cover. What has the values already is left as it is, and no one is told of it.
 * `expectedVersion` is that of the one resource that is meant.
 */
export async function setValues(
  ctx: Context,
  resourceIds: readonly string[],
  values: ReadonlyMap<string, string>,
  expectedVersion?: ExpectedVersion,
): Promise<void> {
  if (!isAllowed(ctx, 'edit resources')) mustBeAllowed(ctx, 'ask questions');
  checkSize(resourceIds.length, values.size);
  await transaction(ctx, async (tx) => {
    const properties = await lockProperties(tx, [...values.keys()]);
    const resources = await lockResources(tx, resourceIds);
    for (const resource of resources) mustMayEdit(tx, resource);
    mustMaySet(tx, ['custom_properties']);
    for (const resource of resources) await mustBeAtVersion(tx, resource, expectedVersion);
    const assignments = await checkValues(tx, resources, properties, values);
    const before = await readStored(tx, resources, properties);
    const differing = resources.filter((one) => differingIn(one, assignments, before).length > 0);
    if (differing.length === 0) return;
    const versions = await store(tx, differing, assignments);
    await noteChanges(
      tx,
      differing.map((one) => ({
        resourceId: one.id,
        what: 'properties',
        after: namesOf(differingIn(one, assignments, before)),
      })),
    );
    await recordValues(tx, differing, { assignments, before, versions });
  });
}

/** Set the value of one property on one resource; an empty string deletes it. As `setValues`. */
export async function setValue(
  ctx: Context,
  propertyId: string,
  resourceId: string,
  value: string,
  expectedVersion?: ExpectedVersion,
): Promise<void> {
  await setValues(ctx, [resourceId], new Map([[propertyId, value]]), expectedVersion);
}

/** A value of a resource, with its property. */
export interface PropertyValue {
  readonly property: CustomProperty;
  readonly value: string;
}

/** The values of many resources in one statement, by name of the property, for a loader. */
export async function valuesByResource(
  ctx: Context,
  ids: readonly string[],
): Promise<Map<string, PropertyValue[]>> {
  const found = await rows<{ resourceId: string; value: string; propertyId: string }>(
    ctx,
    Prisma.sql`select v.resource_id as "resourceId", v.property_id as "propertyId", v.value
      from custom_property_value v
      where v.workspace_id = ${ctx.workspaceId}::uuid and v.resource_id = any(${ids}::uuid[])`,
  );
  const wanted = [...new Set(found.map(({ propertyId }) => propertyId))];
  const known = wanted.length > 0 ? await readProperties(ctx, wanted) : [];
  const properties = new Map(known.map((property) => [property.id, property]));
  const values = new Map<string, PropertyValue[]>(ids.map((id) => [id, []]));
  for (const { resourceId, propertyId, value } of found) {
    const property = properties.get(propertyId);
    if (property) values.get(resourceId)?.push({ property, value });
  }
  for (const list of values.values()) list.sort(byName);
  return values;
}

function byName(a: PropertyValue, b: PropertyValue): number {
  if (a.property.name === b.property.name) return a.property.id < b.property.id ? -1 : 1;
  return a.property.name < b.property.name ? -1 : 1;
}

const namesOf = (assignments: readonly Assignment[]) =>
  assignments
    .map(({ property }) => property.name)
    .join(', ')
    .slice(0, 200)
    .toWellFormed();

function checkSize(resources: number, properties: number): void {
  if (resources === 0) throw invalidField('entity_ids', 'Name at least one resource.');
  if (properties === 0) throw invalidField('properties', 'Name at least one property.');
  if (resources > maxResources) {
    throw invalidField('entity_ids', `Use at most ${maxResources} resources.`);
  }
  if (resources * properties > maxValues) {
    throw invalidField('properties', `At most ${maxValues} values are set at once.`);
  }
}

async function lockProperties(ctx: Context, ids: readonly string[]): Promise<CustomProperty[]> {
  const found = await readProperties(ctx, ids.filter(isUuid), 'share');
  const known = new Set(found.map(({ id }) => id));
  const unknown = ids.find((id) => !known.has(id.toLowerCase()));
  if (unknown !== undefined) throw notFound('CustomProperty', unknown);
  return found;
}

/** All that is wrong with the values and what they are set on, in one error. */
async function checkValues(
  ctx: Context,
  resources: readonly Resource[],
  properties: readonly CustomProperty[],
  values: ReadonlyMap<string, string>,
): Promise<Assignment[]> {
  const given = new Map([...values].map(([id, value]) => [id.toLowerCase(), value]));
  const kinds = new Set(resources.map(({ kind }) => kind));
  const errors: FieldError[] = [];
  const assignments: Assignment[] = [];
  for (const property of properties) {
    const uncovered = [...kinds].filter((kind) => !covers(property, kind));
    if (uncovered.length > 0) errors.push(notCovered(property, uncovered));
    const text = given.get(property.id) ?? '';
    const value = await check(ctx, property, text);
    if (typeof value === 'string') assignments.push({ property, value });
    else errors.push(...value.fields);
  }
  if (errors.length === 0) return assignments;
  throw invalid(errors.map(({ message }) => message).join(' '), errors);
}

function notCovered(property: CustomProperty, kinds: readonly string[]): FieldError {
  const message =
    `The property "${property.name}" covers ${property.entityTypes.join(', ')}, ` +
    `not ${kinds.join(', ')}.`;
  return { field: `properties.${property.id}`, message };
}

/** The stored form of one value, or what is wrong with it. */
async function check(
  ctx: Context,
  property: CustomProperty,
  text: string,
): Promise<string | CatalogError> {
  if (text === '') return text;
  try {
    const value = parseValue(property, text);
    return (await meant(ctx, property, value)) ?? wrongValue(property, text);
  } catch (error) {
    if (error instanceof CatalogError) return error;
    throw error;
  }
}

/** A value as it is stored: of a resource its id of now. Null for the id of nothing. */
async function meant(
  ctx: Context,
  { valueType }: CustomProperty,
  value: string,
): Promise<string | null> {
  if (valueType === 'user') return (await isUser(ctx, value)) ? value : null;
  return valueType === 'resource' ? ((await findResource(ctx, value))?.id ?? null) : value;
}

async function store(
  ctx: Context,
  resources: readonly Resource[],
  assignments: readonly Assignment[],
): Promise<ReadonlyMap<string, number>> {
  const ids = resources.map(({ id }) => id);
  const kept = assignments.filter(({ value }) => value !== '');
  const cleared = assignments.filter(({ value }) => value === '');
  if (cleared.length > 0) {
    await execute(
      ctx,
      Prisma.sql`delete from custom_property_value v
        where v.workspace_id = ${ctx.workspaceId}::uuid and v.resource_id = any(${ids}::uuid[])
          and v.property_id = any(${cleared.map(({ property }) => property.id)}::uuid[])`,
    );
  }
  if (kept.length > 0) {
    await execute(
      ctx,
      Prisma.sql`insert into custom_property_value
          (workspace_id, resource_id, property_id, value, updated_at)
        select ${ctx.workspaceId}::uuid, r.id, p.id, p.value, ${ctx.now()}::timestamptz
        from unnest(${ids}::uuid[]) r(id) cross join
          unnest(${kept.map(({ property }) => property.id)}::uuid[],
            ${kept.map(({ value }) => value)}::text[]) p(id, value)
        on conflict (workspace_id, resource_id, property_id)
          do update set value = excluded.value, updated_at = excluded.updated_at`,
    );
  }
  const updated = await rows<{ id: string; version: number }>(
    ctx,
    Prisma.sql`update resource r set updated_at = ${ctx.now()}::timestamptz
      where r.workspace_id = ${ctx.workspaceId}::uuid and r.id = any(${ids}::uuid[])
      returning r.id, r.version`,
  );
  return new Map(updated.map(({ id, version }) => [id, version]));
}
