// Encrypted connections to real servers, with certificates of an authority that no one else knows.

import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openClickHouseConnector } from '../../../src/integrations/connectors/clickhouse/clickhouse.ts';
import type { Connector } from '../../../src/integrations/connectors/connector.ts';
import { openMySqlConnector } from '../../../src/integrations/connectors/mysql/mysql.ts';
import { openPostgresConnector } from '../../../src/integrations/connectors/postgres/postgres.ts';
import { openTrinoConnector } from '../../../src/integrations/connectors/trino/trino.ts';
import type { NetworkReach } from '../../../src/network/reach.ts';
import { startMariaDb, startPostgres, type TestServer } from '../../servers.ts';
import { type Certificates, makeCertificates } from './certificates.ts';
import { loopback } from './read-source.ts';

const user = 'reader';
const password = "reader's own";
/** Every name leads to the loopback. */
const reach: NetworkReach = { ...loopback, lookup: async () => ['127.0.0.1'] };

let certificates: Certificates;
let stranger: Certificates;
beforeAll(() => {
  certificates = makeCertificates(['DNS:db.example']);
  stranger = makeCertificates(['DNS:db.example']);
});

interface Source extends AsyncDisposable {
  readonly port: number;
}
interface Kind {
  readonly start: () => Promise<Source | null>;
  readonly open: (credentials: object) => Connector;
}

const kinds: Readonly<Record<string, Kind>> = {
  PostgreSQL: {
    async start() {
      const server = await startPostgres([
        'ssl=on',
        `ssl_cert_file=${certificates.certificate}`,
        `ssl_key_file=${certificates.key}`,
      ]);
      await server?.run(`create role ${user} login password '${password.replace("'", "''")}'`);
      return server;
    },
    open: (more) =>
      openPostgresConnector(
        'postgres',
        { id: 'encrypted', reach },
        { database: 'postgres', ...more },
      ),
  },
  MariaDB: {
    async start() {
      const server = await startMariaDb([
        `--ssl-cert=${certificates.certificate}`,
        `--ssl-key=${certificates.key}`,
      ]);
      await server?.run(`create user ${user} identified by '${password.replace("'", "''")}'`);
      return server;
    },
    open: (more) => openMySqlConnector('mariadb', { id: 'encrypted', reach }, { ...more }),
  },
  ClickHouse: {
    start: () => serveHttps(({ body }) => ({ data: /version/.test(body) ? [['24.8.1']] : [] })),
    open: (more) => openClickHouseConnector({ id: 'encrypted', reach }, { ...more }),
  },
  Trino: {
    start: () => serveHttps(() => ({ id: 'q', data: [['450']] })),
    open: (more) => openTrinoConnector({ id: 'encrypted', reach }, { catalog: 'hive', ...more }),
  },
};

/** A server of HTTPS that answers each statement. */
async function serveHttps(answer: (asked: { body: string }) => object): Promise<Source> {
  const [cert, key] = [readFileSync(certificates.certificate), readFileSync(certificates.key)];
  const server = createServer({ cert, key }, (request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => response.end(JSON.stringify(answer({ body }))));
  });
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe.each(Object.entries(kinds))('%s', (name, { start, open }) => {
  let server: Source | TestServer | null;
  beforeAll(async () => {
    server = await start();
    if (!server) console.warn(`No ${name} server is installed: its encryption is not tried.`);
  }, 120_000);
  afterAll(() => server?.[Symbol.asyncDispose]());

  const said = async (credentials: object) => {
    const connector = open({
      host: 'db.example',
      port: server?.port,
      user,
      password,
      ...credentials,
    });
    const { checks } = await connector.test();
    await connector.close();
    const connection = checks.find((check) => check.name === 'connection');
    const encryption = checks.find((check) => check.name === 'encryption');
    return encryption?.message ?? `${connection?.state}: ${connection?.message}`;
  };

  test('a certificate of the host is taken from the authority that is given, and from no other', async ({
    skip,
  }) => {
    if (!server) skip();
    const { ca } = certificates;
    expect(await said({ ssl: 'verify-full', ca })).toBe(
      'Encrypted, with a certificate of the host.',
    );
    expect(await said({ ssl: 'verify-full' })).toMatch(
      /^missing: No encrypted connection: .*set ca/,
    );
    expect(await said({ ssl: 'verify-full', ca: stranger.ca })).toMatch(/^missing: .*set ca/);
    expect(await said({ ssl: 'verify-ca' })).toMatch(/^missing: .*set ca/);
  });

  test('a certificate of another host is for those who do without the name', async ({ skip }) => {
    if (!server) skip();
    const other = { host: 'other.example', ca: certificates.ca };
    expect(await said({ ...other, ssl: 'verify-full' })).toMatch(/^missing: .*is of another host/);
    expect(await said({ ...other, ssl: 'verify-ca' })).toContain('need not be of the host');
    // An address is a name as well, of which this certificate says nothing.
    const numbered = { ...other, host: '127.0.0.1' };
    expect(await said({ ...numbered, ssl: 'verify-full' })).toMatch(/^missing: .*certificate/);
  });

  test('what is encrypted without a check, or not at all, is said to be', async ({ skip }) => {
    if (!server) skip();
    expect(await said({ ssl: 'require' })).toContain('certificate not verified');
    if (name === 'PostgreSQL' || name === 'MariaDB') {
      expect(await said({ ssl: 'disable' })).toContain('Not encrypted');
      expect(await said({ ssl: 'prefer' })).toContain('certificate not verified');
      // In a private network it is preferred where nothing is set.
      expect(await said({})).toContain('certificate not verified');
    }
  });
});
