// In charge of reaching the database outside of a transaction: whose rows that shows.

import type { Database, Db } from './database.ts';
import { everyWorkspace } from './reach.ts';
import type { Connection } from './rows.ts';

/** Stands for Prisma outside of a transaction, where it names no workspace: whatever is asked of it throws. */
export function outside({ prisma }: Database): Db {
  return new Proxy(prisma, {
    get(_, name) {
      throw new Error(
        `Prisma (${String(name)}) was used outside of a transaction: read with rows(ctx, sql), ` +
          'or use the context that transaction(ctx, work) hands on.',
      );
    },
  });
}

/** Statements outside of a transaction that see the rows of one workspace. */
export function inWorkspace(database: Database, workspaceId: string): Connection {
  return { db: outside(database), database, workspaceId };
}

/** Statements outside of a transaction that see the rows of every workspace. */
export function acrossWorkspaces(database: Database): Connection {
  return inWorkspace(database, everyWorkspace);
}
