// What is left of a database whose Headwater was killed: the next start waits until all of
// its processes are gone.
//
// They inherit a socket that is listened on. While one of them lives the socket takes connections, in
// whatever namespace it runs.

import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Account } from './os-account.ts';
import { type Listening, listen, socketPath } from './socket.ts';

/** The database whose remains are looked for. */
export interface Remains {
  /** The data folder, which this process has claimed. */
  readonly dataDir: string;
  /** The server's own folder in it. */
  readonly cluster: string;
  readonly account: Account;
  readonly onNotice: (message: string) => void;
}

const socketName = 'postgres.lock';
const pauseMs = 10;
/** A database that no one needs any more stops in good order within this time, as a rule. */
const graceMs = 3_000;
const limitMs = 60_000;

/**
 * Wait until no process of an earlier server is left, and end those that do not end by themselves.
 * Returns the socket that the next server's processes are to inherit. Throws when they do not end.
 */
export async function awaitRemains(remains: Remains): Promise<Listening> {
  const { dataDir, cluster } = remains;
  const started = performance.now();
  let isAsked = false;
  while (await isHeld(dataDir)) {
    const waited = performance.now() - started;
    if (waited > limitMs) {
      throw new Error(
        `Processes of the last PostgreSQL server are still using ${cluster}, and do not end. ` +
          'End them, then start again.',
      );
    }
    if (waited > graceMs) {
      if (!isAsked) remains.onNotice('Ending what is left of the last database server.');
      endRemains(remains, isAsked ? 'KILL' : 'INT');
      isAsked = true;
      await sleep(graceMs / 3);
    }
    await sleep(pauseMs);
  }
  rmSync(join(dataDir, socketName), { force: true });
  return listen(dataDir, socketName, (socket) => socket.destroy());
}

function isHeld(dataDir: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketPath(dataDir, socketName));
    const end = (held: boolean) => {
      socket.destroy();
      resolve(held);
    };
    socket.on('connect', () => end(true));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // Any other failure, such as a queue that is full, comes from somebody who is there.
      end(error.code !== 'ECONNREFUSED' && error.code !== 'ENOENT');
    });
  });
}

const signalScript = fileURLToPath(new URL('./signal.sh', import.meta.url));

/** Signal every process of PostgreSQL that works in the data folder, even on a cluster half made. */
function endRemains({ dataDir, account }: Remains, signal: 'INT' | 'KILL'): void {
  const [command = '', ...args] = [...account.prefix, ...['sh', signalScript, dataDir, signal]];
  spawnSync(command, args, { ...account.spawnAs, cwd: '/', stdio: 'ignore', timeout: 10_000 });
}
