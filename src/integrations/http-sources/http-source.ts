// Requests to sources that speak HTTP: to a checked address, no redirect, bounded.

import { channel } from 'node:diagnostics_channel';
import {
  Agent as HttpAgent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as requestHttp,
} from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { unavailable } from '../../errors.ts';
import { codeOf, refused } from '../connectors/failure.ts';
import { type Link, tlsOptions } from '../connectors/tls.ts';
import { readAnswer } from './read-answer.ts';

/** Where a source listens. */
export interface HttpSource extends Link {
  readonly port: number;
  readonly ca?: string | undefined;
  /** Keeps the one connection of a session; where it is absent each request makes one of its own. */
  readonly agent?: HttpAgent | HttpsAgent | undefined;
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
  /** By names in small letters. */
  readonly headers: IncomingHttpHeaders;
  /** Inflated, as text. */
  readonly body: string;
}

/**
 * A source whose requests follow each other on one connection, which is made with the first one and closed by
 * `agent.destroy()`.
 */
export function keepAlive(
  source: HttpSource,
): HttpSource & { readonly agent: HttpAgent | HttpsAgent } {
  const options = { keepAlive: true, maxSockets: 1 };
  const agent = source.encryption === 'disable' ? new HttpAgent(options) : new HttpsAgent(options);
  return { ...source, agent };
}

/** Reads the body of an answer, and says what of it is to be kept in memory. */
export type ReadBody = (response: IncomingMessage) => Promise<string>;

/**
 * Send a request and read the whole answer, inflated unless it is read in another way. When the signal aborts, the socket is closed. A connection that
 * was kept and that the source closed by now is made again, once. Throws BAD_REQUEST for a redirect and for an answer
 * that is too large.
 */
export async function send(
  source: HttpSource,
  request: HttpRequest,
  read: ReadBody = readAnswer,
): Promise<HttpAnswer> {
  const answer = await sendOnce(source, request, read).catch((error: unknown) => {
    if (!(error instanceof StaleConnection)) throw error;
    return sendOnce({ ...source, agent: undefined }, request, read);
  });
  if (exchanges.hasSubscribers) exchanges.publish({ request, answer } satisfies HttpExchange);
  return answer;
}

/** A request and its answer, which hold secrets: only `npm run source:record` listens. */
export interface HttpExchange {
  readonly request: HttpRequest;
  readonly answer: HttpAnswer;
}

/** Where each exchange is published while anything listens. */
export const exchanges = channel('headwater.http-exchange');

/** A connection that was kept is gone: nothing of the request was answered. */
class StaleConnection extends Error {}

function sendOnce(source: HttpSource, request: HttpRequest, read: ReadBody): Promise<HttpAnswer> {
  const { host, port, encryption, ca, agent = false } = source;
  const tls = tlsOptions(encryption, host, ca);
  const options = {
    // The address was checked; the name is for the server's own sake, and for its certificate.
    host: host.address,
    port,
    method: request.method,
    path: request.path,
    headers: {
      'accept-encoding': 'gzip',
      ...request.headers,
      host: hostHeader(source),
    },
    signal: request.signal,
    agent,
  };
  return new Promise((resolve, reject) => {
    const sent = tls ? requestHttps({ ...options, ...tls }) : requestHttp(options);
    let isAnswered = false;
    sent.once('error', (error) => {
      if (request.signal.aborted) reject(request.signal.reason);
      else if (sent.reusedSocket && !isAnswered && isClosed(error)) reject(new StaleConnection());
      else reject(error);
    });
    sent.once('response', (response) => {
      isAnswered = true;
      const status = response.statusCode ?? 0;
      // Where it leads to was never checked.
      if (status >= 300 && status < 400 && status !== notModified) {
        sent.destroy();
        reject(refused('it answered with a redirect, which is not followed.'));
        return;
      }
      response.once('aborted', () => reject(unavailable('The source closed the connection.')));
      read(response).then(
        (body) => resolve({ status, headers: response.headers, body }),
        (error) => {
          reject(request.signal.aborted ? request.signal.reason : error);
          sent.destroy();
        },
      );
    });
    sent.end(request.body);
  });
}

function isClosed(error: unknown): boolean {
  return ['ECONNRESET', 'EPIPE'].includes(codeOf(error));
}

/** The answer to who has what is there already. */
export const notModified = 304;

/** What requests call the host: with its port, unless that is the usual one. */
export function hostHeader({ host: { name }, port, encryption }: HttpSource): string {
  const shown = name.includes(':') ? `[${name}]` : name;
  return port === (encryption === 'disable' ? 80 : 443) ? shown : `${shown}:${port}`;
}

/** The header of a login; none without a user. */
export function basicAuth(user: string, password: string): Readonly<Record<string, string>> {
  if (password === '') return {};
  return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
}
