// What a resource names by id: its sets of teams, people, tags and so on, and its parent.

import type { ResourceField } from '../../auth/field-permission.ts';
import { visibleResources, visibleTeams } from '../../auth/permission.ts';
import type { Context } from '../../context.ts';
import { rows } from '../../database/rows.ts';
import { type FieldError, invalidFields } from '../../errors.ts';
import { Prisma, type Resource } from '../../generated/prisma/client.ts';
import { isUuid, unknownIds } from '../../text/uuid.ts';
import { idsOfNow } from '../alias.ts';
import { seenId, seenIds, seenTeamIds } from '../seen.ts';
import { lockOrder } from './lock.ts';

type Ids = readonly string[] | null | undefined;

/** The sets of ids that a resource carries. */
export type SetName =
  | 'teamIds'
  | 'ownerIds'
  | 'ownerGroupIds'
  | 'collectionIds'
  | 'tagIds'
  | 'subscriberIds';

/** Whole sets, as far as a change gives them: absent leaves one alone, null empties it. */
export type IdSets = { [Name in SetName]?: Ids };

/** Changes of sets: a whole one, or what is put to the one there is, and what is taken from it. */
export type SetChanges = IdSets & {
  [Name in SetName as `add${Capitalize<Name>}` | `remove${Capitalize<Name>}`]?: Ids;
};

interface Target {
  /** Its name over REST. */
  readonly field: ResourceField;
  /** What its ids name. */
  readonly of: 'teams' | 'users' | 'groups' | 'tags' | 'places';
  /** One of them, in messages. */
  readonly named: string;
  readonly add: keyof SetChanges;
  readonly remove: keyof SetChanges;
}

const targets: Readonly<Record<SetName, Target>> = {
  teamIds: {
    field: 'teams',
    of: 'teams',
    named: 'team',
    add: 'addTeamIds',
    remove: 'removeTeamIds',
  },
  ownerIds: {
    field: 'owners',
    of: 'users',
    named: 'user',
    add: 'addOwnerIds',
    remove: 'removeOwnerIds',
  },
  ownerGroupIds: {
    field: 'owners_groups',
    of: 'groups',
    named: 'group',
    add: 'addOwnerGroupIds',
    remove: 'removeOwnerGroupIds',
  },
  collectionIds: {
    field: 'collections',
    of: 'places',
    named: 'collection',
    add: 'addCollectionIds',
    remove: 'removeCollectionIds',
  },
  tagIds: { field: 'tags', of: 'tags', named: 'tag', add: 'addTagIds', remove: 'removeTagIds' },
  subscriberIds: {
    field: 'subscribers',
    of: 'users',
    named: 'user',
    add: 'addSubscriberIds',
    remove: 'removeSubscriberIds',
  },
};

/** What is read of a resource that another one names, as its parent or as a collection. */
export type ParentRow = Pick<
  Resource,
  | 'id'
  | 'kind'
  | 'title'
  | 'titleFull'
  | 'databaseName'
  | 'schemaName'
  | 'tableName'
  | 'cluster'
  | 'published'
>;

/** What a change of a resource names, locked against deletion until the transaction ends. */
export interface NamedThings {
  readonly changes: SetChanges;
  readonly known: Readonly<Record<Target['of'], ReadonlySet<string>>>;
  /** The parent that is named; null where none is, or there is no such resource. */
  readonly parent: ParentRow | null;
}

/**
 * Lock what a change names, so that no resource is left with the id of what is gone: in the order of
 * all locks, before the resource itself. Nothing is refused yet: `setsOf` does that, when it is known
 * that the viewer may change the resource at all.
 */
export async function lockNamed(
  ctx: Context,
  changes: SetChanges,
  parentId: string | null = null,
): Promise<NamedThings> {
  const named = (of: Target['of']) => namedIn(changes, of);
  const teams = await lockIds(ctx, Prisma.sql`team x`, named('teams'), visibleTeams(ctx, 'x'));
  const people = Prisma.sql`not x.is_service`;
  const users = await lockIds(ctx, Prisma.sql`user_account x`, named('users'), people);
  const groups = await lockIds(ctx, Prisma.sql`user_group x`, named('groups'));
  const tags = await lockIds(ctx, Prisma.sql`tag x`, named('tags'));
  const [parent] = parentId && isUuid(parentId) ? await idsOfNow(ctx, [parentId]) : [];
  const found = await lockParents(ctx, [...named('places'), ...(parent ? [parent] : [])]);
  const collections = found.filter(({ kind }) => kind === 'collection').map(({ id }) => id);
  return {
    changes,
    known: { teams, users, groups, tags, places: new Set(collections) },
    parent: found.find(({ id }) => id === parent?.toLowerCase()) ?? null,
  };
}

function namedIn(changes: SetChanges, of: Target['of']): string[] {
  return Object.entries(targets)
    .filter(([, target]) => target.of === of)
    .flatMap(([name, { add }]) => [
      ...(isSetName(name) ? idsOf(changes[name]) : []),
      ...idsOf(changes[add]),
    ]);
}

const idsOf = (ids: Ids): string[] => [...new Set((ids ?? []).map((id) => id.toLowerCase()))];

async function lockIds(
  ctx: Context,
  from: Prisma.Sql,
  wanted: readonly string[],
  alive = Prisma.sql`true`,
): Promise<ReadonlySet<string>> {
  const ids = wanted.filter(isUuid);
  if (ids.length === 0) return new Set();
  const found = await rows<{ id: string }>(
    ctx,
    Prisma.sql`select x.id from ${from} where x.workspace_id = ${ctx.workspaceId}::uuid
      and x.id = any(${ids}::uuid[]) and ${alive} order by x.id for share`,
  );
  return new Set(found.map(({ id }) => id));
}

