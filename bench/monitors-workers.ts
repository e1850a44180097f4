// The worker processes of the monitors bench: compiled once, killed at random.

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { without } from '../gates/controls.mjs';
import type { Spent } from './monitors-settings.ts';
import type { Random } from './random.ts';

/** Worker processes. */
export interface Workers {
  /** What all of them spent so far, those that were killed too. */
  spent(): Spent;
  /** Kill some while they work, soon after random ones of the instants, and start others in their places at once. */
  killAtRandom(random: Random, kills: number, instants: readonly number[]): Promise<void>;
  /** End them, and wait until they are gone. */
  end(): Promise<void>;
}

/** What the negative control of a gate leaves out of the program. */
const control = process.env.WITHOUT;

const count = 4;
/** From when to when after an instant its monitors are measured, at least in part. */
const soonMs = [100, 1_500] as const;
const compiled = fileURLToPath(
  new URL('../node_modules/.cache/headwater/monitors-worker.mjs', import.meta.url),
);

/** Start the workers on a database; answers when all of them are ready. */
export async function startWorkers(url: string): Promise<Workers> {
  await compile();
  const spent = new Map<ChildProcess, Spent>();
  const start = async () => {
    const execArgv = process.env.PROFILE_DIR
      ? ['--cpu-prof', `--cpu-prof-dir=${process.env.PROFILE_DIR}`]
      : [];
    const child = fork(compiled, { execArgv, env: { ...process.env, DATABASE_URL: url } });
    await new Promise((resolve) => child.once('message', resolve));
    child.on('message', (said: Spent) => spent.set(child, said));
    return child;
  };
  const running = await Promise.all(Array.from({ length: count }, start));
  return {
    spent: () => ({
      cpuMs: [...spent.values()].reduce((sum, { cpuMs }) => sum + cpuMs, 0),
      statements: [...spent.values()].flatMap(({ statements }) => statements),
    }),
    async killAtRandom(random, kills, instants) {
      const moments = Array.from({ length: kills }, () => {
        const instant = instants[random.whole(0, instants.length - 1)] ?? 0;
        return instant + random.whole(...soonMs);
      });
      for (const moment of moments.sort((a, b) => a - b)) {
        await sleep(Math.max(0, moment - Date.now()));
        const place = random.whole(0, running.length - 1);
        running[place]?.kill('SIGKILL');
        running[place] = await start();
      }
    },
    async end() {
      await Promise.all(
        running.map(async (child) => {
          const gone = once(child, 'exit');
          // Those that write a profile do so when they end by themselves.
          child.disconnect();
          await gone;
        }),
      );
    },
  };
}

/** What runs is the program as it is built, not as it is loaded from its sources. */
async function compile(): Promise<void> {
  await build({
    entryPoints: [fileURLToPath(new URL('./monitors-worker.ts', import.meta.url))],
    outfile: compiled,
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: 'linked',
    plugins: control ? [leavingOut(control)] : [],
  });
}

function leavingOut(name: string): Plugin {
  return {
    name: 'without',
    setup(bundle) {
      bundle.onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => ({
        contents: without(name, path, await readFile(path, 'utf8')),
        loader: 'ts',
      }));
    },
  };
}
