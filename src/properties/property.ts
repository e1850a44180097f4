// Custom properties: what people define, not the values they give.

import { record } from '../audit/audit.ts';
import { changesOf, changesOfGone, changesOfNew } from '../audit/changes.ts';
import { type ExpectedVersion, mustBeAtVersion } from '../audit/version.ts';
import { mustBeAllowed } from '../auth/permission.ts';
import type { Context } from '../context.ts';
import { columnsOf } from '../database/columns.ts';
import { holdName } from '../database/held-name.ts';
import { loaderOf } from '../database/loader.ts';
import { execute, rows } from '../database/rows.ts';
import { transaction } from '../database/transaction.ts';
import { CatalogError, conflict, notFound } from '../errors.ts';
import { type CustomProperty, Prisma } from '../generated/prisma/client.ts';
import { listPage, newestFirst, type Page, type PageArgs } from '../lists/page.ts';
import { isUuid } from '../text/uuid.ts';
import {
  blank,
  type Definition,
  definitionOf,
  type PropertyInput,
  propertyNoun,
} from './definition.ts';
import { parseValue } from './value.ts';

/** Every property is listed in one answer, so a workspace has only so many. */
const maxProperties = 1_000;
/** So many different values are compared with a new definition; more are taken not to fit. */
const maxCompared = 10_000;

const columns = columnsOf(Prisma.CustomPropertyScalarFieldEnum, 'p');

/** Define a property. Editors may. */
export async function createProperty(ctx: Context, input: PropertyInput): Promise<CustomProperty> {
  mustBeAllowed(ctx, propertyNoun.by);
  const data = definitionOf(input, blank);
  return transaction(ctx, async (tx) => {
    const { workspaceId } = ctx;
    await holdNumber(tx);
    if ((await tx.db.customProperty.count({ where: { workspaceId } })) >= maxProperties) {
      throw conflict(`A workspace has at most ${maxProperties} custom properties.`);
    }
    const property = await tx.db.customProperty.create({ data: { ...data, workspaceId } });
    const changes = changesOfNew(property);
    await record(tx, { activity: 'custom_property_created', subject: subject(property), changes });
    return property;
  });
}

/** Change what is given of a property's definition (PATCH). Editors may. */
export async function updateProperty(
  ctx: Context,
  id: string,
  input: PropertyInput,
  expectedVersion?: ExpectedVersion,
): Promise<CustomProperty> {
  return change(ctx, id, expectedVersion, (before) => definitionOf(input, before));
}

/** Replace a property's definition (PUT): what is left out takes its default. Editors may. */
export async function replaceProperty(
  ctx: Context,
  id: string,
  input: PropertyInput,
  expectedVersion?: ExpectedVersion,
): Promise<CustomProperty> {
  return change(ctx, id, expectedVersion, () => definitionOf(input, blank));
}

/** A definition that the values there are would not fit is refused (CONFLICT): no value is lost. */
async function change(
  ctx: Context,
  id: string,
  expectedVersion: ExpectedVersion,
  check: (before: CustomProperty) => Definition,
): Promise<CustomProperty> {
  mustBeAllowed(ctx, propertyNoun.by);
  return transaction(ctx, async (tx) => {
    const before = await lockProperty(tx, id);
    await mustBeAtVersion(tx, before, expectedVersion);
    const data = check(before);
    await mustFitValues(tx, before, data);
    const property = await tx.db.customProperty.update({
      where: { workspaceId_id: { workspaceId: ctx.workspaceId, id: before.id } },
      data: { ...data, updatedAt: ctx.now() },
    });
    const changes = changesOf(before, property);
    await record(tx, { activity: 'custom_property_updated', subject: subject(property), changes });
    return property;
  });
}

/** Delete a property and all its values. Editors may. */
export async function deleteProperty(
  ctx: Context,
  id: string,
  expectedVersion?: ExpectedVersion,
): Promise<CustomProperty> {
  mustBeAllowed(ctx, propertyNoun.by);
  return transaction(ctx, async (tx) => {
    const property = await lockProperty(tx, id);
    await mustBeAtVersion(tx, property, expectedVersion);
    await execute(
      tx,
      Prisma.sql`delete from custom_property p
        where p.workspace_id = ${ctx.workspaceId}::uuid and p.id = ${property.id}::uuid`,
    );
    const changes = changesOfGone(property);
    await record(tx, { activity: 'custom_property_deleted', subject: subject(property), changes });
    return property;
  });
}

