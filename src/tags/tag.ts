// Tags, the labels of resources.

import { record } from '../audit/audit.ts';
import { changesOf, changesOfGone, changesOfNew } from '../audit/changes.ts';
import { type ExpectedVersion, mustBeAtVersion } from '../audit/version.ts';
import { mustBeAllowed } from '../auth/permission.ts';
import type { Context } from '../context.ts';
import { columnsOf } from '../database/columns.ts';
import { loadList } from '../database/loader.ts';
import { execute, rows } from '../database/rows.ts';
import { transaction } from '../database/transaction.ts';
import { conflict, invalidField, notFound } from '../errors.ts';
import { checkFields, type Field, type Noun, name, optionalText, text } from '../fields.ts';
import { Prisma, type Tag } from '../generated/prisma/client.ts';
import { listPage, newestFirst, type Page, type PageArgs } from '../lists/page.ts';
import { lockWhere } from '../resources/editing/lock.ts';
import { isUuid } from '../text/uuid.ts';

/** What a tag is made of. Absent takes the default, or leaves alone; null clears. */
export interface TagInput {
  name?: string | null | undefined;
  description?: string | null | undefined;
  color?: string | null | undefined;
  icon?: string | null | undefined;
}

const colorForm = /^#[0-9a-f]{6}$/i;
const defaultColor = '#4299e1';

const color: Field<string, string> = {
  rest: 'color',
  holds: 'a color as #RRGGBB',
  form: { pattern: '^#[0-9a-fA-F]{6}$' },
  check: (given) => {
    if (given === null || colorForm.test(given)) return given ?? defaultColor;
    throw invalidField('color', `Use a color as #RRGGBB, not "${given.slice(0, 30)}".`);
  },
};

export const tagNoun: Noun<TagInput, Pick<Tag, 'name' | 'description' | 'color' | 'icon'>> = {
  by: 'edit tags',
  fields: {
    name: name('name', { missing: 'A tag needs a name.' }),
    description: text('description'),
    color,
    icon: optionalText('icon'),
  },
};

const columns = columnsOf(Prisma.TagScalarFieldEnum, 't');

/** Make a tag. Editors may. The name is unique without regard to case (CONFLICT). */
export async function createTag(ctx: Context, input: TagInput): Promise<Tag> {
  mustBeAllowed(ctx, tagNoun.by);
  const { name = 'Untitled tag', ...data } = checkFields(tagNoun, input);
  return transaction(ctx, async (tx) => {
    await holdName(tx, name);
    await mustBeFree(tx, name, null);
    const tag = await tx.db.tag.create({ data: { ...data, name, workspaceId: ctx.workspaceId } });
    const changes = changesOfNew(tag);
    await record(tx, { activity: 'tag_created', subject: subject(tag), changes });
    return tag;
  });
}

/** Change a tag. Editors may. */
export async function updateTag(
  ctx: Context,
  id: string,
  input: TagInput,
  expectedVersion?: ExpectedVersion,
): Promise<Tag> {
  mustBeAllowed(ctx, tagNoun.by);
  return transaction(ctx, async (tx) => {
    if (typeof input.name === 'string') await holdName(tx, input.name.trim());
    const before = await lockTag(tx, id, Prisma.sql`for no key update`);
    await mustBeAtVersion(tx, before, expectedVersion);
    const data = checkFields(tagNoun, input);
    if (data.name !== undefined) await mustBeFree(tx, data.name, before.id);
    const tag = await tx.db.tag.update({
      where: { workspaceId_id: { workspaceId: ctx.workspaceId, id: before.id } },
      data: { ...data, updatedAt: ctx.now() },
    });
    const changes = changesOf(before, tag);
    await record(tx, { activity: 'tag_updated', subject: subject(tag), changes });
    return tag;
  });
}

