// How connections to sources are encrypted, and what is said of it.

import { isIP } from 'node:net';
import { type ConnectionOptions, checkServerIdentity } from 'node:tls';
import { isLoopback, standingOf } from '../../network/address.ts';
import type { Host } from '../../network/reach.ts';
import { type ConnectionCheck, found } from './connector.ts';

/**
 * `prefer` encrypts where the source can, `require` always, without knowing to whom; `verify-ca` wants
 * a certificate that is trusted, `verify-full` one of that host, too. As libpq has it.
 */
export type Encryption = 'disable' | 'prefer' | 'require' | 'verify-ca' | 'verify-full';

/** What credentials ask for; `auto` where they say nothing. */
export type EncryptionSetting = 'auto' | Encryption;

/** A connection as it came about: to whom, and how it is encrypted. */
export interface Link {
  readonly host: Host;
  readonly encryption: Exclude<Encryption, 'prefer'>;
}

/** What is asked of a host: outside of private networks, where anyone may sit between, a certificate of that host. */
export function encryptionOf(setting: EncryptionSetting, { address }: Host): Encryption {
  if (setting !== 'auto') return setting;
  return standingOf(address) === 'private' ? 'prefer' : 'verify-full';
}

/** The same over HTTP, where a request cannot be turned back: encrypted where `isPreferred`. */
export function encryptionOverHttp(
  setting: EncryptionSetting,
  host: Host,
  isPreferred: boolean,
): Link['encryption'] {
  const encryption = encryptionOf(setting, host);
  if (encryption !== 'prefer') return encryption;
  return isPreferred ? 'require' : 'disable';
}

/**
 * Connect as is asked of a host, and without encryption where it is only preferred and the source has none, of which
 * `lacksIt` tells by the error.
 */
export async function connectEncrypted<Connected>(
  { ssl, ca }: { readonly ssl: EncryptionSetting; readonly ca?: string | undefined },
  host: Host,
  connect: (tls: ConnectionOptions | null) => Promise<Connected>,
  lacksIt: (error: unknown) => boolean,
): Promise<Connected & { readonly link: Link }> {
  const asked = encryptionOf(ssl, host);
  const encryption = asked === 'prefer' ? 'require' : asked;
  try {
    const connected = await connect(tlsOptions(encryption, host, ca));
    return { ...connected, link: { host, encryption } };
  } catch (error) {
    if (asked !== 'prefer' || !lacksIt(error)) throw error;
    return { ...(await connect(null)), link: { host, encryption: 'disable' } };
  }
}

/** What the handshake is to check; null where nothing is encrypted. */
export function tlsOptions(
  encryption: Link['encryption'],
  host: Host,
  ca: string | undefined,
): ConnectionOptions | null {
  if (encryption === 'disable') return null;
  return {
    // The address is what gets connected to, the name what the certificate is for.
    ...(isIP(host.name) === 0 ? { servername: host.name } : {}),
    rejectUnauthorized: encryption === 'verify-ca' || encryption === 'verify-full',
    ...(ca ? { ca } : {}),
    // Of a connection without a name Node.js compares `localhost`.
    checkServerIdentity: (_, certificate) =>
      encryption === 'verify-full' ? checkServerIdentity(host.name, certificate) : undefined,
  };
}

/** What is said of a connection: whether others can read it, and whether it is known whom it leads to. */
export function encryptionCheck({ host, encryption }: Link): ConnectionCheck {
  const name = 'encryption';
  if (encryption === 'verify-full') {
    return found(name, 'Encrypted, with a certificate of the host.');
  }
  const message = {
    disable: 'Not encrypted.',
    require: 'Encrypted, certificate not verified.',
    'verify-ca': 'Encrypted, with a certificate of the authority that need not be of the host.',
  }[encryption];
  if (isLoopback(host.address)) return found(name, `${message} It stays on this machine.`);
  const fix =
    'Set ssl to verify-full, with the certificate of the authority as ca unless it is a public one.';
  const whatFor = {
    disable: 'Anyone between can read and change what is sent, the password included.',
    require: 'Anyone who can stand between can pass for the source.',
    'verify-ca': 'Another host with a certificate of that authority can pass for the source.',
  }[encryption];
  return { name, state: 'limited', message: `${message} ${whatFor}`, fix };
}
