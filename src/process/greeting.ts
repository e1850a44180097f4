// The last lines of a start: the addresses, and how to sign in.

import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { DemoOutcome } from '../demo/demo.ts';
import type { FirstKey } from '../people/first-admin.ts';

/** What there is to say. */
export interface Greeting {
  /** Where the server listens. */
  readonly base: string;
  readonly key: FirstKey;
  /** Path of the key file. */
  readonly file: string;
  /** A link that signs in once; null where there is none. */
  readonly link: string | null;
}

/**
 * Whether a link that signs in once is due: for the sample, and on a terminal until a key was used. Without a
 * terminal what is said is kept, and read by others.
 */
export function isLinkDue({ state }: FirstKey, sample: DemoOutcome | null): boolean {
  if (sample !== null) return sample !== 'not empty';
  return process.stdout.isTTY && (state === 'made' || state === 'in file');
}

/** Say where everything is. */
export function greet({ base, key, file, link }: Greeting): void {
  const lines = [
    `Headwater is ready at ${base}`,
    `  Explorer               ${base}/`,
    `  GraphiQL and GraphQL   ${base}/graphql`,
    `  REST                   ${base}/api/v1`,
    `  REST documentation     ${base}/api/v1/docs`,
    `  Admin API key          ${wordsOf(key, file)}`,
    ...(link === null ? [] : ['  Sign in with one click, once, within 15 minutes:', `    ${link}`]),
  ];
  console.log(lines.join('\n'));
}

/** Where the operator finds the key. Only a terminal is told the key itself: logs are kept. */
function wordsOf(key: FirstKey, file: string): string {
  switch (key.state) {
    case 'made':
      return `${key.key}   (shown only now)`;
    case 'in file':
      return `in the file ${file}`;
    case 'given':
      return 'the one of ADMIN_API_KEY';
    case 'used':
      return key.isGivenIgnored
        ? 'ADMIN_API_KEY is not a key that works, and it only counts until a key has been used; see npm run key'
        : 'in use; to make another: npm run key -- --email you@example.com';
  }
}

/** Where a server listens, as an address. */
export function baseOf(server: Server): string {
  const bound = server.address();
  if (!isNetworkAddress(bound)) return String(bound);
  const { address, family, port } = bound;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

function isNetworkAddress(address: AddressInfo | string | null): address is AddressInfo {
  return typeof address === 'object' && address !== null;
}
