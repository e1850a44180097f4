// Receivers of the audit log on the loopback: a syslog server that can be as bad as a real one.

import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';

/** How a server treats the connections that come next. */
export type Behavior = 'take' | 'drop' | 'slow' | 'close early';

export interface SyslogServer extends AsyncDisposable {
  readonly port: number;
  behavior: Behavior;
  /** The messages of all connections, in the order in which they came; cut ones are left out. */
  readonly messages: readonly string[];
  connections(): number;
}

/** Start a syslog server, over TLS where that has options. */
export async function startSyslog(tls?: TlsOptions, wanted = 0): Promise<SyslogServer> {
  const messages: string[] = [];
  const open = new Set<Socket>();
  let connections = 0;
  const listener = (socket: Socket) => {
    connections += 1;
    open.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => open.delete(socket));
    let bytes: Buffer = Buffer.alloc(0);
    if (started.behavior === 'close early') return void socket.end();
    const { behavior } = started;
    socket.on('data', (chunk) => {
      bytes = Buffer.concat([bytes, chunk]);
      bytes = takeFrames(bytes, messages);
      if (behavior === 'drop') socket.resetAndDestroy();
      if (behavior === 'slow') {
        socket.pause();
        setTimeout(() => socket.resume(), 20);
      }
    });
  };
  const server: Server = tls ? createTlsServer(tls, listener) : createServer(listener);
  await new Promise<void>((resolve) => server.listen(wanted, '127.0.0.1', resolve));
  const address = server.address();
  const started = {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    behavior: 'take' as Behavior,
    messages,
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return started;
}

/** Take whole frames, `LENGTH MESSAGE`, from the beginning; what is left. */
function takeFrames(bytes: Buffer, messages: string[]): Buffer {
  let rest = bytes;
  for (;;) {
    const blank = rest.indexOf(' ');
    if (blank < 0) return rest;
    const digits = rest.subarray(0, blank).toString();
    if (!/^[1-9]\d*$/.test(digits)) throw new Error(`No length: ${digits}`);
    const end = blank + 1 + Number(digits);
    if (rest.length < end) return rest;
    messages.push(rest.subarray(blank + 1, end).toString());
    rest = rest.subarray(end);
  }
}

const message =
  /^<110>1 \d{4}-\d\d-\d\dT[\d:.]+Z [\x21-\x7e]{1,255} headwater - ([a-z_]{1,32}) - (\{.*\})$/s;

/** The lines that messages carry. Throws for a message that RFC 5424 does not have. */
export function linesOf(messages: readonly string[]): string[] {
  return messages.map((one) => {
    const [, activity, line = ''] = message.exec(one) ?? [];
    if (activity === undefined) throw new Error(`No message of syslog: ${one}`);
    if (JSON.parse(line).entry.activity_type !== activity) throw new Error(`Not ${activity}`);
    return line;
  });
}
