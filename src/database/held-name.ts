// Names that one transaction holds at a time, for what no row stands for.

import type { Context } from '../context.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { rows } from './rows.ts';

/**
 * Hold a name until the transaction ends: who else wants it waits until then, on any process. A name that is of one workspace
 * has its id in it. Two names of the same hash (32 bits) wait for each other.
 */
export async function holdName(tx: Context, name: string): Promise<void> {
  await rows(tx, Prisma.sql`select pg_advisory_xact_lock(hashtext(${name}))::text`);
}
