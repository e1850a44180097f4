// Unix sockets in a folder, however long its path is.

import { openSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';

/** A socket that is listened on. It does not keep the process alive. */
export interface Listening {
  /** What a child process inherits to hold the socket as well. */
  readonly descriptor: number;
  close(): Promise<void>;
}

/** Listen in a folder under a name that is free. Throws where the system does not let us. */
export async function listen(
  folder: string,
  name: string,
  onConnection: (socket: Socket) => void,
): Promise<Listening> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    onConnection(socket);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(socketPath(folder, name), resolve);
  });
  server.unref();
  return {
    descriptor: descriptorOf(server),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
      }),
  };
}

/** Node.js has no public name for the descriptor that a child process is to inherit. */
function descriptorOf(server: object): number {
  const handle: unknown = Reflect.get(server, '_handle');
  const descriptor: unknown = typeof handle === 'object' && handle && Reflect.get(handle, 'fd');
  if (typeof descriptor === 'number' && descriptor > 2) return descriptor;
  throw new Error('This version of Node.js does not show the descriptor of a socket.');
}

/** The port by which PostgreSQL names its socket. */
export const socketPort = 5432;

/** The address of a unix socket has room for so many bytes on every system that we run on. */
const maxPathBytes = 103;

/** Whether the path is short enough to be the address of a unix socket. */
export function isSocketPath(path: string): boolean {
  return Buffer.byteLength(path) <= maxPathBytes;
}

const folders = new Map<string, number>();

/** The path to a socket in a folder; on Linux there is a short one to any folder. */
export function socketPath(folder: string, name: string): string {
  const path = join(folder, name);
  if (isSocketPath(path)) return path;
  if (process.platform !== 'linux') {
    throw new Error(`The path of DATA_DIR is too long for this system: ${folder}`);
  }
  const descriptor = folders.get(folder) ?? openSync(folder, 'r');
  folders.set(folder, descriptor);
  return `/proc/self/fd/${descriptor}/${name}`;
}
