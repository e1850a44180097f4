// One change of many resources, and of their custom properties: each by itself, with what became of it.

import { z } from 'zod';
import { changesOf } from '../audit/changes.ts';
import { mustBeAllowed } from '../auth/permission.ts';
import type { Context } from '../context.ts';
import { transaction } from '../database/transaction.ts';
import { CatalogError, invalid, invalidField } from '../errors.ts';
import type { Job, Prisma } from '../generated/prisma/client.ts';
import { enqueueJob, payloadOf } from '../jobs/job.ts';
import type { JobKind } from '../jobs/job-kind.ts';
import type { Run } from '../jobs/run.ts';
import type { Page } from '../lists/page.ts';
import type { ResourceChanges } from '../resources/editing/asked-changes.ts';
import { updateResource } from '../resources/editing/edit.ts';
import { getResource, listResources } from '../resources/resource.ts';
import { wordsOfWarning } from '../warning.ts';
import { setValues } from './assign.ts';
import { readValues } from './value-object.ts';

/** Which resources to change, and how. */
export interface ManyChanges {
  /** Their ids, or a typed filter that holds for them: one of both. */
  readonly ids?: readonly string[] | null | undefined;
  readonly where?: object | null | undefined;
  /** A filter in the language of REST, instead of `where`. */
  readonly filter?: unknown;
  readonly changes: ResourceChanges;
  /** Values of custom properties by their ids; an empty string deletes. */
  readonly values: ReadonlyMap<string, string>;
  /** Whether only to say what would become of it. */
  readonly dryRun: boolean;
}

/** What became of a change of many. */
export interface ManyChanged {
  readonly matched: number;
  /** How many were changed by now; none yet where a job does it. */
  readonly updated: number;
  readonly failed: readonly Unchanged[];
  /** Changes them, where they are too many to wait for. */
  readonly job: Job | null;
}

/** A resource that was not changed, and why. */
export interface Unchanged {
  readonly id: string;
  readonly code: string;
  readonly message: string;
}

/** Resources that one request changes by itself: each takes some statements, and its client waits. More become a job. */
export const maxAtOnce = 500;
/** Resources that one job changes: their ids stand in its row. */
export const maxMany = 20_000;
/** Of those that a job could not change, so many are named. */
const maxNamed = 1_000;

/** The kind of job that changes many resources. */
export const manyJob = 'resources.update' satisfies JobKind;

/**
 * Change many resources alike. Editors may. Each is a transaction with an entry of the audit log of its own, so that one
 * that is refused keeps none of the others. More than 500 are changed by a job: those that were meant when it was asked for.
 * Throws BAD_REQUEST where not exactly one of ids and filter is given, and for more than 20,000.
 */
export async function updateResources(ctx: Context, asked: ManyChanges): Promise<ManyChanged> {
  mustBeAllowed(ctx, 'edit resources');
  const { changes, values, dryRun } = asked;
  const ids = await idsOf(ctx, asked);
  return changeEach(ctx, {
    ids: [...ids],
    items: ids.map((id) => ({ id, changes, values })),
    dryRun,
  });
}

/** A change of one of many. */
export interface ChangedItem {
  readonly id: string;
  readonly changes: ResourceChanges;
  /** Values of custom properties by their ids; an empty string deletes. */
  readonly values: ReadonlyMap<string, string>;
  /** The version that is meant, where the change says so. */
  readonly expectedVersion?: number | undefined;
}

/** Changes of many; `ids` where all are alike, so that one is stored for all of them. */
interface EachChange {
  readonly items: readonly ChangedItem[];
  readonly ids?: readonly string[];
  readonly dryRun: boolean;
}

/**
 * Make each of some changes in a transaction of its own, at once or by a job. The caller has checked that the viewer may edit
 * resources, and that there are no more than a job takes.
 */
export async function changeEach(ctx: Context, each: EachChange): Promise<ManyChanged> {
  const { items, dryRun } = each;
  const matched = items.length;
  if (matched > maxAtOnce) {
    return { matched, updated: 0, failed: [], job: await enqueue(ctx, each) };
  }
  const failed: Unchanged[] = [];
  for (const item of items) failed.push(...(await tryOne(ctx, item, dryRun)));
  return { matched, updated: matched - failed.length, failed, job: null };
}

/** Change one of many, and answer why it was not changed, or nothing. */
async function tryOne(ctx: Context, item: ChangedItem, dryRun: boolean): Promise<Unchanged[]> {
  const { id } = item;
  try {
    await changeOne(ctx, item, dryRun);
    return [];
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
    // It may have been this job that changed it, before its worker was lost.
    if (error.code === 'CONFLICT' && (await isAlreadySo(ctx, item))) return [];
    return [{ id, code: error.code, message: error.message }];
  }
}

/** Whether a resource is as a change of another version of it asks already. */
async function isAlreadySo(ctx: Context, item: ChangedItem): Promise<boolean> {
  if (item.expectedVersion === undefined) return false;
  let isSo = false;
  try {
    await tryOnly(ctx, async (tx) => {
      const before = await getResource(tx, item.id);
      await write(tx, { ...item, values: new Map(), expectedVersion: undefined });
      const after = await getResource(tx, item.id);
      await write(tx, { ...item, changes: {}, expectedVersion: undefined });
      const { version } = await getResource(tx, item.id);
      isSo = changesOf(before, after).length === 0 && version === after.version;
    });
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
  }
  return isSo;
}

