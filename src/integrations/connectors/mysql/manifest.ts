// MySQL and MariaDB as types of sources.

import { z } from 'zod';
import { field, fieldOf, word } from '../fields.ts';
import type { ConnectorManifest } from '../manifest.ts';
import { addressFrom, serverAddress } from '../source-address.ts';

const credentials = z.object({
  host: fieldOf.host,
  port: fieldOf.port(3306),
  database: field(
    { label: 'Database', help: 'Leave empty for everything the login can see.' },
    word('the name of the database').optional(),
  ),
  user: fieldOf.user,
  password: fieldOf.password,
  include: fieldOf.includeSchemas,
  exclude: fieldOf.excludeSchemas,
  ssl: fieldOf.ssl,
  ca: fieldOf.ca,
});

const address = addressFrom(credentials, (given) => serverAddress('mysql', given));

export const mysql = {
  label: 'MySQL',
  dialect: 'mysql',
  credentials,
  capabilities: ['comments', 'sizes', 'keys', 'views', 'history', 'usage', 'measure', 'freshness'],
  page: 'mysql.md',
  address,
} as const satisfies ConnectorManifest;

export const mariadb = {
  label: 'MariaDB',
  dialect: 'mariadb',
  credentials,
  capabilities: ['comments', 'sizes', 'keys', 'views', 'history', 'usage', 'measure', 'freshness'],
  page: 'mysql.md',
  address,
} as const satisfies ConnectorManifest;
