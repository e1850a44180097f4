// ClickHouse as a type of source.

import { z } from 'zod';
import { fieldOf } from '../fields.ts';
import type { ConnectorManifest } from '../manifest.ts';
import { addressFrom, serverAddress } from '../source-address.ts';

const credentials = z.object({
  host: fieldOf.host,
  port: fieldOf.port(8123),
  database: fieldOf.database.default('default'),
  user: fieldOf.user.default('default'),
  password: fieldOf.password,
  ssl: fieldOf.ssl,
  ca: fieldOf.ca,
});

export const clickhouse = {
  label: 'ClickHouse',
  dialect: 'clickhouse',
  credentials,
  // HTTPS has a port of its own there.
  address: addressFrom(credentials, ({ host, port, ssl }, isGiven) => {
    const isSecure = ssl !== 'prefer' && ssl !== 'disable';
    return serverAddress('clickhouse', { host, port: isSecure && !isGiven('port') ? 8443 : port });
  }),
} as const satisfies ConnectorManifest;
