// Two servers on one database that are restarted in turn, under load behind a balancer.

import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../scripts/free-port.mjs';
import { type Started, startScript } from '../../test/started.ts';
import { Balancer } from './balancer.ts';

const clients = 8;
const key = 'rolling-rolling-rolling';
const checkMs = 100;
/** Where more have failed no one waits for the others. */
const mostFailures = 1_000;
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
  /** Requests that found no server ready, and the longest that one of them was kept, in milliseconds. */
  readonly kept: { readonly requests: number; readonly longestMs: number };
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
      while (balancer.answered < restarts * share) {
        if (balancer.failures.length > mostFailures) break;
        await sleep(checkMs);
      }
    }
    isOver = true;
    await Promise.all(loading);
    const { answered, failures, kept } = balancer;
    return { answered, restarts, failures, kept };
  } finally {
    balancer.stop();
    for (const started of running) await started.stop('SIGKILL');
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
