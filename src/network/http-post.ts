// A request to a receiver, such as a webhook: to a checked address, no redirect, bounded in time and size.

import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { findHost, type NetworkReach } from './reach.ts';

/** What a receiver answered. */
export interface PostAnswer {
  readonly status: number;
  readonly retryAfter: string | null;
  /** The first KB. */
  readonly text: string;
}

export interface PostRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly reach: NetworkReach;
  readonly signal: AbortSignal;
}

const kept = 1_024;
/** No one reads more of an answer; past this the socket is closed. */
const maxAnswer = 64 * 1_024;

/**
 * Send a request and read the answer. The host is looked up once, each of its addresses is checked,
 * and one of these is connected to. Throws what went wrong on the way; any status is an answer.
 */
export async function httpPost(request: PostRequest): Promise<PostAnswer> {
  const { url, body, signal } = request;
  const host = await findHost(url.hostname, request.reach);
  signal.throwIfAborted();
  const isSecure = url.protocol === 'https:';
  const options = {
    host: host.address,
    port: url.port || (isSecure ? 443 : 80),
    method: 'POST',
    path: `${url.pathname}${url.search}`,
    headers: {
      ...request.headers,
      host: url.host,
      'content-length': Buffer.byteLength(body),
      'accept-encoding': 'identity',
    },
    signal,
    agent: false as const,
  };
  const tls = isIP(host.name) === 0 ? { servername: host.name } : {};
  return new Promise((resolve, reject) => {
    const sent = isSecure ? requestHttps({ ...options, ...tls }) : requestHttp(options);
    sent.once('error', (error) => reject(signal.aborted ? signal.reason : error));
    sent.once('response', (response) => {
      const chunks: Buffer[] = [];
      let length = 0;
      const answer = () => {
        const text = Buffer.concat(chunks).subarray(0, kept).toString().replaceAll('\0', '');
        const retryAfter = response.headers['retry-after'] ?? null;
        resolve({ status: response.statusCode ?? 0, retryAfter, text: text.toWellFormed() });
      };
      response.on('data', (chunk: Buffer) => {
        if (length < kept) chunks.push(chunk);
        length += chunk.length;
        if (length <= maxAnswer) return;
        answer();
        sent.destroy();
      });
      response.once('end', answer);
      response.once('error', reject);
      response.once('aborted', () => reject(new Error('the connection was closed halfway')));
    });
    sent.end(body);
  });
}
