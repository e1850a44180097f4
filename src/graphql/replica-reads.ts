// Which requests may read from a replica: queries of users who see all their writes there.

import { type DocumentNode, type GraphQLSchema, getOperationAST, Kind } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Context } from '../context.ts';
import type { Replica } from '../database/replica.ts';
import { type Caller, isSignedIn } from './caller.ts';

/** A plugin for Yoga, which GraphQL and REST share. It comes before whatever changes how is executed. */
export function useReplicaReads(): Plugin<Caller> {
  return {
    onExecute({ args, executeFn, setExecuteFn }) {
      const { contextValue: caller } = args;
      if (!isSignedIn(caller)) return undefined;
      const { replica } = caller.database;
      if (!replica) return undefined;
      const operation = getOperationAST(args.document, args.operationName);
      if (operation?.operation === 'query') {
        if (!asksForMany(args)) return readFrom(caller, false);
        return replica.mayServe(caller.viewer.id).then((mayLag) => readFrom(caller, mayLag));
      }
      setExecuteFn(async (given) => {
        try {
          return await executeFn(given);
        } finally {
          // Also what was written without a transaction, and before anything is answered.
          await announceWrite(replica, caller);
        }
      });
      return undefined;
    },
    onSubscribe({ args: { contextValue: caller } }) {
      const replica = isSignedIn(caller) ? caller.database.replica : null;
      if (!isSignedIn(caller) || !replica) return undefined;
      // Anyone who is notified of a change asks for more of it.
      const onNext = () => announceWrite(replica, caller);
      return { onSubscribeResult: () => ({ onNext }) };
    },
  };
}

interface Asked {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operationName?: string | null | undefined;
}

/**
 * Whether a query asks for lists, searches and graphs. Who asks for one thing by its id may have been notified
 * of it just now, by a webhook or by the one who made it: it has to be there.
 */
function asksForMany({ schema, document, operationName }: Asked): boolean {
  const fields = schema.getQueryType()?.getFields() ?? {};
  const { selectionSet } = getOperationAST(document, operationName) ?? {};
  return (selectionSet?.selections ?? []).every((selection) => {
    const field = selection.kind === Kind.FIELD ? fields[selection.name.value] : undefined;
    return field?.args.every(({ name }) => name !== 'id') ?? false;
  });
}

/** Let a query read from the replica, if it may; a request that goes on to write does not. */
function readFrom({ reads }: Context, mayLag: boolean) {
  reads.isQuery = true;
  reads.fromReplica = mayLag;
  return {
    onExecuteDone() {
      reads.isQuery = false;
      reads.fromReplica = false;
    },
  };
}

/**
 * Keep a user's reads from the replica until it shows what is there now: after a write, and after being notified
 * of one.
 */
async function announceWrite(replica: Replica, { database, viewer }: Context): Promise<void> {
  replica.noteWrite(viewer.id);
  // Where the database is away, other processes receive nothing at all, and take everybody for a writer.
  await database.pool.query(replica.announcement(viewer.id)).catch(() => {});
}
