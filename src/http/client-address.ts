// The address of a client: that of its connection, or what the trusted proxy in front says.

import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/** What of a request says where it comes from. */
export interface CameFrom {
  readonly headers: IncomingMessage['headers'];
  readonly socket: Pick<IncomingMessage['socket'], 'remoteAddress'>;
}

/**
 * The address of who sent a request; null where its connection is gone. With a trusted proxy it is the last one of
 * `X-Forwarded-For`, which that proxy added: those before it are what the client says of itself.
 */
export function clientAddressOf(
  { headers, socket }: CameFrom,
  trustsProxy: boolean,
): string | null {
  const forwarded = trustsProxy ? [headers['x-forwarded-for'] ?? []].flat().join() : '';
  return addressIn(forwarded.split(',').at(-1) ?? '') ?? addressIn(socket.remoteAddress ?? '');
}

/** An address as it is usually written: some proxies add the port, and an IPv6 socket maps those of IPv4. */
function addressIn(text: string): string | null {
  const [, bracketed] = /^\[([^\]]*)\](?::\d+)?$/.exec(text.trim()) ?? [];
  const bare = (bracketed ?? text.trim()).replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '');
  const address = isIP(bare) === 0 ? bare.replace(/:\d+$/, '') : bare;
  return isIP(address) === 0 ? null : address;
}
