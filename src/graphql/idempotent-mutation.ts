// A mutation with an `Idempotency-Key`: it runs once, and gets its first answer when it is sent again.

import { hash } from 'node:crypto';
import { type DocumentNode, type ExecutionResult, print } from 'graphql';
import type { MaybePromise } from '../async/maybe-promise.ts';
import type { ServerContext } from '../context.ts';
import { invalidField } from '../errors.ts';
import { idempotencyKeyIn, once, replayHeader } from '../jobs/idempotency.ts';

/** What a client sent. */
export interface KeyedMutation {
  /** The header. */
  readonly key: string;
  /** The mutations that it asks for. */
  readonly fields: number;
  readonly document: DocumentNode;
  readonly operationName?: string | null | undefined;
  readonly variableValues?: unknown;
}

/**
 * Run a mutation once for its key, as REST does a POST: in the transaction that writes the key, so that an answer with an
 * error has changed nothing and leaves the key free. Throws BAD_REQUEST for several mutations at once, of which some
 * might succeed, and UNPROCESSABLE where the key came with another request.
 */
export async function mutateOnce(
  ctx: ServerContext,
  { key: header, fields, document, operationName, variableValues }: KeyedMutation,
  execute: (ctx: ServerContext) => MaybePromise<unknown>,
): Promise<unknown> {
  const key = idempotencyKeyIn(header) ?? '';
  if (fields !== 1) throw invalidField('Idempotency-Key', 'Send one mutation with a key.');
  const asked = [print(document), operationName ?? null, variableValues ?? {}];
  const fingerprint = hash('sha256', `graphql ${JSON.stringify(asked)}`);
  try {
    const { body, isReplay } = await once(ctx, { key, fingerprint }, async (within) => {
      const result = await execute(within);
      if (!isWhole(result)) throw new Refused(result);
      return { status: 200, body: JSON.stringify(result.data) };
    });
    const said = isReplay
      ? { extensions: { http: { headers: Object.fromEntries([replayHeader]) } } }
      : {};
    return { data: JSON.parse(body ?? 'null'), ...said };
  } catch (error) {
    if (error instanceof Refused) return error.result;
    throw error;
  }
}

/** Takes a mutation back that had an error. */
class Refused extends Error {
  readonly result: unknown;

  constructor(result: unknown) {
    super('The mutation had an error.');
    // Of what was taken back nothing is shown.
    const isResult = typeof result === 'object' && result !== null;
    this.result = isResult && 'data' in result ? { ...result, data: null } : result;
  }
}

function isWhole(result: unknown): result is ExecutionResult {
  if (typeof result !== 'object' || result === null || !('data' in result)) return false;
  return !('errors' in result) || !Array.isArray(result.errors) || result.errors.length === 0;
}
