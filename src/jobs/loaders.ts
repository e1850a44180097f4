// Reads the jobs that fields of many rows name, many at once and as far as the viewer may read them.

import type { Context } from '../context.ts';
import { loaderOf } from '../database/loader.ts';
import { rows } from '../database/rows.ts';
import { type Job, Prisma } from '../generated/prisma/client.ts';
import { newestFirst, type Page, type PageArgs } from '../lists/page.ts';
import { loadPage, type OwnedListing } from '../lists/page-of-each.ts';
import { fedIntegration, jobColumns, jobsSeen } from './job.ts';
import { runningHere } from './running.ts';

/** The job of an id that the viewer may read, or null. */
export async function loadJob(ctx: Context, id: string): Promise<Job | null> {
  const job = await loaderOf(ctx, jobsById).load(id);
  return job ? (runningHere(ctx.database, id) ?? job) : null;
}

async function jobsById(ctx: Context, ids: readonly string[]): Promise<Map<string, Job>> {
  const found = await rows<Job>(
    ctx,
    Prisma.sql`select ${jobColumns} from job j
      where ${jobsSeen(ctx)} and j.id = any(${[...ids]}::uuid[])`,
  );
  return new Map(found.map((job) => [job.id, job]));
}

/** A page of the jobs that feed or read an integration, newest first. */
export function loadJobsOf(
  ctx: Context,
  integrationId: string,
  args: PageArgs,
): Promise<Page<Job>> {
  return loadPage(ctx, jobsFeeding, { ownerId: integrationId, query: {}, args });
}

function jobsFeeding(ctx: Context): OwnedListing {
  return {
    from: Prisma.sql`job j`,
    columns: jobColumns,
    where: jobsSeen(ctx),
    order: newestFirst(Prisma.sql`j`),
    belongs: Prisma.sql`${Prisma.raw(fedIntegration)} = owner.id`,
  };
}

/** The latest sync of an integration or upload to it, whatever became of it; null where there is none. */
export async function loadLastSync(ctx: Context, integrationId: string): Promise<Job | null> {
  const job = await loaderOf(ctx, lastSyncs).load(integrationId);
  return job ? (runningHere(ctx.database, job.id) ?? job) : null;
}

async function lastSyncs(ctx: Context, ids: readonly string[]): Promise<Map<string, Job>> {
  const found = await rows<Job & { ownerId: string }>(
    ctx,
    Prisma.sql`select owner.id as "ownerId", one.* from unnest(${[...ids]}::uuid[]) owner(id)
      cross join lateral (select ${jobColumns} from job j
        where ${jobsSeen(ctx)} and j.dedupe_key = 'import:' || owner.id
        order by j.created_at desc, j.id limit 1) one`,
  );
  return new Map(found.map(({ ownerId, ...job }) => [ownerId, job]));
}
