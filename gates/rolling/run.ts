// In charge of two servers on one database that are restarted in turn, under load behind a balancer.

import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../scripts/free-port.mjs';
import { type Started, startScript } from '../../test/started.ts';

const clients = 8;
const key = 'rolling-rolling-rolling';
/** How often the balancer asks each server whether it is ready. */
const checkMs = 100;
/** How long a server goes on to serve after it said that it will stop, in seconds. */
const drainSeconds = '1.5';

export interface RollingOptions {
  readonly databaseUrl: string;
  readonly dataDir: string;
  /** Requests that are to be answered at least. */
  readonly requests: number;
  /** How often each server is restarted, as requests go on. */
  readonly rounds: number;
}

export interface RollingReport {
  readonly answered: number;
  readonly restarts: number;
  readonly failures: readonly string[];
}

/** Restart the servers in turn, until so many requests are answered; every one that failed is reported. */
export async function runRolling(options: RollingOptions): Promise<RollingReport> {
  const ports = [await freePort(), await freePort()];
  const bases = ports.map((port) => `http://127.0.0.1:${port}`);
  const start = (port: number): Started =>
    startScript('start.mjs', {
      DATA_DIR: options.dataDir,
      DATABASE_URL: options.databaseUrl,
      PORT: String(port),
      ADMIN_API_KEY: key,
      DRAIN_SECONDS: drainSeconds,
    });
  const running = ports.map(start);
  const balancer = new Balancer(bases);
  try {
    await Promise.all(running.map((started) => started.ready()));
    for (const base of bases) await balancer.readiness(base);
    let isOver = false;
    const loading = Array.from({ length: clients }, (_, i) => load(balancer, i, () => isOver));
    let restarts = 0;
    while (restarts < 2 * options.rounds) {
      const at = restarts % ports.length;
      const code = await running[at]?.stop();
      if (code !== 0) balancer.failures.push(`A server stopped with ${code}.`);
      running[at] = start(ports[at] ?? 0);
      await running[at].ready();
      await balancer.readiness(bases[at] ?? '');
      restarts += 1;
      const share = options.requests / (2 * options.rounds);
      while (balancer.answered < restarts * share) await sleep(checkMs);
    }
    isOver = true;
    await Promise.all(loading);
    return { answered: balancer.answered, restarts, failures: balancer.failures };
  } finally {
    balancer.stop();
    for (const started of running) await started.stop('SIGKILL');
  }
}

/** Sends each request to the next server that said it was ready. Tries nothing twice. */
class Balancer {
  readonly failures: string[] = [];
  answered = 0;
  readonly #bases: readonly string[];
  readonly #ready = new Set<string>();
  readonly #stopping = new AbortController();
  #next = 0;

  constructor(bases: readonly string[]) {
    this.#bases = bases;
    for (const base of bases) void this.#watch(base);
  }

  /** Wait until a server is found to be ready. */
  async readiness(base: string): Promise<void> {
    while (!this.#ready.has(base)) await sleep(checkMs / 10);
  }

  async #watch(base: string): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const answer = await fetch(`${base}/readyz`).catch(() => null);
      await answer?.text();
      if (answer?.ok) this.#ready.add(base);
      else this.#ready.delete(base);
      await sleep(checkMs);
    }
  }

  async send(path: string, init: RequestInit): Promise<void> {
    // On a starved machine a server may be late to say so while the other one is replaced.
    while (this.#ready.size === 0) await sleep(10);
    const ready = this.#bases.filter((base) => this.#ready.has(base));
    this.#next += 1;
    const base = ready[this.#next % ready.length] ?? '';
    try {
      const answer = await fetch(base + path, init);
      const body = await answer.text();
      this.answered += 1;
      if (answer.status >= 400) this.failures.push(`${path}: ${answer.status} ${body}`);
    } catch (error) {
      const cause = error instanceof Error ? error.cause : error;
      this.failures.push(`${base}${path}: ${cause}`);
    }
  }

  stop(): void {
    this.#stopping.abort();
  }
}

const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };

async function load(balancer: Balancer, client: number, isOver: () => boolean): Promise<void> {
  for (let turn = 0; !isOver(); turn += 1) {
    const name = `tag ${client} ${turn}`;
    await balancer.send('/api/v1/tag/tags', {
      method: 'POST',
      headers,
      body: JSON.stringify({ name }),
    });
    await balancer.send('/api/v1/tag/tags?page_size=2', { headers });
    const query = '{ tags(first: 2) { nodes { name } } }';
    await balancer.send('/graphql', { method: 'POST', headers, body: JSON.stringify({ query }) });
  }
}
