// In charge of people who ask beside whatever a gate does: how long their answers take, and which failed.

import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

/** How long answers of one kind took. */
export interface Timing {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

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
/** Who has no answer by then has failed. */
const patienceMs = 30_000;

/** Asks, with connections of its own, from when it is made until `end`. */
export class Beside {
  readonly #times = new Map<string, number[]>();
  readonly #failures: string[] = [];
  readonly #asking: Promise<unknown>;
  #isOver = false;

  constructor(address: string, key: string) {
    this.#asking = Promise.all(asks.map((ask) => this.#askOn(address, key, ask)));
  }

  /** How often each kind was answered, at least. */
  get fewest(): number {
    return Math.min(...[...this.#times.values()].map(({ length }) => length));
  }

  async end(): Promise<{ samples: Map<string, Timing>; failures: readonly string[] }> {
    this.#isOver = true;
    await this.#asking;
    const samples = new Map([...this.#times].map(([name, times]) => [name, timingOf(times)]));
    return { samples, failures: this.#failures };
  }

  async #askOn(address: string, key: string, ask: Ask): Promise<void> {
    const agent = new Agent({ keepAlive: true });
    const times: number[] = [];
    this.#times.set(ask.name, times);
    while (!this.#isOver) {
      const began = performance.now();
      const failure = await send(address, key, ask, agent);
      times.push(performance.now() - began);
      if (failure !== null) this.#failures.push(`${ask.name}: ${failure}`);
      await sleep(pauseMs);
    }
    agent.destroy();
  }
}

/** Ask as others do when nothing else goes on. */
export async function alone(
  address: string,
  key: string,
  ms: number,
): Promise<Map<string, Timing>> {
  const others = new Beside(address, key);
  await sleep(ms);
  return (await others.end()).samples;
}

function timingOf(times: readonly number[]): Timing {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  return { count: sorted.length, p50: at(0.5), p99: at(0.99), max: sorted.at(-1) ?? 0 };
}

/** What went wrong; null where nothing did. */
async function send(
  address: string,
  key: string,
  { method, path, body }: Ask,
  agent: Agent,
): Promise<string | null> {
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
    return error instanceof Error ? error.message : String(error);
  }
}
