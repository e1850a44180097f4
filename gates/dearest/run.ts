// In charge of sending one request fifty times at once, and of what others notice of it.

import { Agent, request as ask, type IncomingMessage } from 'node:http';
import { messageOf } from '../../src/errors.ts';
import { Beside, type Timing } from '../beside.ts';
import type { Request } from './known.ts';

export interface RunOptions {
  readonly address: string;
  /** Whose requests these are. */
  readonly key: string;
  /** Who is to be served meanwhile. */
  readonly otherKey: string;
  readonly atOnce: number;
}

/** What came of one request, sent many times at once. */
export interface Run {
  readonly request: Request;
  /** How often it was sent so many times at once. */
  readonly bursts: number;
  /** What was answered, by status and code, and how often. */
  readonly answers: ReadonlyMap<string, number>;
  /** Until the last one of the slowest burst was answered, in milliseconds. */
  readonly ms: number;
  /** What others noticed. */
  readonly others: ReadonlyMap<string, Timing>;
  readonly failures: readonly string[];
}

/** A request that is not answered by then is given up. */
const patienceMs = 120_000;

/** Of fewer, the 99th percentile would be the longest, which chance decides. */
const leastAsked = 200;
const mostMs = 60_000;

/** Send a request many times at once, again as soon as all are answered, until others have asked often enough. */
export async function runAtOnce(options: RunOptions, request: Request): Promise<Run> {
  const { address, key, otherKey, atOnce } = options;
  const agent = new Agent({ keepAlive: false });
  const others = new Beside(address, otherKey);
  const began = performance.now();
  const answers = new Map<string, number>();
  let [bursts, ms] = [0, 0];
  while (others.fewest < leastAsked && performance.now() - began < mostMs) {
    const burst = performance.now();
    const sent = Array.from({ length: atOnce }, () => send(address, key, request, agent));
    for (const answer of await Promise.all(sent)) {
      answers.set(answer, (answers.get(answer) ?? 0) + 1);
    }
    bursts += 1;
    ms = Math.max(ms, performance.now() - burst);
  }
  const { samples, failures } = await others.end();
  return { request, bursts, answers, ms, others: samples, failures };
}

/** What was answered, in a few words. */
export async function send(
  address: string,
  key: string,
  { method, path, body, isAnonymous = false }: Request,
  agent?: Agent,
): Promise<string> {
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const headers = {
        ...(isAnonymous ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      };
      const signal = AbortSignal.timeout(patienceMs);
      const sending = ask(
        address + path,
        { method, headers, signal, ...(agent ? { agent } : {}) },
        resolve,
      );
      sending.once('error', reject);
      sending.end(body);
    });
    const said = await endsOf(response);
    const status = response.statusCode ?? 0;
    // What an answer holds may have codes of its own.
    const place = status < 400 ? /"extensions":\{"code":"(\w+)"/ : /"code":"(\w+)"/;
    const code = place.exec(said)?.[1];
    return `${status}${code === undefined ? '' : ` ${code}`}`;
  } catch (error) {
    return messageOf(error);
  }
}

/** The first and the last of a body are kept of it: errors come before the data or after it. */
const keptBytes = 4_096;

/**
 * The beginning and the end of a body. What lies between is let go unread: fifty answers of megabytes, read
 * as text, would keep this process from noticing what others are answered.
 */
async function endsOf(body: AsyncIterable<Buffer>): Promise<string> {
  let first: Uint8Array = new Uint8Array();
  let last: Uint8Array = new Uint8Array();
  for await (const chunk of body) {
    if (first.length < keptBytes) first = Buffer.concat([first, chunk.subarray(0, keptBytes)]);
    const tail = chunk.subarray(-keptBytes);
    last = tail.length === keptBytes ? tail : Buffer.concat([last, tail]).subarray(-keptBytes);
  }
  return `${Buffer.from(first).toString('latin1')} ${Buffer.from(last).toString('latin1')}`;
}
