// Writes answers of GraphQL as JSON in turns, so that the server does not do it at once.

import type { ExecutionResult } from 'graphql';
import type { CooperativeScheduler } from '../limits/cooperative-scheduler.ts';
import { jsonInTurns } from './json-in-turns.ts';

/**
 * An answer whose data is written already, and which the server adds its errors to. Throws BAD_REQUEST where it has more
 * characters than it may, 64 million unless said.
 */
export async function written<Result>(
  result: Result,
  scheduler: CooperativeScheduler,
  most?: number,
): Promise<Result> {
  if (!isResult(result) || result.data === null) return result;
  const { data } = result;
  const text = await jsonInTurns(data, scheduler, most);
  const stringify = (sent: ExecutionResult) =>
    sent.data === data ? around(text, sent) : JSON.stringify(sent);
  return { ...result, stringify };
}

/** All of an answer: what stands next to its data is short. */
function around(text: string, sent: ExecutionResult): string {
  const beside = JSON.stringify({ ...sent, data: undefined });
  return beside === '{}' ? `{"data":${text}}` : `${beside.slice(0, -1)},"data":${text}}`;
}

function isResult(value: unknown): value is ExecutionResult {
  return typeof value === 'object' && value !== null && 'data' in value;
}
