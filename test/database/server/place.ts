// A data folder of a test, and of the processes that work in it.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../../src/database/open.ts';
import { type Program, startProgram } from '../program.ts';

/** A data folder, gone with the test; what still runs in it is ended first. */
export interface Place extends AsyncDisposable {
  readonly dataDir: string;
  readonly cluster: string;
  /** Start a process that writes to the folder's database (see `writer.ts`). */
  writer(): Program;
  /** The processes of PostgreSQL that work in the folder; the one that started the others first. */
  servers(): number[];
  /** The shells that watch over the server. */
  watchers(): number[];
  /** Open the database, and count what a writer left; throws where a write is half done. */
  written(): Promise<number[]>;
}

export function openPlace(): Place {
  const parent = mkdtempSync(join(tmpdir(), 'headwater-place-'));
  const dataDir = join(parent, 'data');
  const cluster = join(dataDir, 'postgres-18');
  const programs: Program[] = [];
  const servers = () => serversOn(cluster);
  const watchers = () => watchersOf(cluster);
  return {
    dataDir,
    cluster,
    writer() {
      const program = startProgram('./server/writer.ts', [dataDir]);
      programs.push(program);
      return program;
    },
    servers,
    watchers,
    async written() {
      const database = await openDatabase({ dataDir, migrations: null });
      try {
        const { rows } = await database.pool.query<{ a: number[]; b: number[] }>(
          `select (select array_agg(n order by n) from pair_a) as a,
                  (select array_agg(n order by n) from pair_b) as b`,
        );
        const { a, b } = rows[0] ?? { a: [], b: [] };
        if (String(a) !== String(b)) throw new Error(`Half done: ${a} and ${b}`);
        return a;
      } finally {
        await database.close();
      }
    },
    async [Symbol.asyncDispose]() {
      for (const program of programs) await program.kill();
      for (const pid of [...watchers(), ...servers()]) killIfThere(pid);
      rmSync(parent, { recursive: true, force: true });
    },
  };
}

/** Kill a process, as `kill -9` does, unless it is gone. */
export function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It went by itself.
  }
}

/** Every process of the server on a cluster: its first one, those that it started, its watchers. */
export function processesOf(cluster: string): number[] {
  return [...serversOn(cluster), ...watchersOf(cluster)];
}

function watchersOf(cluster: string): number[] {
  return execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(`supervise.sh ${cluster}`))
    .map((line) => Number.parseInt(line, 10));
}

/** The processes of PostgreSQL that work in a folder; the one that started the others first. */
export function serversOn(folder: string): number[] {
  const found = readdirSync('/proc').flatMap((name) => {
    try {
      return readlinkSync(`/proc/${name}/cwd`) === folder ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
  const isFirst = (pid: number) => !found.includes(parentOf(pid));
  return found.sort((a, b) => Number(isFirst(b)) - Number(isFirst(a)));
}

function parentOf(pid: number): number {
  try {
    return Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  } catch {
    return 0;
  }
}
