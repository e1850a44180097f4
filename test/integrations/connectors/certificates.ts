// Certificates of a test: an authority of its own, and a server's for some names.

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openPlace } from '../../servers.ts';

export interface Certificates {
  /** Paths of the server's certificate and key, which those who run servers of tests may read. */
  readonly certificate: string;
  readonly key: string;
  /** The authority's certificate, in PEM. */
  readonly ca: string;
}

/** Make both with openssl; `names` as in a certificate, such as `DNS:db.example` or `IP:127.0.0.1`. */
export function makeCertificates(names: readonly string[]): Certificates {
  const { folder, owner } = openPlace('certificates');
  const at = (name: string) => join(folder, name);
  writeFileSync(at('names'), `subjectAltName=${names.join(',')}\n`, { mode: 0o644 });
  const openssl = (...args: string[]) =>
    execFileSync('openssl', args, { ...owner, cwd: folder, stdio: 'pipe' });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const days = ['-days', '2'];
  openssl(
    'req',
    '-x509',
    ...key,
    ...days,
    '-subj',
    '/CN=Authority of a test',
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
  );
  openssl('req', ...key, '-subj', '/CN=server', '-keyout', 'server.key', '-out', 'server.csr');
  openssl(
    'x509',
    '-req',
    '-in',
    'server.csr',
    '-CA',
    'ca.pem',
    '-CAkey',
    'ca.key',
    '-CAcreateserial',
    ...days,
    '-extfile',
    'names',
    '-out',
    'server.pem',
  );
  return {
    certificate: at('server.pem'),
    key: at('server.key'),
    ca: readFileSync(at('ca.pem'), 'utf8'),
  };
}
