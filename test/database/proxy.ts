// A way to a server that can be cut, or turned into a black hole that swallows everything.

import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';

export interface Proxy extends AsyncDisposable {
  /** The given address, by way of this proxy. */
  readonly url: string;
  /** Let nothing through any more, and notify no one. */
  swallow(): void;
  /** Let everything through again, what was held back included. */
  resume(): void;
  /**
   * Let the next commit through, and not its answer: break its connection when that comes, or swallow everything.
   * The answered promise is kept when the server has answered it.
   */
  loseCommit(how: 'cut' | 'swallow'): Promise<void>;
  /** Let no notification through on the connections that there are now; they are between two messages. */
  deafen(): void;
  /** Break every connection, as a server that restarts does. */
  cut(): void;
  /** Reset every connection, as a firewall or a machine that crashed does. */
  reset(): void;
  /** Break every connection and take no new ones, as a server that is stopped does. */
  stop(): void;
  /** Take connections again. */
  start(): Promise<void>;
}

/** A proxy on a free port of the loopback, or on a socket in a folder. */
export async function openProxy(url: string, folder?: string): Promise<Proxy> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let swallowing = false;
  let losing: { how: 'cut' | 'swallow'; resolve: () => void } | null = null;
  /** Connections to the server that deliver no notifications, and what came of a message so far. */
  const deaf = new Map<Socket, Buffer>();
  const fars = new Set<Socket>();
  const swallow = () => {
    swallowing = true;
    for (const socket of sockets) socket.pause();
  };
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    fars.add(far);
    far.on('close', () => fars.delete(far));
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (data: Buffer) => {
        if (from === near && losing && /COMMIT/i.test(data.toString('latin1'))) {
          const { how, resolve } = losing;
          losing = null;
          far.removeAllListeners('data');
          far.once('data', () => {
            if (how === 'cut') near.resetAndDestroy();
            else swallow();
            resolve();
          });
        }
        if (from === far && deaf.has(far)) deaf.set(far, pass(data, to, deaf.get(far)));
        else to.write(data);
      });
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      if (swallowing) from.pause();
    }
  });
  const address = new URL(url);
  const listen = () =>
    new Promise<void>((resolve) => {
      if (folder) server.listen(join(folder, `.s.PGSQL.${address.port}`), resolve);
      else server.listen(Number(address.port), '127.0.0.1', resolve);
    });
  address.hostname = '127.0.0.1';
  address.port = folder ? '5432' : '0';
  await listen();
  const bound = server.address();
  if (folder) address.searchParams.set('host', folder);
  else if (bound === null || typeof bound === 'string') throw new Error('It has no port.');
  else address.port = String(bound.port);
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: address.href,
    swallow,
    deafen() {
      for (const far of fars) deaf.set(far, Buffer.alloc(0));
    },
    loseCommit: (how) =>
      new Promise((resolve) => {
        losing = { how, resolve };
      }),
    resume() {
      swallowing = false;
      for (const socket of sockets) socket.resume();
    },
    cut,
    reset() {
      for (const socket of sockets) socket.resetAndDestroy();
    },
    stop() {
      server.close();
      cut();
    },
    start: listen,
    async [Symbol.asyncDispose]() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Pass whole messages on, but no notifications; what is left is the beginning of the next one. */
function pass(data: Buffer, to: Socket, before: Buffer = Buffer.alloc(0)): Buffer {
  let rest = Buffer.concat([before, data]);
  while (rest.length >= 5) {
    const length = 1 + rest.readInt32BE(1);
    if (rest.length < length) break;
    if (rest.toString('latin1', 0, 1) !== 'A') to.write(rest.subarray(0, length));
    rest = rest.subarray(length);
  }
  return rest;
}
