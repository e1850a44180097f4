// Reaches the database outside of a transaction: whose rows that shows.

import { everyWorkspace } from './connections/visible-rows.ts';
import { type Database, type Db, ofDatabase } from './database.ts';

/** What statements outside of a transaction are sent with. */
export interface Outside {
  readonly db: Db;
  readonly database: Database;
  readonly workspaceId: string;
}

/** Stands for Prisma outside of a transaction, where it names no workspace: any use of it throws. */
export const outside = ofDatabase(
  (database): Db =>
    new Proxy(database.prisma, {
      get(_, name) {
        throw new Error(
          `Prisma (${String(name)}) was used outside of a transaction: read with rows(ctx, sql), ` +
            'or use the context that transaction(ctx, work) hands on.',
        );
      },
    }),
);

/** Statements outside of a transaction that see the rows of one workspace. */
export function inWorkspace(database: Database, workspaceId: string): Outside {
  return { db: outside(database), database, workspaceId };
}

/** Statements outside of a transaction that see the rows of every workspace. */
export function acrossWorkspaces(database: Database): Outside {
  return inWorkspace(database, everyWorkspace);
}
