// Requests to sources that speak HTTP: to a checked address, no redirect, bounded.

import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { unavailable } from '../../errors.ts';
import type { Host } from '../../network/reach.ts';
import { answerTooLarge, maxAnswerBytes } from './byte-limit.ts';
import { refused } from './failure.ts';
import { type Link, tlsOptions } from './tls.ts';

/** Where a source listens. */
export interface HttpSource extends Link {
  readonly port: number;
  readonly ca?: string | undefined;
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

export interface HttpAnswer {
  readonly status: number;
  readonly body: string;
}

/** Send a request and read the whole answer. When the signal aborts, the socket is closed. */
export function send(source: HttpSource, request: HttpRequest): Promise<HttpAnswer> {
  const { host, port, encryption, ca } = source;
  const tls = tlsOptions(encryption, host, ca);
  const options = {
    // The address was checked; the name is for the server's own sake, and for its certificate.
    host: host.address,
    port,
    method: request.method,
    path: request.path,
    headers: { ...request.headers, host: hostHeader(host, port), 'accept-encoding': 'identity' },
    signal: request.signal,
    agent: false as const,
  };
  return new Promise((resolve, reject) => {
    const sent = tls ? requestHttps({ ...options, ...tls }) : requestHttp(options);
    sent.once('error', (error) => reject(request.signal.aborted ? request.signal.reason : error));
    sent.once('response', (response) => {
      const status = response.statusCode ?? 0;
      const chunks: Buffer[] = [];
      let length = 0;
      response.on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length > maxAnswerBytes) {
          sent.destroy(answerTooLarge());
          return;
        }
        chunks.push(chunk);
      });
      response.once('error', reject);
      response.once('aborted', () => reject(unavailable('The source closed the connection.')));
      response.once('end', () => {
        // Where it leads to was never checked.
        if (status >= 300 && status < 400) {
          reject(refused('it answered with a redirect, which is not followed.'));
        } else resolve({ status, body: Buffer.concat(chunks).toString() });
      });
    });
    sent.end(request.body);
  });
}

function hostHeader({ name }: Host, port: number): string {
  return `${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** The header of a login; none without a user. */
export function basicAuth(user: string, password: string): Readonly<Record<string, string>> {
  if (password === '') return {};
  return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
}
