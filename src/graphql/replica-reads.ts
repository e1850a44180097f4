// In charge of which requests may read from a replica: queries of users who see all their writes there.

import { type DocumentNode, getOperationAST } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Context } from '../context.ts';
import type { Replica } from '../database/replica.ts';
import { type Caller, isSignedIn } from './yoga.ts';

/** A plugin for Yoga, which GraphQL and REST share. It comes before whatever changes how is executed. */
export function useReplicaReads(): Plugin<Caller> {
  return {
    onExecute({ args, executeFn, setExecuteFn }) {
      const { contextValue: caller } = args;
      if (!isSignedIn(caller)) return undefined;
      const { replica } = caller.database;
      if (!replica) return undefined;
      if (kindOf(args) === 'query') return readFrom(replica, caller);
      setExecuteFn(async (given) => {
        try {
          return await executeFn(given);
        } finally {
          // Also what was written without a transaction, and before anything is answered.
          await tellOfWrite(replica, caller);
        }
      });
      return undefined;
    },
  };
}

interface Asked {
  readonly document: DocumentNode;
  readonly operationName?: string | null | undefined;
}

function kindOf({ document, operationName }: Asked): string | undefined {
  return getOperationAST(document, operationName)?.operation;
}

/** Let a query read from the replica, if it may; a request that goes on to write does not. */
function readFrom(replica: Replica, { reads, viewer }: Context) {
  reads.isQuery = true;
  reads.fromReplica = replica.mayServe(viewer.id);
  return {
    onExecuteDone() {
      reads.isQuery = false;
      reads.fromReplica = false;
    },
  };
}

async function tellOfWrite(replica: Replica, { database, viewer }: Context): Promise<void> {
  replica.noteWrite(viewer.id);
  // Where the database is away, other processes hear nothing at all, and take everybody for a writer.
  await database.pool.query(replica.announcement(viewer.id)).catch(() => {});
}
