// People who read and write while something else goes on: what a bench lets run alongside an import.

import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../src/errors.ts';

/** What the requests are about. */
export interface Targets {
  /** Tables that the import does not touch. */
  readonly outside: readonly string[];
  /** Columns that the import does not touch. */
  readonly columns: readonly string[];
  /** Tables that the import changes. */
  readonly inside: readonly string[];
  readonly question: string;
}

/** One request that was answered, or was not. */
export interface Sample {
  readonly what: string;
  readonly isRead: boolean;
  readonly ms: number;
  /** What the server said where it failed. */
  readonly failure: string | null;
}

interface Ask {
  readonly what: string;
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly body?: object;
}

/** Requests that a client sends in turn, each list so often in a hundred. */
const mix: readonly (readonly [share: number, make: (of: Turn) => Ask])[] = [
  [20, ({ n }) => get('list', `/table/tables?page=${1 + (n % 3)}&page_size=50`)],
  [20, ({ n, targets }) => get('one', `/table/tables/${pick(targets.outside, n)}`)],
  [15, ({ n, targets }) => graphql('lineage', lineage, { from: [pick(targets.columns, n)] })],
  [15, ({ n }) => graphql('search', search, { query: pick(words, n) })],
  [6, ({ n, client }) => post('create tag', '/tag', { name: `tag ${client} ${n} ${Date.now()}` })],
  [9, ({ n, targets }) => patch('edit outside', pick(targets.outside, n), n)],
  [9, ({ n, targets }) => patch('edit inside', pick(targets.inside, n), n)],
  [
    6,
    ({ n, targets }) =>
      post('reply', '/question/replies', { parent: targets.question, definition: `Answer ${n}` }),
  ],
];

interface Turn {
  readonly client: number;
  readonly n: number;
  readonly targets: Targets;
}

const reads = new Set(['list', 'one', 'lineage', 'search']);
const words = ['customer', 'order total', 'invoice', 'refund status', 'session_region', 'payment'];
const lineage = `query ($from: [ID!]!) { lineage(from: $from, depth: 3, level: COLUMN) {
  nodes { depth resource { id title } } edges { sourceId targetId } } }`;
const search = `query ($query: String!) { search(query: $query, first: 20) {
  totalCount nodes { resource { id title } } } }`;

const pick = (list: readonly string[], n: number) => list[n % list.length] ?? '';
const get = (what: string, path: string): Ask => ({ what, method: 'GET', path: `/api/v1${path}` });
const post = (what: string, path: string, body: object): Ask => ({
  ...{ what, body },
  method: 'POST',
  path: `/api/v1${path}`,
});
const patch = (what: string, id: string, n: number): Ask => ({
  what,
  method: 'PATCH',
  path: `/api/v1/table/tables/${id}`,
  body: { verified: n % 2 === 0 },
});
const graphql = (what: string, query: string, variables: object): Ask => ({
  what,
  method: 'POST',
  path: '/graphql',
  body: { query, variables },
});

export interface LoadOptions {
  readonly base: string;
  readonly key: string;
  readonly targets: Targets;
  readonly clients: number;
  /** How long a client waits after each answer. */
  readonly pauseMs: number;
}

/** Let clients ask until the signal aborts; all that they asked. */
export async function underLoad(options: LoadOptions, signal: AbortSignal): Promise<Sample[]> {
  const agent = new Agent({ keepAlive: true });
  const samples: Sample[] = [];
  const clients = Array.from({ length: options.clients }, async (_, client) => {
    const random = generator(client + 1);
    for (let n = client * 1_000; !signal.aborted; n += 1) {
      const turn = { client, n, targets: options.targets };
      samples.push(await send(options, agent, draw(random() * 100)(turn)));
      await sleep(options.pauseMs);
    }
  });
  await Promise.all(clients);
  agent.destroy();
  return samples;
}

function draw(at: number): (of: Turn) => Ask {
  let end = 0;
  for (const [share, make] of mix) {
    end += share;
    if (at < end) return make;
  }
  throw new Error('The shares make less than a hundred.');
}

async function send({ base, key }: LoadOptions, agent: Agent, ask: Ask): Promise<Sample> {
  const { what, method, path, body } = ask;
  const started = performance.now();
  const failure = await answer(base + path, { agent, key, method, body });
  return { what, isRead: reads.has(what), ms: performance.now() - started, failure };
}

interface Call {
  readonly agent: Agent;
  readonly key: string;
  readonly method: string;
  readonly body: object | undefined;
}

/** Send a request and read its answer: null where that is a success, else what was said. */
async function answer(url: string, { agent, key, method, body }: Call): Promise<string | null> {
  const content = body === undefined ? undefined : JSON.stringify(body);
  const headers = {
    authorization: `Bearer ${key}`,
    ...(content ? { 'content-type': 'application/json' } : {}),
  };
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const sending = request(url, { agent, method, headers }, resolve);
      sending.once('error', reject);
      sending.end(content);
    });
    const said = await text(response);
    const status = response.statusCode ?? 0;
    if (status >= 300) return `${status} ${said.slice(0, 300)}`;
    return said.includes('"errors":') ? said.slice(0, 300) : null;
  } catch (error) {
    return messageOf(error);
  }
}

/** Ask for the readiness ten times a second until the signal aborts: each status, how often. */
export async function watchReadiness(
  base: string,
  signal: AbortSignal,
): Promise<Map<string, number>> {
  const agent = new Agent({ keepAlive: true });
  const seen = new Map<string, number>();
  while (!signal.aborted) {
    const call = { agent, key: '', method: 'GET', body: undefined };
    const failure = await answer(`${base}/readyz`, call);
    const status = failure === null ? '200' : failure.slice(0, 40);
    seen.set(status, (seen.get(status) ?? 0) + 1);
    await sleep(100);
  }
  agent.destroy();
  return seen;
}

/** Numbers from 0 to 1 that are the same in every run. */
function generator(seed: number): () => number {
  let state = seed * 7_919;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
