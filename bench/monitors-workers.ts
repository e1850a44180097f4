// The worker processes of the monitors bench: compiled once, killed and stopped at random.

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { without } from '../gates/controls.mjs';
import type { Random } from '../test/trials/random.ts';
import type { Spent } from './monitors-settings.ts';

/** Worker processes. */
export interface Workers {
  /** What all of them spent so far, those that were killed too. */
  spent(): Spent;
  /**
   * Kill one and tell one to stop, in turn, soon after random ones of the instants, and start others in their places.
   * Answers which of those that were told to stop did not end as they should.
   */
  endAtRandom(random: Random, times: number, instants: readonly number[]): Promise<string[]>;
  /** End them, and wait until they are gone. */
  end(): Promise<void>;
}

/** What the negative control of a gate leaves out of the program. */
const control = process.env.WITHOUT;

const count = 4;
/** From when to when after an instant its monitors are measured, at least in part. */
const soonMs = [100, 1_500] as const;
/** A worker lets what runs come to its end, or gives it back; one that is still there by then hangs. */
const stopMs = 60_000;
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
    async endAtRandom(random, times, instants) {
      const stopping: Promise<string[]>[] = [];
      const moments = Array.from({ length: times }, () => {
        const instant = instants[random.whole(0, instants.length - 1)] ?? 0;
        return instant + random.whole(...soonMs);
      });
      for (const [n, moment] of moments.sort((a, b) => a - b).entries()) {
        await sleep(Math.max(0, moment - Date.now()));
        const place = random.whole(0, running.length - 1);
        const child = running[place];
        if (child && n % 2 === 1) stopping.push(stop(child));
        else child?.kill('SIGKILL');
        running[place] = await start();
      }
      return (await Promise.all(stopping)).flat();
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

/** Tell a worker to stop; what is wrong with how it ended. */
async function stop(child: ChildProcess): Promise<string[]> {
  const late = setTimeout(() => child.kill('SIGKILL'), stopMs);
  child.kill('SIGTERM');
  const [code, signal] = await once(child, 'exit');
  clearTimeout(late);
  return code === 0 ? [] : [`A worker that was told to stop ended with ${signal ?? code}.`];
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
