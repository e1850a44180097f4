// Decides how long to wait for a PostgreSQL server that does not answer.

import pg from 'pg';
import { unavailable } from '../../errors.ts';
import { budgets } from './budget.ts';
import { watchThread } from './busy-thread.ts';
import { cancelStatement } from './cancel.ts';

export interface Patience {
  /** Start the clock of a statement on a connection; returns the function that stops it. */
  expectAnswer(client: pg.PoolClient): () => void;
}

export interface PatienceOptions {
  databaseUrl: string;
  /** A statement without an answer for so long ends its connection, unless its limit is lifted. */
  answerTimeoutMs: number;
  /** Whether such a statement is cancelled first, because the server does not cut it by itself. */
  cancels: boolean;
}

/**
 * A statement unanswered for so long makes us ask whether the server is there at all. With the
 * probe's own time, a request learns within 5 s that it is not.
 */
const probeAfterMs = 2_000;
const probeTimeoutMs = 2_000;
/** A busy machine may fail to answer once; what took minutes so far is not to end by that. */
const maxSilentProbes = 5;

/** Connections whose statements may take as long as they need. */
const unlimited = new WeakSet<pg.ClientBase>();

/** Let a connection's statements run as long as they need; returns the way back. */
export function liftLimit(client: pg.ClientBase): () => void {
  unlimited.add(client);
  return () => unlimited.delete(client);
}

/**
 * A slow statement and a network that swallows everything look the same to one who waits: a second
 * connection tells them apart. When it gets no answer either, all who wait are let go.
 */
export function createPatience({
  databaseUrl,
  answerTimeoutMs,
  cancels,
}: PatienceOptions): Patience {
  let probing: Promise<boolean> | undefined;
  const probe = () => {
    probing ??= answers(databaseUrl).finally(() => {
      probing = undefined;
    });
    return probing;
  };
  return {
    expectAnswer(client) {
      const budget = budgets.getStore();
      const started = performance.now();
      let timer = setTimeout(look, probeAfterMs);
      let over = false;
      let silent = 0;
      async function look(): Promise<void> {
        const waited = performance.now() - started;
        const isUnlimited = unlimited.has(client);
        const late = waited > answerTimeoutMs && !isUnlimited;
        silent = !late && (await probe()) ? 0 : silent + 1;
        if (over) return;
        if (late && cancels) return void cancelStatement(client, () => !over);
        // With a statement under way, `end` destroys the socket, and the statement fails at once.
        if (silent < (isUnlimited ? maxSilentProbes : 1)) timer = setTimeout(look, probeAfterMs);
        else {
          void client.end();
          // Whatever else the request wants of the database, it would only wait as long once more.
          if (!late) budget?.end(unavailable('The database does not answer; try again.'));
        }
      }
      return () => {
        over = true;
        clearTimeout(timer);
      };
    },
  };
}

/**
 * Whether a server is there: it may answer with an error, such as having no connection left. A thread too
 * busy to notice it takes it for there.
 */
async function answers(databaseUrl: string): Promise<boolean> {
  const wasBusy = watchThread();
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'headwater probe',
    connectionTimeoutMillis: probeTimeoutMs,
    query_timeout: probeTimeoutMs,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch (error) {
    return error instanceof pg.DatabaseError || wasBusy();
  } finally {
    // Not waited for: on a dead network it would wait as well.
    void client.end();
  }
}
