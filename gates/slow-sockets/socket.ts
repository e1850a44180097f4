// A client that sends slowly: what it sends, and when the server closed its connection.

import { connect } from 'node:net';

/** A way of being slow. */
export interface Way {
  /** What it is, in words. */
  readonly name: string;
  /** What is sent at once. */
  readonly start: string;
  /** What is sent each second after; null for nothing more. */
  readonly drip: string | null;
  /** Whether it is slow only once it has its answer, whatever that is; the others are told that they are too slow. */
  readonly isAnswered?: boolean;
}

/** What became of a connection. */
export interface Fate {
  readonly way: Way;
  /** When the server closed it, in milliseconds after it was opened; null where it is still open. */
  readonly closedMs: number | null;
  /** The status that was answered before; null where nothing was. */
  readonly status: number | null;
}

const dripMs = 1_000;

const faces = [
  { face: 'GraphQL', path: '/graphql', body: '{"query":' },
  { face: 'REST', path: '/api/v1/tag/tags', body: '{"name":' },
] as const;

/**
 * Every way: both APIs, with a key and without, slow headers and slow bodies, drips and silence, and
 * silence after an answer.
 */
export function waysOf(key: string): Way[] {
  const ways: Way[] = [{ name: 'nothing at all', start: '', drip: null }];
  for (const { face, path, body } of faces) {
    for (const [who, authorization] of [
      ['with a key', `Authorization: Bearer ${key}\r\n`],
      ['without a key', ''],
    ] as const) {
      const head = `POST ${path} HTTP/1.1\r\nHost: slow\r\n${authorization}`;
      const json = 'Content-Type: application/json\r\n';
      const chunk = `${body.length.toString(16)}\r\n${body}\r\n`;
      const kinds = [
        { kind: 'headers', start: `${head}X-Slow: `, more: 'x' },
        { kind: 'body', start: `${head}${json}Content-Length: 1000\r\n\r\n${body}`, more: ' ' },
        {
          kind: 'chunked body',
          start: `${head}${json}Transfer-Encoding: chunked\r\n\r\n${chunk}`,
          more: '1\r\n \r\n',
        },
      ];
      for (const { kind, start, more } of kinds) {
        const name = `${face} ${kind} ${who}`;
        ways.push({ name: `${name}, in drips`, start, drip: more });
        ways.push({ name: `${name}, then silence`, start, drip: null });
      }
      const asked = `GET ${path} HTTP/1.1\r\nHost: slow\r\n${authorization}\r\n`;
      const name = `${face} ${who}, answered, then silence`;
      ways.push({ name, start: asked, drip: null, isAnswered: true });
    }
  }
  return ways;
}

/** Open a slow connection and wait until the server closes it, or `patienceMs` are over. */
export function beSlow(port: number, way: Way, patienceMs: number): Promise<Fate> {
  return new Promise((resolve) => {
    const began = performance.now();
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(way.start));
    const dripping = setInterval(() => {
      if (way.drip !== null && socket.writable) socket.write(way.drip);
    }, dripMs);
    const end = (closedMs: number | null) => {
      clearInterval(dripping);
      clearTimeout(late);
      socket.destroy();
      const status = /^HTTP\/1\.1 (\d+)/.exec(answer)?.[1];
      resolve({ way, closedMs, status: status === undefined ? null : Number(status) });
    };
    const late = setTimeout(() => end(null), patienceMs);
    socket.on('data', (data) => {
      answer += data.toString('latin1').slice(0, 100);
    });
    // What is sent to a connection that was just closed is an error, too.
    socket.on('error', () => {});
    // A server that closes its half is still there.
    socket.on('close', () => end(performance.now() - began));
  });
}
