// A mail server on the loopback that takes all that it is given, and remembers it.

import { createServer, type Server, type Socket } from 'node:net';
import type { Catalog } from '../catalog.ts';

export interface MailServer extends AsyncDisposable {
  /** Messages as they came, each with whom it is for. */
  readonly mails: { readonly to: string; readonly text: string }[];
}

/** Let mail of a database go there, until it ends. */
export async function startMail({
  surroundings,
}: Pick<Catalog, 'surroundings'>): Promise<MailServer> {
  const mails: { to: string; text: string }[] = [];
  const server: Server = createServer((socket: Socket) => {
    let to = '';
    let data: string[] | null = null;
    let rest = '';
    socket.on('error', () => {});
    socket.write('220 test\r\n');
    socket.on('data', (chunk) => {
      const lines = (rest + chunk.toString()).split('\r\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (data && line !== '.') data.push(line);
        else if (data) {
          mails.push({ to, text: data.join('\n') });
          data = null;
          socket.write('250 taken\r\n');
        } else if (line.startsWith('DATA')) {
          data = [];
          socket.write('354 go on\r\n');
        } else {
          const [, address] = /^RCPT TO:<(.*)>/.exec(line) ?? [];
          to = address ?? to;
          socket.write('250 ok\r\n');
        }
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  surroundings.mail = {
    url: `smtp://127.0.0.1:${port}`,
    from: 'headwater@example.com',
    ruleDomains: [],
  };
  return {
    mails,
    async [Symbol.asyncDispose]() {
      surroundings.mail = { url: null, from: '', ruleDomains: [] };
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
