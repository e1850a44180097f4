// How connections to sources are encrypted.

import { isIP } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import type { Host } from '../../network/reach.ts';

/**
 * `prefer` encrypts where the source can, `require` always, without knowing to whom; `verify-ca` wants
 * a certificate that is trusted, `verify-full` one of that host, too. As libpq has it.
 */
export type Encryption = 'disable' | 'prefer' | 'require' | 'verify-ca' | 'verify-full';

/** What the handshake is to check; null where nothing is encrypted. */
export function tlsOptions(
  encryption: Encryption,
  host: Host,
  ca: string | undefined,
): ConnectionOptions | null {
  if (encryption === 'disable') return null;
  return {
    // The address is what gets connected to, the name what the certificate is for.
    ...(isIP(host.name) === 0 ? { servername: host.name } : {}),
    rejectUnauthorized: encryption === 'verify-ca' || encryption === 'verify-full',
    ...(ca ? { ca } : {}),
    ...(encryption === 'verify-ca' ? { checkServerIdentity: () => undefined } : {}),
  };
}