async function enqueue(ctx: Context, { items, ids, dryRun }: EachChange): Promise<Job> {
  const stored = ({ values, ...item }: ChangedItem): Prisma.InputJsonValue =>
    JSON.parse(JSON.stringify({ ...item, values: Object.fromEntries(values) }));
  const [first] = items;
  const alike =
    ids && first ? { ids: [...ids], alike: stored(first) } : { items: items.map(stored) };
  const total = items.length.toLocaleString('en');
  const title = `${dryRun ? 'Try to change' : 'Change'} ${total} resources`;
  return (await enqueueJob(ctx, { kind: manyJob, title, payload: { ...alike, dryRun } })).job;
}

/**
 * What a job has found so far: it is stored with each refusal that is named and each warning, so that a later attempt knows
 * of them. Those beyond are only counted, and stored a hundred at a time.
 */
const unsavedAtMost = 100;
const foundSoFar = z.object({
  done: z.number(),
  refused: z.number(),
  failed: z.array(z.object({ id: z.string(), code: z.string(), message: z.string() })),
  warnings: z.array(z.object({ field: z.string(), message: z.string() })),
});

/** The handler of jobs that change many resources. One that is run again goes on where it was. */
export async function runMany({ job, ctx, log, progress, keep }: Run): Promise<unknown> {
  mustBeAllowed(ctx, 'edit resources');
  const items = itemsOf(job);
  const dryRun = payloadOf(job).dryRun === true;
  const before = foundSoFar.safeParse(job.result).data;
  const { failed = [], warnings = [] } = before ?? {};
  let refused = before?.refused ?? 0;
  ctx.warnings.push(...warnings);
  let unsaved = 0;
  const from = Math.max(job.progressDone, before?.done ?? 0);
  for (const [at, item] of items.entries()) {
    if (at < from) continue;
    ctx.signal?.throwIfAborted();
    const warned = ctx.warnings.length;
    const [why] = await tryOne(ctx, item, dryRun);
    if (why) {
      refused += 1;
      if (failed.length < maxNamed) failed.push(why);
    }
    if (why || ctx.warnings.length > warned) unsaved += 1;
    if (unsaved > 0 && (failed.length < maxNamed || unsaved >= unsavedAtMost)) {
      unsaved = 0;
      await keep({ done: at + 1, refused, failed, warnings: ctx.warnings });
    }
    progress('changing', at + 1, items.length);
  }
  for (const warning of ctx.warnings) log(wordsOfWarning(warning));
  log(`${items.length - refused} changed, ${refused} refused.`);
  const updated = items.length - refused;
  return { matched: items.length, updated, refused, failed, warnings: ctx.warnings };
}

/** What a job is to do, as `enqueue` stored it. */
function itemsOf(job: Job): ChangedItem[] {
  const { ids, alike, items } = payloadOf(job);
  if (Array.isArray(items)) return items.map(itemOf);
  const one = itemOf(alike);
  return (Array.isArray(ids) ? ids : []).map((id) => ({ ...one, id: String(id) }));
}

function itemOf(stored: unknown): ChangedItem {
  const { id, changes, values, expectedVersion } = isObject(stored) ? stored : {};
  return {
    id: String(id),
    // It was checked as it came, and each field is checked once more as it is written.
    changes: isObject(changes) ? changes : {},
    values: readValues(values ?? {}),
    ...(typeof expectedVersion === 'number' ? { expectedVersion } : {}),
  };
}

const isObject = (value: unknown): value is Readonly<Record<string, never>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

async function changeOne(ctx: Context, item: ChangedItem, dryRun: boolean): Promise<void> {
  if (dryRun) await tryOnly(ctx, (tx) => write(tx, item));
  else await transaction(ctx, (tx) => write(tx, item));
}

async function write(
  tx: Context,
  { id, changes, values, expectedVersion }: ChangedItem,
): Promise<void> {
  if (Object.values(changes).some((value) => value !== undefined)) {
    await updateResource(tx, id, changes, { expectedVersion });
    if (values.size > 0) await setValues(tx, [id], values);
  } else if (values.size > 0) await setValues(tx, [id], values, expectedVersion);
}

/** Do something in a transaction, and take it back. */
async function tryOnly(ctx: Context, work: (tx: Context) => Promise<void>): Promise<void> {
  try {
    await transaction(ctx, async (tx) => {
      await work(tx);
      throw new OnlyTried();
    });
  } catch (error) {
    if (!(error instanceof OnlyTried)) throw error;
  }
}

/** Takes back what was only tried. */
class OnlyTried extends Error {}

async function idsOf(
  ctx: Context,
  { ids, where, filter }: ManyChanges,
): Promise<readonly string[]> {
  const isByIds = ids != null;
  const isByFilter =
    filter != null || (where != null && Object.values(where).some((one) => one != null));
  if (isByIds === isByFilter) {
    throw invalid('Say which resources to change: by `ids`, or by a `where` that is not empty.');
  }
  if (isByIds) {
    const all = [...new Set(ids)];
    if (all.length > maxMany) throw tooMany('ids', `these are ${all.length}`);
    return all;
  }
  const query = { where, filter, orderBy: [{ titleFull: 'asc' }], shown: new Set(['id']) };
  const found: string[] = [];
  let after: string | null = null;
  do {
    const page: Page<{ id: string }> = await listResources(ctx, query, { first: pageSize, after });
    found.push(...page.nodes.map(({ id }) => id));
    if (found.length > maxMany) {
      const matched = (await page.count()).toLocaleString('en');
      throw tooMany(filter == null ? 'where' : 'filter', `it holds for ${matched}`);
    }
    after = page.hasNextPage ? page.cursorAt(-1) : null;
  } while (after !== null);
  return found;
}

const pageSize = 1_000;

const tooMany = (field: string, said: string) =>
  invalidField(
    field,
    `One request changes ${maxMany.toLocaleString('en')} resources at most, and ${said}: narrow it.`,
  );
