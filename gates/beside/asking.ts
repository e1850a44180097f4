// The process of those who ask alongside a gate (`../beside.ts`), each on a connection of its own.

import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../../src/errors.ts';
import type { BesideMessage, Timing } from '../beside.ts';

interface Ask {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly body?: string;
}

const lists = '{ resources(first: 20) { nodes { id title } } }';

const asks: readonly Ask[] = [
  { name: '/healthz', method: 'GET', path: '/healthz' },
  { name: 'GraphQL', method: 'POST', path: '/graphql', body: JSON.stringify({ query: lists }) },
  { name: 'REST', method: 'GET', path: '/api/v1/tag?page_size=20' },
];

const pauseMs = 50;
/** The first answers tell more of this process, whose code is not compiled yet, than of the server. */
const warmUps = 5;
/** Who has no answer by then has failed. */
const patienceMs = 30_000;

const [address = '', key = ''] = process.argv.slice(2);
const times = new Map<string, number[]>();
const failures: string[] = [];
let isOver = false;

process.once('message', end).once('disconnect', end);
await Promise.all(asks.map(askOn));
const samples = new Map([...times].map(([name, all]) => [name, timingOf(all)]));
tell({ samples, failures });
if (process.connected) process.disconnect();

function end(): void {
  isOver = true;
}

function tell(message: BesideMessage): void {
  if (process.connected) process.send?.(message);
}

async function askOn(ask: Ask): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  const took: number[] = [];
  times.set(ask.name, took);
  for (let n = 0; !isOver; n += 1) {
    const began = performance.now();
    const failure = await send(ask, agent);
    if (n >= warmUps) took.push(performance.now() - began);
    if (failure !== null) failures.push(`${ask.name}: ${failure}`);
    tell({ fewest: Math.min(...[...times.values()].map(({ length }) => length)) });
    await sleep(pauseMs);
  }
  agent.destroy();
}

function timingOf(all: readonly number[]): Timing {
  const sorted = [...all].sort((a, b) => a - b);
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  return { count: sorted.length, p50: at(0.5), p99: at(0.99), max: sorted.at(-1) ?? 0 };
}

/** What went wrong; null where nothing did. */
async function send({ method, path, body }: Ask, agent: Agent): Promise<string | null> {
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      };
      const signal = AbortSignal.timeout(patienceMs);
      const sending = request(address + path, { agent, method, headers, signal }, resolve);
      sending.once('error', reject);
      sending.end(body);
    });
    const said = await text(response);
    const isWell = response.statusCode === 200 && !said.includes('"errors":');
    return isWell ? null : `${response.statusCode} ${said.slice(0, 200)}`;
  } catch (error) {
    return messageOf(error);
  }
}
