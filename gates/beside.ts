// Bystanders of a gate: how long their answers take, and which failed.

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** How long answers of one kind took, in milliseconds. */
export interface Timing {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** What the process tells: how often each kind was answered, at least, and at its end what all of it came to. */
export type BesideMessage = { readonly fewest: number } | Noticed;

interface Noticed {
  readonly samples: ReadonlyMap<string, Timing>;
  readonly failures: readonly string[];
}

const asking = fileURLToPath(new URL('./beside/asking.ts', import.meta.url));

/**
 * Asks, with connections of its own, from when it is made until `end`. It does so in a process of its own: anyone who
 * sends fifty megabytes at once is busy with that for a tenth of a second, which is not the server's.
 */
export class Beside {
  readonly #process: ChildProcess;
  readonly #noticed: Promise<Noticed>;
  #fewest = 0;

  constructor(address: string, key: string) {
    this.#process = fork(asking, [address, key], {
      execArgv: ['--import', 'tsx'],
      serialization: 'advanced',
    });
    this.#noticed = new Promise((resolve, reject) => {
      this.#process.once('exit', () => reject(new Error('Who asks beside the gate has ended.')));
      this.#process.on('message', (message: BesideMessage) => {
        if ('fewest' in message) this.#fewest = message.fewest;
        else resolve(message);
      });
    });
    this.#noticed.catch(() => {});
  }

  /** How often each kind was answered, at least. */
  get fewest(): number {
    return this.#fewest;
  }

  async end(): Promise<Noticed> {
    const ended = once(this.#process, 'exit');
    this.#process.send('end');
    const noticed = await this.#noticed;
    await ended;
    return noticed;
  }
}

/** Ask as others do when nothing else goes on. */
export async function alone(
  address: string,
  key: string,
  ms: number,
): Promise<ReadonlyMap<string, Timing>> {
  const others = new Beside(address, key);
  await sleep(ms);
  return (await others.end()).samples;
}
