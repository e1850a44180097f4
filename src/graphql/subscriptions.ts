// Subscriptions as a client has them: how many, how long, and for whom.

import { execute } from '@graphql-tools/executor';
import {
  createSourceEventStream,
  type ExecutionArgs,
  type ExecutionResult,
  GraphQLError,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { onAbort } from '../async/abort.ts';
import { lossOf } from '../auth/permission.ts';
import { asOfNow, type Context } from '../context.ts';
import { TooManyRequests } from '../errors.ts';
import type { RequestBounds } from '../limits/bounds.ts';
import { type Caller, isSignedIn } from './caller.ts';
import { tooManyAtOnce } from './execution/variables.ts';
import { withEventId } from './http/event-ids.ts';
import { checkCost } from './limits/cost-limit.ts';
import { checkFilters } from './limits/filter-size.ts';
import { type ErrorListener, maskError } from './masking.ts';
import { written } from './written-answer.ts';

/** What subscriptions may be. */
export interface SubscriptionLimits {
  /** Open ones of one key. */
  readonly perKey: number;
  /** How long one stays open, in milliseconds. */
  readonly maxAgeMs: number;
  /** Counts those of this process that are open. */
  readonly open?: { inc(): void; dec(): void };
}

/** What they are unless somebody says otherwise. */
export const usualSubscriptions: SubscriptionLimits = { perKey: 20, maxAgeMs: 15 * 60_000 };

/**
 * The most characters that an event may have: a subscription has a few of them at hand, whether its client reads them or
 * not.
 */
const maxCharacters = 8_000_000;

interface Surroundings {
  readonly bounds: RequestBounds;
  readonly limits: SubscriptionLimits;
  readonly onUnexpected: ErrorListener;
}

/**
 * Whether the viewer may still do as much is looked at so often, in milliseconds. With the time that
 * viewers are remembered for, a subscription outlives a key, a role or a team by less than 5 s.
 */
const lookMs = 1_500;

/**
 * Serve subscriptions within their limits. What is delivered is read for the viewer as it is then: with
 * the role and the teams of that moment. One ends with an error when its key no longer works, or its
 * viewer lost a role or a team, and without when it has been open for as long as it may.
 */
export function useSubscriptions({ bounds, limits, onUnexpected }: Surroundings): Plugin<Caller> {
  const open = new Map<string, number>();

  function enter(owner: string): () => void {
    const before = open.get(owner) ?? 0;
    if (before >= limits.perKey) throw tooMany(limits.perKey);
    open.set(owner, before + 1);
    limits.open?.inc();
    let left = false;
    return () => {
      if (left) return;
      left = true;
      limits.open?.dec();
      const others = (open.get(owner) ?? 1) - 1;
      if (others > 0) open.set(owner, others);
      else open.delete(owner);
    };
  }

  async function subscribe(ctx: Context, args: ExecutionArgs, leave: () => void) {
    try {
      const source = await createSourceEventStream({
        ...args,
        contextValue: { ...ctx, bounds },
      });
      if (Symbol.asyncIterator in source) {
        const answer = async (rootValue: unknown): Promise<ExecutionResult> =>
          bounds.run(await asOfNow(ctx), async (contextValue) => {
            const result = await execute({ ...args, rootValue, contextValue });
            if ('initialResult' in result) throw new Error('Answers do not come in parts.');
            const event = withEventId(rootValue, result);
            const scheduler = contextValue.allowance?.scheduler;
            return scheduler ? written(event, scheduler, maxCharacters) : event;
          });
        const { maxAgeMs } = limits;
        return deliver(ctx, source[Symbol.asyncIterator](), { answer, leave, maxAgeMs });
      }
      leave();
      return source;
    } catch (error) {
      leave();
      throw error;
    }
  }

  return {
    onSubscribe({ args, setSubscribeFn, setResultAndStopExecution }) {
      const { contextValue: caller } = args;
      if (!isSignedIn(caller)) return;
      try {
        checkCost(args);
        checkFilters(args);
        const error = tooManyAtOnce(args.variableValues ?? {});
        if (error) throw error;
        const leave = enter(caller.viewer.keyId ?? caller.viewer.id);
        setSubscribeFn((given) => subscribe(caller, given, leave));
      } catch (error) {
        setResultAndStopExecution({ errors: [maskError(error, onUnexpected)] });
      }
    },
  };
}

interface Delivery {
  /** What is answered to an event. */
  readonly answer: (event: unknown) => Promise<ExecutionResult>;
  /** Called when it is over. */
  readonly leave: () => void;
  readonly maxAgeMs: number;
}

/** Why a subscription is over: an error that the client is told, or nothing. */
interface End {
  readonly error: Error | null;
}

/** What a subscription delivers of its events. */
function deliver(
  ctx: Context,
  source: AsyncIterator<unknown>,
  { answer, leave, maxAgeMs }: Delivery,
): AsyncIterableIterator<ExecutionResult, undefined, undefined> {
  let ended: End | null = null;
  let onEnd: (end: End) => void = () => {};
  const end = (why: End) => {
    ended ??= why;
    onEnd(ended);
  };
  const age = setTimeout(() => end({ error: null }), maxAgeMs);
  const looking = setInterval(look, lookMs);
  const stopListening = onAbort(ctx.signal, stop);

  function look(): void {
    ctx.viewerNow().then(
      (viewer) => {
        const error = lossOf(ctx.viewer, viewer);
        if (error) end({ error });
      },
      // A database that does not answer says nothing of the key.
      () => {},
    );
  }

  function stop(): void {
    clearTimeout(age);
    clearInterval(looking);
    stopListening();
    leave();
    end({ error: null });
    source.return?.().catch(() => {});
  }

  /** The next event, or the end. A race with one promise for the end would keep all events until then. */
  function nextOrEnd(): Promise<IteratorResult<unknown> | End> {
    if (ended) return Promise.resolve(ended);
    return new Promise((resolve, reject) => {
      onEnd = resolve;
      source.next().then(resolve, reject);
    });
  }

  async function* results(): AsyncGenerator<ExecutionResult, undefined, undefined> {
    try {
      for (;;) {
        const next = await nextOrEnd();
        if ('error' in next) {
          if (next.error) throw next.error;
          return;
        }
        if (next.done) return;
        yield await answer(next.value);
      }
    } catch (error) {
      // Who went away is told nothing, and what that ended is no fault.
      if (!ctx.signal.aborted) yield { errors: [shownError(error)] };
    } finally {
      stop();
    }
  }

  const all = results();
  return {
    next: () => all.next(),
    // A generator that waits takes no return(): it has to be woken first.
    async return() {
      stop();
      await all.return(undefined);
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** An error as a result holds it; what the client sees of it is decided where results are sent. */
function shownError(error: unknown): GraphQLError {
  if (error instanceof GraphQLError) return error;
  const originalError = error instanceof Error ? error : new Error(String(error));
  return new GraphQLError(originalError.message, { originalError });
}

function tooMany(perKey: number): TooManyRequests {
  return new TooManyRequests(
    `This key or person has ${perKey} subscriptions open, the most that one may have: close one before the next.`,
    60,
  );
}
