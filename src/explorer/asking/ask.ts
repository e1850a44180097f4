// In charge of asking the server: the one place that sends a request.

import { readKey, signOut } from './key.ts';
import type { Operation } from './operation.ts';
import { noteReach } from './reach.ts';
import { Refused } from './refused.ts';

interface Answer<Data> {
  readonly data?: Data | null;
  readonly errors?: readonly {
    readonly message: string;
    readonly extensions?: Readonly<Record<string, unknown>>;
  }[];
}

/**
 * Run an operation with the key of this visit, or with another one to try it. Throws `Refused` where
 * nothing of the answer is there; a part of it is an answer.
 */
export async function ask<Data extends object, Variables>(
  { name, text }: Operation<Data, Variables>,
  variables: Variables,
  { signal, key }: { signal?: AbortSignal; key?: string } = {},
): Promise<Data> {
  const response = await send({ query: text, operationName: name, variables }, key, signal);
  const { data, errors = [] } = await read<Data>(response);
  const [error] = errors;
  const code = String(error?.extensions?.code ?? 'UNKNOWN');
  if (code === 'UNAUTHENTICATED' && key === undefined) signOut(error?.message);
  if (data && (!error || Object.values(data).some((value) => value !== null))) return data;
  throw new Refused(error?.message ?? 'The answer is empty.', code, error?.extensions);
}

/** Open a stream of what a subscription tells. */
export function openStream(body: object, signal: AbortSignal): Promise<Response> {
  return send(body, readKey(), signal, 'text/event-stream');
}

const json = 'application/graphql-response+json, application/json';

async function send(
  body: object,
  key = readKey(),
  signal?: AbortSignal,
  accept = json,
): Promise<Response> {
  try {
    const response = await fetch('/graphql', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept,
        // Other sites' pages can't send it.
        'x-graphql-yoga-csrf': '1',
        ...(key ? { authorization: `Bearer ${key}` } : {}),
      },
      body: JSON.stringify(body),
      ...(signal ? { signal } : {}),
    });
    noteReach(response.status !== 503);
    return response;
  } catch (error) {
    if (signal?.aborted) throw error;
    noteReach(false);
    throw new Refused('The server does not answer.', 'UNREACHABLE');
  }
}

async function read<Data>(response: Response): Promise<Answer<Data>> {
  if (response.headers.get('content-type')?.includes('json')) return response.json();
  const code = response.status === 503 ? 'UNREACHABLE' : 'UNKNOWN';
  throw new Refused(`The server answered ${response.status}.`, code);
}
