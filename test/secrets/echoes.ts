// Loopback servers that echo the secrets they are given, as bad ones do.

import { createServer } from 'node:net';
import { type HttpFake, startFake } from '../integrations/connectors/http-fake.ts';

/** A header that a client sent, or another secret, in every form in which a server might say it back. */
export function said(header: string): string {
  const value = header.replace(/^(Basic|Bearer) /, '');
  const decoded = /^Basic /.test(header) ? Buffer.from(value, 'base64').toString() : value;
  const secret = decoded.slice(decoded.indexOf(':') + 1);
  return [
    header,
    decoded,
    secret,
    JSON.stringify(secret),
    encodeURIComponent(secret),
    new URLSearchParams({ secret }).toString(),
    Buffer.from(decoded).toString('base64url'),
    Buffer.from(secret).toString('base64'),
    Buffer.from(secret).toString('hex'),
    // Long answers are cut somewhere.
    ' '.repeat(900 - (secret.length % 7)) + secret,
  ].join(' | ');
}

/** An HTTP server that refuses every request, and says with which login it came. */
export function startEcho(): Promise<HttpFake> {
  return startFake(({ headers }) => {
    const key = headers['x-clickhouse-key'];
    const login = headers.authorization ?? (typeof key === 'string' ? key : '');
    const echo = said(Buffer.from(login, 'latin1').toString());
    return { status: 500, headers: { 'x-echo': 'yes' }, body: `Code: 516. No login with ${echo}` };
  });
}

/** A team chat that names the token which it refuses. */
export function startChatEcho(): Promise<HttpFake> {
  return startFake(({ headers }) => ({
    headers: { 'content-type': 'application/json' },
    body: { ok: false, error: `invalid_auth: ${said(headers.authorization ?? '')}` },
  }));
}

/** An OpenID provider that lets no one in, and says with which secret and code it was asked. */
export async function startProviderEcho(): Promise<HttpFake> {
  const provider = await startFake(({ url, headers, body }) => {
    const issuer = `http://127.0.0.1:${provider.port}`;
    const json = { 'content-type': 'application/json' };
    if (url.pathname !== '/token') {
      const ends = { authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` };
      const keys = { jwks_uri: `${issuer}/keys`, response_types_supported: ['code'] };
      return { headers: json, body: { issuer, ...ends, ...keys } };
    }
    const login = Buffer.from(headers.authorization?.slice(6) ?? '', 'base64').toString();
    const whole = Buffer.from(decodeURIComponent(login.replaceAll('+', '%20'))).toString('base64');
    const error_description = `No client with ${said(`Basic ${whole}`)} and ${said(headers.authorization ?? '')} and ${body}`;
    return { status: 400, headers: json, body: { error: 'invalid_client', error_description } };
  });
  return provider;
}

export interface MailEcho extends AsyncDisposable {
  readonly port: number;
  /** Logins that were tried. */
  readonly logins: readonly string[];
}

/** A mail server that refuses every login, and says which. */
export async function startMailEcho(): Promise<MailEcho> {
  const logins: string[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.write('220 echo\r\n');
    socket.on('data', (chunk) => {
      for (const line of chunk.toString().split('\r\n').filter(Boolean)) {
        const [, login] = /^AUTH PLAIN (.*)/.exec(line) ?? [];
        if (login) logins.push(login);
        const text = login ? Buffer.from(login, 'base64').toString().split('\0').pop() : '';
        if (line.startsWith('EHLO')) socket.write('250-echo\r\n250 AUTH PLAIN\r\n');
        else if (login) socket.write(`535 5.7.8 No login with ${login} ${text}\r\n`);
        else socket.write('250 ok\r\n');
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' ? (address?.port ?? 0) : 0,
    logins,
    [Symbol.asyncDispose]: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}
