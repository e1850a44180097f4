// Prisma's place on our pool.

import type pg from 'pg';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import { scopes } from './current-transaction.ts';

/**
 * Prisma on a pool. Its transactions see the rows of the workspace that they were begun for. What it asks
 * outside of one names no workspace, since it may send what several contexts ask as one statement: that
 * goes `outside`, by default nowhere, with an error.
 */
export async function connectPrisma(
  pool: pg.Pool,
  outside: pg.Pool = transactionsOnly(pool),
): Promise<PrismaClient> {
  const [{ PrismaPg }, { PrismaClient }] = await Promise.all([
    import('@prisma/adapter-pg'),
    import('../../generated/prisma/client.ts'),
  ]);
  return new PrismaClient({ adapter: new PrismaPg(outside) });
}

function transactionsOnly(pool: pg.Pool): pg.Pool {
  const refuse = () => {
    throw new Error(
      'Outside of a transaction read with rows(ctx, sql): Prisma names no workspace there.',
    );
  };
  const its: pg.Pool = Object.create(pool);
  return Object.assign(its, {
    query: async () => refuse(),
    // Prisma begins transactions of its own for some writes.
    connect: async () => (scopes.getStore()?.pool === pool ? pool.connect() : refuse()),
  });
}