async function lockParents(ctx: Context, wanted: readonly string[]): Promise<ParentRow[]> {
  const ids = wanted.filter(isUuid);
  if (ids.length === 0) return [];
  return rows<ParentRow>(
    ctx,
    Prisma.sql`select r.id, r.kind, r.title, r.title_full as "titleFull",
        r.database_name as "databaseName", r.schema_name as "schemaName",
        r.table_name as "tableName", r.cluster, r.published
      from resource r where r.workspace_id = ${ctx.workspaceId}::uuid
        and r.id = any(${ids}::uuid[]) and not r.archived and ${visibleResources(ctx)} order by ${lockOrder} for share`,
  );
}

/** Sets as they are to be stored. */
export type CheckedSets = { [Name in SetName]?: string[] };

/** Ids that a set holds at most. */
const maxIds = 10_000;

/**
 * Throw BAD_REQUEST where a list has more ids than a set may have, before any of them is looked at: of a hundred
 * thousand each look would keep others waiting.
 */
export function checkCounts(changes: SetChanges): void {
  const errors = Object.keys(targets)
    .filter(isSetName)
    .flatMap((name): FieldError[] => {
      const { field, add, remove } = targets[name];
      const lists = [
        [field, changes[name]],
        [`add_${field}`, changes[add]],
        [`remove_${field}`, changes[remove]],
      ] as const;
      return lists.flatMap(([given, ids]) =>
        ids && ids.length > maxIds ? [{ field: given, message: tooMany(ids.length) }] : [],
      );
    });
  if (errors.length > 0) throw invalidFields(errors);
}

const tooMany = (count: number) => `Use at most ${maxIds} ids, not ${count}.`;

type SetsBefore = Partial<Record<SetName, readonly string[]>>;

/** A resource with what the viewer may know of the ids on it, as they read it. */
export async function asSeen(ctx: Context, resource: Resource): Promise<Resource> {
  return {
    ...resource,
    parentId: await seenId(ctx, resource.parentId),
    teamIds: await seenTeamIds(ctx, resource.teamIds),
    collectionIds: await seenIds(ctx, resource.collectionIds),
  };
}

/**
 * The sets that a change makes of those there are, each without repeats: what is added comes last, what
 * is there already stays in its place, and so does what is not `seen`. Throws BAD_REQUEST that names each
 * field that is wrong, and the ids that name nothing of the workspace.
 */
export function setsOf(named: NamedThings, before: SetsBefore, seen: SetsBefore = before) {
  const sets: CheckedSets = {};
  const errors: FieldError[] = [];
  for (const name of Object.keys(targets).filter(isSetName)) {
    const problem = problemIn(named, name);
    if (problem) errors.push(problem);
    const own = changed(named.changes, name, seen[name] ?? []);
    if (!own) continue;
    const after = withUnseen(own, before[name] ?? [], seen[name] ?? []);
    sets[name] = after;
    if (after.length > maxIds) {
      errors.push({ field: targets[name].field, message: tooMany(after.length) });
    }
  }
  if (errors.length === 0) return sets;
  throw invalidFields(errors);
}

function withUnseen(
  after: readonly string[],
  before: readonly string[],
  seen: readonly string[],
): string[] {
  if (seen.length === before.length) return [...after];
  const kept = before.filter((id) => after.includes(id) || !seen.includes(id));
  return [...kept, ...after.filter((id) => !kept.includes(id))];
}

/** The sets that a change makes different from what they are, with what each then holds again or no longer. */
export function setsChanged(
  changes: SetChanges,
  before: SetsBefore,
): { field: ResourceField; ids: string[] }[] {
  return Object.keys(targets)
    .filter(isSetName)
    .flatMap((name) => {
      const there = new Set(before[name]);
      const after = new Set(changed(changes, name, [...there]) ?? there);
      const ids = [...there, ...after].filter((id) => there.has(id) !== after.has(id));
      return ids.length > 0 ? [{ field: targets[name].field, ids }] : [];
    });
}

/** Whether a change gives a set, wholly or in part. */
function changesSet(changes: SetChanges, name: SetName): boolean {
  const { add, remove } = targets[name];
  return [changes[name], changes[add], changes[remove]].some((given) => given !== undefined);
}

function changed(
  changes: SetChanges,
  name: SetName,
  before: readonly string[],
): string[] | undefined {
  if (!changesSet(changes, name)) return undefined;
  const { add, remove } = targets[name];
  const whole = changes[name] === undefined ? before : idsOf(changes[name]);
  const gone = new Set(idsOf(changes[remove]));
  return [...new Set([...whole, ...idsOf(changes[add])])].filter((id) => !gone.has(id));
}

function problemIn({ changes, known }: NamedThings, name: SetName): FieldError | null {
  const { field, of, named, add, remove } = targets[name];
  const [whole, added] = [idsOf(changes[name]), idsOf(changes[add])];
  const inPart = changes[add] !== undefined || changes[remove] !== undefined;
  if (changes[name] !== undefined && inPart) {
    return { field, message: `Give all of them, or add_${field} and remove_${field}, not both.` };
  }
  const gone = new Set(idsOf(changes[remove]));
  const unknown = [...whole, ...added].filter((id) => !known[of].has(id));
  if (unknown.length > 0) {
    const given = added.length > 0 ? `add_${field}` : field;
    return { field: given, message: unknownIds(named, unknown) };
  }
  const both = added.find((id) => gone.has(id));
  return both
    ? { field: `add_${field}`, message: `This is also in the list to remove: ${both}.` }
    : null;
}

function isSetName(name: string): name is SetName {
  return Object.hasOwn(targets, name);
}
