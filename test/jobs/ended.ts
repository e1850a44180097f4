// Waits for the end of a job the way a client does: by watching it.

import type { Context } from '../../src/context.ts';
import type { Job } from '../../src/generated/prisma/client.ts';
import { watch } from '../../src/graphql/watch.ts';
import { getJob } from '../../src/jobs/job.ts';

/** The job once it has ended. */
export async function ended(ctx: Context, { id }: Pick<Job, 'id'>): Promise<Job> {
  return reached(ctx, { id }, (job) => job.completedAt !== null);
}

/** The job once it is as the test wants it. */
export async function reached(
  ctx: Context,
  { id }: Pick<Job, 'id'>,
  isThere: (job: Job) => boolean,
): Promise<Job> {
  const states = watch(ctx, { topic: 'job', id, read: (now) => getJob(now, id) });
  for await (const job of states) if (isThere(job)) return job;
  throw new Error(`The job ${id} can be watched no longer.`);
}
