// ClickHouse as a type of source.

import { z } from 'zod';
import { field, fieldOf, word } from '../fields.ts';
import type { ConnectorManifest } from '../manifest.ts';
import { addressFrom, serverAddress } from '../source-address.ts';

const credentials = z.object({
  host: fieldOf.host,
  port: fieldOf.port(8123),
  database: field(
    { label: 'Database', help: 'Leave empty for default.' },
    word('the name of the database').default('default'),
  ),
  user: field(
    { label: 'User', help: 'Leave empty for default.' },
    word('the name of the login').default('default'),
  ),
  password: fieldOf.password,
  include: fieldOf.includeSchemas,
  exclude: fieldOf.excludeSchemas,
  ssl: fieldOf.ssl,
  ca: fieldOf.ca,
});

export const clickhouse = {
  label: 'ClickHouse',
  dialect: 'clickhouse',
  credentials,
  capabilities: ['comments', 'sizes', 'keys', 'views', 'history', 'measure', 'freshness'],
  page: 'clickhouse.md',
  // HTTPS has a port of its own there.
  address: addressFrom(credentials, ({ host, port, ssl }, isGiven) => {
    const isSecure = ssl !== 'prefer' && ssl !== 'disable';
    return serverAddress('clickhouse', { host, port: isSecure && !isGiven('port') ? 8443 : port });
  }),
} as const satisfies ConnectorManifest;
