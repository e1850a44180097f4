// One run of the PostgreSQL program: it starts, says when it is ready, and ends with us.

import { type ChildProcess, spawn } from 'node:child_process';
import {
  closeSync,
  fstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Account } from './os-account.ts';
import type { Programs } from './programs.ts';

/** What to run, and as whom. */
export interface ServerRun {
  readonly programs: Programs;
  readonly account: Account;
  /** The server's folder; absolute. */
  readonly cluster: string;
  /** Where the server's own log goes; it is begun again when it has grown large. */
  readonly logFile: string;
  /** What its processes inherit, so that one can see whether any of them is left; or nothing. */
  readonly descriptor: number | 'ignore';
}

/** A server that answers. */
export interface Child {
  /** Settles when the server, with all of its processes, is gone, no matter who ended it. */
  readonly ended: Promise<void>;
  /** Shut it down in good order: open transactions are undone. Settles with `ended`. */
  stop(): Promise<void>;
}

/** Ends the server when we close its standard input, and when we die. */
const superviseScript = fileURLToPath(new URL('./supervise.sh', import.meta.url));

const startLimitMs = 120_000;
const pauseMs = 5;

/**
 * Start the server and wait until it answers; `onLaunch` is called before the wait. Throws with what its
 * log says when it does not.
 */
export async function startChild(run: ServerRun, onLaunch: () => void = () => {}): Promise<Child> {
  // Anyone who has claimed the folder, and knows that no one is left in it, knows better than these files,
  // whose process id may be another program's by now, or that of a zombie.
  for (const name of ['postmaster.pid', '.s.PGSQL.5432', '.s.PGSQL.5432.lock']) {
    rmSync(join(run.cluster, name), { force: true });
  }
  const log = openLog(run.logFile);
  const { size } = fstatSync(log);
  const process = launch(run, log);
  closeSync(log);
  const ended = new Promise<void>((resolve) => {
    process.once('error', () => resolve());
    process.once('exit', () => resolve());
  });
  const state = { over: false };
  void ended.then(() => {
    state.over = true;
  });
  onLaunch();
  const started = performance.now();
  while (!isReady(run.cluster)) {
    if (state.over) throw new Error(failureOf(run, size));
    if (performance.now() - started > startLimitMs) {
      process.stdin?.destroy();
      await ended;
      throw new Error(
        `The database in ${run.cluster} did not start within ${startLimitMs / 1000} s.`,
      );
    }
    await sleep(pauseMs);
  }
  return {
    ended,
    async stop() {
      process.ref();
      process.stdin?.destroy();
      await ended;
    },
  };
}

function launch({ programs, account, cluster, descriptor }: ServerRun, log: number): ChildProcess {
  const [command = '', ...args] = [
    ...account.prefix,
    ...['sh', superviseScript, cluster, programs.postgres, '-D', cluster],
  ];
  const child = spawn(command, args, {
    ...account.spawnAs,
    cwd: '/',
    // In a process group of its own: a signal from the terminal is for Headwater, which stops the
    // server when it no longer needs it.
    detached: true,
    stdio: ['pipe', log, log, descriptor],
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
  });
  // The pipe breaks when the server ends by itself.
  child.stdin?.on('error', () => {});
  // A process that has nothing else to do may end; the server ends with it.
  child.unref();
  if (child.stdin && 'unref' in child.stdin && typeof child.stdin.unref === 'function') {
    child.stdin.unref();
  }
  return child;
}

/** PostgreSQL writes its state into the last line of this file. */
function isReady(cluster: string): boolean {
  try {
    const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
    return lines[7]?.trim() === 'ready';
  } catch {
    return false;
  }
}

const maxLogBytes = 4_000_000;

function openLog(file: string): number {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > maxLogBytes) {
    renameSync(file, `${file}.1`);
  }
  return openSync(file, 'a', 0o600);
}

/** Why the server did not start, from what its log says after the given size, and what to do. */
function failureOf({ cluster, logFile }: ServerRun, size: number): string {
  const lines = readFileSync(logFile).subarray(size).toString().trimEnd().split('\n');
  const isSetting = lines.some((line) => ofSettings.test(line));
  // What is wrong with a setting is said before the end, by lines of another level.
  const level = isSetting ? /\b(LOG|FATAL|HINT):/ : /\b(FATAL|PANIC|HINT):|^\S+: /;
  const said = lines.filter((line) => level.test(line));
  const reason = (said.length > 0 ? said : lines).slice(-3).map(withoutTime).join(' ');
  const isDamaged = !isSetting && lines.some((line) => ofDamage.test(line));
  const settings = `Correct ${join(cluster, 'postgresql.conf')}. `;
  const remedy = isSetting ? settings : isDamaged ? restoring : '';
  return `The database in ${cluster} could not be started: ${reason} ${remedy}(Its log is ${logFile}.)`;
}

const ofSettings = /FATAL: .*(configuration file|parameter|"[^"]*\.conf")/;
const ofDamage =
  /could not (find the database system|read file|locate a valid checkpoint|locate required checkpoint|open file)|incorrect checksum|is not a valid data directory|invalid (data|checkpoint)/;
const restoring =
  'The folder is damaged: move it away, and restore a backup with npm run restore FILE, or start empty. ';

function withoutTime(line: string): string {
  return line.replace(/^\d{4}-\S+ \S+ UTC \[\d+\] /, '').trim();
}
