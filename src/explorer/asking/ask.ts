// Requests to the server: the only place that sends one.

import { askingWords as words } from '../words/sign-in/asking.ts';
import { readKey, readSignIn, signOut } from './key.ts';
import { noteReach, type Operation, Refused } from './operation.ts';

interface Answer<Data> {
  /** What is wrong, of an answer that is a problem. */
  readonly detail?: string;
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
  if (code === 'UNAUTHENTICATED' && key === undefined) {
    signOut(readSignIn() === 'session' ? words.sessionEnded : words.keyEnded);
  }
  if (data && (!error || Object.values(data).some((value) => value !== null))) return data;
  throw new Refused(error?.message ?? words.empty, code, error?.extensions);
}

/**
 * Use a one-time code, or sign out: what sets the cookie of a session. Throws `Refused` where the server
 * does not do it.
 */
export async function post(path: string, headers: Readonly<Record<string, string>> = {}) {
  const response = await reach(path, { headers: { ...ofOurPage, ...headers } });
  if (response.ok) return;
  const { detail } = await read<never>(response);
  throw new Refused(detail ?? words.answered(response.status), 'FORBIDDEN');
}

// Other sites' pages can't send these.
const ofOurPage = { 'x-graphql-yoga-csrf': '1', 'x-headwater-explorer': '1' };

/** The key, where there is one; otherwise the browser sends the cookie of its session. */
export function headersOf(key = readKey()): Readonly<Record<string, string>> {
  return { ...ofOurPage, ...(key ? { authorization: `Bearer ${key}` } : {}) };
}

/** Open the event stream of a subscription. */
export function openStream(body: object, signal: AbortSignal): Promise<Response> {
  return send(body, undefined, signal, 'text/event-stream');
}

/** The page that the server begins with now, as HTML. Throws `Refused` where it does not answer. */
export async function readPage(): Promise<string> {
  const response = await reach('/', {
    method: 'GET',
    headers: { accept: 'text/html' },
    cache: 'no-cache',
  });
  return response.text();
}

const json = 'application/graphql-response+json, application/json';

function send(body: object, key?: string, signal?: AbortSignal, accept = json): Promise<Response> {
  return reach('/graphql', {
    headers: {
      'content-type': 'application/json',
      accept,
      ...headersOf(key),
    },
    body: JSON.stringify(body),
    signal: signal ?? null,
  });
}

async function reach(path: string, request: RequestInit): Promise<Response> {
  const { signal } = request;
  try {
    const response = await fetch(path, { method: 'POST', ...request });
    noteReach(response.status !== 503);
    return response;
  } catch (error) {
    if (signal?.aborted) throw error;
    noteReach(false);
    throw new Refused(words.unreachable, 'UNREACHABLE');
  }
}

async function read<Data>(response: Response): Promise<Answer<Data>> {
  if (response.headers.get('content-type')?.includes('json')) return response.json();
  const code = response.status === 503 ? 'UNREACHABLE' : 'UNKNOWN';
  throw new Refused(words.answered(response.status), code);
}
