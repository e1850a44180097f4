// In charge of Prisma's place on our pool.

import type pg from 'pg';
import type { PrismaClient } from '../generated/prisma/client.ts';
import type { Querying } from './pool.ts';

/**
 * Prisma on a pool. Its transactions see the rows of the workspace that they were begun for. What it asks
 * outside of one names no workspace, since it may send what several contexts ask as one statement: such
 * statements go to `outside`, by default nowhere, with an error.
 */
export async function connectPrisma(
  pool: pg.Pool,
  outside: Querying = refusing,
): Promise<PrismaClient> {
  const [{ PrismaPg }, { PrismaClient }] = await Promise.all([
    import('@prisma/adapter-pg'),
    import('../generated/prisma/client.ts'),
  ]);
  const its: pg.Pool = Object.create(pool);
  Object.assign(its, { query: outside.query.bind(outside) });
  return new PrismaClient({ adapter: new PrismaPg(its) });
}

const refusing = {
  query(): never {
    throw new Error(
      'Outside of a transaction read with rows(ctx, sql): Prisma names no workspace there.',
    );
  },
};
