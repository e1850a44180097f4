// Two servers on one database, restarted in turn under load behind a balancer: nobody notices.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { freePort } from '../scripts/free-port.mjs';
import { openTestDatabase } from './database.ts';
import { type Started, startScript } from './started.ts';

const clients = 8;
const key = 'rolling-rolling-rolling';
/** How often the balancer asks each server whether it is ready. */
const checkMs = 100;

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

  isReady(base: string): boolean {
    return this.#ready.has(base);
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

describe('servers on one database', () => {
  test('are restarted in turn without a failed request', async () => {
    await using opened = await openTestDatabase();
    const dataDir = mkdtempSync(join(tmpdir(), 'headwater-rolling-'));
    const ports = [await freePort(), await freePort()];
    const bases = ports.map((port) => `http://127.0.0.1:${port}`);
    const start = (port: number): Started =>
      startScript('start.mjs', {
        DATA_DIR: dataDir,
        DATABASE_URL: opened.url,
        PORT: String(port),
        ADMIN_API_KEY: key,
        DRAIN_SECONDS: '1.5',
      });
    const running = ports.map(start);
    const balancer = new Balancer(bases);
    try {
      await Promise.all(running.map((started) => started.ready()));
      await expect.poll(() => bases.every((base) => balancer.isReady(base))).toBe(true);
      let isOver = false;
      const loading = Array.from({ length: clients }, (_, i) => load(balancer, i, () => isOver));
      for (const round of [1, 2]) {
        for (const [at, port] of ports.entries()) {
          const before = balancer.answered;
          expect([round, await running[at]?.stop()]).toEqual([round, 0]);
          running[at] = start(port);
          await running[at]?.ready();
          await expect
            .poll(() => balancer.isReady(bases[at] ?? ''), { timeout: 20_000 })
            .toBe(true);
          expect(balancer.answered).toBeGreaterThan(before);
        }
      }
      isOver = true;
      await Promise.all(loading);
      expect(balancer.failures).toEqual([]);
      expect(balancer.answered).toBeGreaterThan(400);
    } finally {
      balancer.stop();
      for (const started of running) await started.stop('SIGKILL');
      rmSync(dataDir, { recursive: true, force: true });
    }
  });
});