/** Delete a tag and take it off every resource. Editors may. Returns the tag as it was. */
export async function deleteTag(
  ctx: Context,
  id: string,
  expectedVersion?: ExpectedVersion,
): Promise<Tag> {
  mustBeAllowed(ctx, tagNoun.by);
  return transaction(ctx, async (tx) => {
    // Anyone who puts the tag on a resource holds a share lock: this waits for them, they for this.
    const tag = await lockTag(tx, id, Prisma.sql`for update`);
    await mustBeAtVersion(tx, tag, expectedVersion);
    const isTagged = Prisma.sql`r.tag_ids @> array[${tag.id}::uuid]`;
    await lockWhere(tx, isTagged);
    await execute(
      tx,
      Prisma.sql`update resource r set tag_ids = array_remove(r.tag_ids, ${tag.id}::uuid),
          updated_at = ${ctx.now()}::timestamptz
        where r.workspace_id = ${ctx.workspaceId}::uuid and ${isTagged}`,
    );
    await execute(
      tx,
      Prisma.sql`delete from tag t
        where t.workspace_id = ${ctx.workspaceId}::uuid and t.id = ${tag.id}::uuid`,
    );
    const changes = changesOfGone(tag);
    await record(tx, { activity: 'tag_deleted', subject: subject(tag), changes });
    return tag;
  });
}

/** One tag. Everyone may read it. */
export async function getTag(ctx: Context, id: string): Promise<Tag> {
  const tag = isUuid(id) ? (await tagsById(ctx, [id])).get(id.toLowerCase()) : undefined;
  if (!tag) throw notFound('Tag');
  return tag;
}

/** All tags, newest first. */
export async function listTags(ctx: Context, args: PageArgs): Promise<Page<Tag>> {
  return listPage<Tag>(
    ctx,
    {
      from: Prisma.sql`tag t`,
      columns,
      where: Prisma.sql`t.workspace_id = ${ctx.workspaceId}::uuid`,
      order: newestFirst(Prisma.sql`t`),
    },
    args,
  );
}

/** Tags by their ids, for a loader. */
async function tagsById(ctx: Context, ids: readonly string[]): Promise<Map<string, Tag>> {
  const found = await rows<Tag>(
    ctx,
    Prisma.sql`select ${columns} from tag t
      where t.workspace_id = ${ctx.workspaceId}::uuid and t.id = any(${ids}::uuid[])`,
  );
  return new Map(found.map((tag) => [tag.id, tag]));
}

/** The tags of these ids, in their order. */
export function loadTags(ctx: Context, ids: readonly string[]): Tag[] | Promise<Tag[]> {
  return loadList(ctx, tagsById, ids);
}

async function lockTag(ctx: Context, id: string, lock: Prisma.Sql): Promise<Tag> {
  const [tag] = isUuid(id)
    ? await rows<Tag>(
        ctx,
        Prisma.sql`select ${columns} from tag t
          where t.workspace_id = ${ctx.workspaceId}::uuid and t.id = ${id}::uuid ${lock}`,
      )
    : [];
  if (!tag) throw notFound('Tag');
  return tag;
}

/**
 * Let no one else give a tag the name until the transaction ends; to be called before a tag is locked.
 * Only those who want the same name wait for each other.
 */
async function holdName(ctx: Context, name: string): Promise<void> {
  await rows(
    ctx,
    Prisma.sql`select pg_advisory_xact_lock(
      hashtextextended(concat('tag ', ${ctx.workspaceId}::text, lower(${name}::text)), 0))::text`,
  );
}

/** A friendlier refusal than the unique index would give, which stands behind it. */
async function mustBeFree(ctx: Context, name: string, id: string | null): Promise<void> {
  const [taken] = await rows<{ name: string }>(
    ctx,
    Prisma.sql`select t.name from tag t where t.workspace_id = ${ctx.workspaceId}::uuid
      and lower(t.name) = lower(${name}) and t.id is distinct from ${id}::uuid`,
  );
  if (taken) throw conflict(`There is a tag named "${taken.name}" already.`);
}

function subject({ id, name, icon, integrationId, version }: Tag) {
  return { id, kind: 'tag', title: name, icon, integrationId, version };
}
