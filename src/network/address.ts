// Which addresses of the network may be connected to.

import { BlockList, isIP, isIPv4 } from 'node:net';

/**
 * What an address is: `public`, `private` (only where the operator allows it; the loopback counts as
 * such), or `never`: metadata of clouds, link-local, multicast, and what no host has.
 */
export type AddressClass = 'public' | 'private' | 'never';

/** The private ranges that an operator allows. */
export interface PrivateHosts {
  readonly list: BlockList;
}

/** Whether an address, as text without a zone, may be connected to. */
export function mayConnect(address: string, allowed: PrivateHosts): boolean {
  const standing = standingOf(address);
  if (standing === 'public') return true;
  return standing === 'private' && allowed.list.check(address, familyOf(address));
}

/** What an address is; `never` for anything that is no plain address. */
export function standingOf(address: string): AddressClass {
  switch (isIP(address)) {
    case 4:
      return standingOf4(address);
    case 6:
      return address.includes('%') ? 'never' : standingOf6(address);
    default:
      return 'never';
  }
}

/** Names of this machine as a URL has them. */
export const loopbackHosts: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** Whether what is sent to an address stays on this machine. */
export function isLoopback(address: string): boolean {
  return isIP(address) !== 0 && loopback.check(address, familyOf(address));
}

const none: PrivateHosts = { list: new BlockList() };

/**
 * Read a list of CIDRs such as `10.0.0.0/8, 127.0.0.1/32, fd00::/8`; an address alone is itself.
 * Throws an Error that names the entry which is none.
 */
export function parsePrivateHosts(text: string): PrivateHosts {
  const list = new BlockList();
  for (const entry of text.split(',')) {
    const trimmed = entry.trim();
    if (trimmed === '') continue;
    const [address = '', prefix, ...more] = trimmed.split('/');
    const width = isIPv4(address) ? 32 : 128;
    const bits = prefix === undefined ? width : Number(prefix);
    const isNumber = prefix === undefined || /^\d{1,3}$/.test(prefix);
    if (isIP(address) === 0 || more.length > 0 || !isNumber || bits > width) {
      throw new Error(
        `${JSON.stringify(trimmed)} is not a CIDR range such as 10.0.0.0/8 or fd00::/8`,
      );
    }
    list.addSubnet(address, bits, familyOf(address));
  }
  return { list };
}

/** No private range at all. */
export const noPrivateHosts = none;

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv4(address) ? 'ipv4' : 'ipv6';
}

const loopback = ranges(['127.0.0.0/8', '::1/128']);

// IANA's registry of special-purpose addresses (RFC 6890), and the metadata services of clouds that
// lie outside of link-local: Alibaba's, Oracle's, and the one of Azure, whose range is public.
const never4 = ranges([
  '0.0.0.0/8',
  '100.100.100.200/32',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
]);

const private4 = ranges([
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '198.18.0.0/15',
]);

function standingOf4(address: string): AddressClass {
  if (never4.check(address, 'ipv4')) return 'never';
  return private4.check(address, 'ipv4') ? 'private' : 'public';
}

// Of IPv6 what is allowed is listed, not what is refused: there are too many ways to write an IPv4
// address in one, such as ::ffff:0:127.0.0.1, and each list of bad ranges misses some.
const public6 = ranges(['2000::/3']);
const notPublic6 = ranges(['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']);
const private6 = ranges(['::1/128', 'fc00::/7']);
/** Metadata services of AWS, Google Cloud and Scaleway. */
const metadata6 = ranges(['fd00:ec2::/32', 'fd20:ce::/32', 'fd00:42::/32']);

function standingOf6(address: string): AddressClass {
  if (metadata6.check(address, 'ipv6')) return 'never';
  if (private6.check(address, 'ipv6')) return 'private';
  const isPublic = public6.check(address, 'ipv6') && !notPublic6.check(address, 'ipv6');
  return isPublic ? 'public' : 'never';
}

function ranges(cidrs: readonly string[]): BlockList {
  return parsePrivateHosts(cidrs.join(',')).list;
}
