// A PostgreSQL server that a test starts, stops, freezes and configures as it likes.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../scripts/free-port.mjs';
import { askOwner, openPlace, postgresProgram } from './servers.ts';

/** A server, which doesn't run yet. */
export interface Cluster extends AsyncDisposable {
  readonly port: number;
  /** Its folder of data, for files such as `standby.signal`. */
  readonly data: string;
  /** The address of a database of it, for the account that may do everything. */
  readonly url: string;
  /** Let it run, with settings such as `max_connections=3`; returns before it takes connections. */
  launch(settings?: readonly string[]): void;
  /** Wait until it takes connections. */
  answers(): Promise<void>;
  /** `immediate` is what a power loss looks like to those who are connected. */
  stop(how?: 'fast' | 'immediate'): Promise<void>;
  /** Let none of its processes do anything, until it is thawed. */
  freeze(): void;
  thaw(): void;
  /** Let a server that recovers take connections. */
  promote(): void;
  /** Run a script as the account that may do everything; rows of its last statement. */
  run(script: string, database?: string): Promise<unknown[]>;
}

/**
 * Make a server; null where none is installed. `hba` are lines of pg_hba.conf that come before those
 * which trust everybody.
 */
export async function openCluster(hba: readonly string[] = []): Promise<Cluster | null> {
  const [initdb, postgres] = [postgresProgram('initdb'), postgresProgram('postgres')];
  const control = postgresProgram('pg_ctl');
  if (!initdb || !postgres || !control) return null;
  const { folder, owner } = openPlace('cluster');
  const data = join(folder, 'data');
  const options = { ...owner, cwd: folder, stdio: 'ignore' } as const;
  const locale = ['--encoding=UTF8', '--locale=C.UTF-8'];
  execFileSync(initdb, ['-D', data, '-U', 'owner', '-A', 'trust', '--no-sync', ...locale], options);
  const trust = readFileSync(join(data, 'pg_hba.conf'), 'utf8');
  writeFileSync(join(data, 'pg_hba.conf'), [...hba, trust].join('\n'));
  const port = await freePort();
  let server: ChildProcess | null = null;
  let ended: Promise<unknown> = Promise.resolve();
  const run = (script: string, database = 'postgres') => askOwner({ port, database }, script);
  const signalAll = (signal: NodeJS.Signals) => {
    for (const pid of family(server?.pid)) process.kill(pid, signal);
  };
  const cluster: Cluster = {
    port,
    data,
    url: `postgresql://owner@127.0.0.1:${port}/postgres`,
    launch(settings = []) {
      const all = [
        'listen_addresses=127.0.0.1',
        `port=${port}`,
        `unix_socket_directories=${folder}`,
        'fsync=off',
        ...settings,
      ];
      const child = spawn(postgres, ['-D', data, ...all.flatMap((one) => ['-c', one])], options);
      server = child;
      ended = new Promise((resolve) => child.once('exit', resolve));
    },
    async answers() {
      for (let attempt = 0; ; attempt += 1) {
        const answer = await run('select 1').catch((error: unknown) => error);
        if (!(answer instanceof Error)) return;
        if (attempt > 300) throw answer;
        await sleep(100);
      }
    },
    async stop(how = 'fast') {
      server?.kill(how === 'fast' ? 'SIGINT' : 'SIGQUIT');
      await ended;
      server = null;
    },
    freeze: () => signalAll('SIGSTOP'),
    thaw: () => signalAll('SIGCONT'),
    promote() {
      execFileSync(control, ['promote', '-D', data, '--no-wait'], options);
    },
    run,
    async [Symbol.asyncDispose]() {
      if (server) cluster.thaw();
      await cluster.stop('immediate');
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return cluster;
}

/** A process and those that it started. */
function family(pid: number | undefined): number[] {
  if (pid === undefined) return [];
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return [
    pid,
    ...children
      .split(' ')
      .filter((child) => child !== '')
      .map(Number),
  ];
}