/** One property. Everyone may read it. */
export async function getProperty(ctx: Context, id: string): Promise<CustomProperty> {
  const [property] = isUuid(id) ? await readProperties(ctx, [id]) : [];
  if (!property) throw notFound('CustomProperty');
  return property;
}

/** The same for fields of many rows, which read them together. */
export async function loadProperty(ctx: Context, id: string): Promise<CustomProperty> {
  const property = isUuid(id)
    ? await loaderOf(ctx, propertiesById).load(id.toLowerCase())
    : undefined;
  if (!property) throw notFound('CustomProperty');
  return property;
}

async function propertiesById(ctx: Context, ids: readonly string[]) {
  return new Map((await readProperties(ctx, ids)).map((property) => [property.id, property]));
}

/** All properties, newest first. Everyone may read them. */
export async function listProperties(ctx: Context, args: PageArgs): Promise<Page<CustomProperty>> {
  return listPage<CustomProperty>(
    ctx,
    {
      from: Prisma.sql`custom_property p`,
      columns,
      where: Prisma.sql`p.workspace_id = ${ctx.workspaceId}::uuid`,
      order: newestFirst(Prisma.sql`p`),
    },
    args,
  );
}

/** The properties of these ids; with `lock`, none of them is changed until the transaction ends. */
export async function readProperties(
  ctx: Context,
  ids: readonly string[],
  lock: 'share' | 'none' = 'none',
): Promise<CustomProperty[]> {
  return rows<CustomProperty>(
    ctx,
    Prisma.sql`select ${columns} from custom_property p
      where p.workspace_id = ${ctx.workspaceId}::uuid and p.id = any(${ids}::uuid[])
      order by p.id ${Prisma.raw(lock === 'share' ? 'for share' : '')}`,
  );
}

/** Whether a property covers resources of a kind. */
export function covers({ entityTypes }: Pick<CustomProperty, 'entityTypes'>, kind: string) {
  return entityTypes.includes('all') || entityTypes.includes(kind);
}

/** Let no one else define a property until the transaction ends, so that they can be counted. */
async function holdNumber(ctx: Context): Promise<void> {
  await holdName(ctx, `property ${ctx.workspaceId}`);
}

async function lockProperty(ctx: Context, id: string): Promise<CustomProperty> {
  const [property] = isUuid(id)
    ? await rows<CustomProperty>(
        ctx,
        Prisma.sql`select ${columns} from custom_property p
          where p.workspace_id = ${ctx.workspaceId}::uuid and p.id = ${id}::uuid for update`,
      )
    : [];
  if (!property) throw notFound('CustomProperty');
  return property;
}

async function mustFitValues(
  ctx: Context,
  before: CustomProperty,
  after: Definition,
): Promise<void> {
  const values = await rows<{ value: string; kind: string }>(
    ctx,
    Prisma.sql`select distinct v.value, r.kind from custom_property_value v
      join resource r on r.workspace_id = v.workspace_id and r.id = v.resource_id
      where v.workspace_id = ${ctx.workspaceId}::uuid and v.property_id = ${before.id}::uuid
      limit ${maxCompared + 1}`,
  );
  const other = values.find(({ kind }) => !covers(after, kind));
  if (other) {
    throw conflict(
      `There are values on resources of kind ${other.kind}, which the property would not cover.`,
    );
  }
  const refers = after.valueType === 'user' || after.valueType === 'resource';
  const renewed = refers && after.valueType !== before.valueType;
  const misfit = values.find(
    ({ value }, i) => renewed || i >= maxCompared || !fits({ ...after, id: before.id }, value),
  );
  if (misfit) {
    throw conflict(
      `There are values that do not fit ${after.valueType} as defined, such as ` +
        `${JSON.stringify(misfit.value.slice(0, 60))}; change or clear them first.`,
    );
  }
}

function fits(rule: Definition & { id: string }, value: string): boolean {
  try {
    return parseValue(rule, value) === value;
  } catch (error) {
    if (error instanceof CatalogError) return false;
    throw error;
  }
}

function subject({ id, name, version }: CustomProperty) {
  return { id, kind: 'custom_property', title: name, version };
}
