// Signatures of messages to receivers, such as webhooks, as the Standard Webhooks specification has them.

import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';
const keyBytes = 32;

/** A new signing secret. */
export function makeSecret(): string {
  return `${prefix}${randomBytes(keyBytes).toString('base64')}`;
}

/** What is signed. */
export interface Signed {
  /** Names the message for good: anyone who gets it twice can tell. */
  readonly id: string;
  /** When it is sent, in seconds since 1970: a receiver refuses what is old. */
  readonly timestamp: number;
  readonly body: string;
}

/**
 * The headers that let a receiver verify who sent a message, and when: one signature by each secret, of which one is
 * enough.
 */
export function signedHeaders(
  secrets: readonly string[],
  { id, timestamp, body }: Signed,
): Readonly<Record<string, string>> {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  };
}
