// PostgreSQL and Redshift as types of sources.

import { z } from 'zod';
import { field, fieldOf, word } from '../fields.ts';
import type { ConnectorManifest } from '../manifest.ts';
import { addressFrom, serverAddress } from '../source-address.ts';

/** What one source may read of a server. */
const severalHelp =
  'A name, several with commas between them, or a pattern: * for all that the login may connect to.';

const login = (port: number) =>
  z.object({
    host: fieldOf.host,
    port: fieldOf.port(port),
    database: field({ label: 'Database', help: severalHelp }, word('the name of the database')),
    user: fieldOf.user,
    password: fieldOf.password,
    include: fieldOf.includeSchemas,
    exclude: fieldOf.excludeSchemas,
    ssl: fieldOf.ssl,
    ca: fieldOf.ca,
  });

export const postgres = {
  label: 'PostgreSQL',
  dialect: 'postgres',
  aliases: ['postgresql'],
  credentials: login(5432),
  capabilities: [
    'comments',
    'sizes',
    'keys',
    'views',
    'lineage',
    'history',
    'usage',
    'measure',
    'freshness',
  ],
  page: 'postgres.md',
  address: addressFrom(login(5432), (given) => serverAddress('postgres', given)),
} as const satisfies ConnectorManifest;

export const redshift = {
  label: 'Redshift',
  dialect: 'redshift',
  credentials: login(5439),
  capabilities: ['comments', 'sizes', 'keys', 'views', 'history', 'measure'],
  page: 'postgres.md',
  address: addressFrom(login(5439), (given) => serverAddress('redshift', given)),
} as const satisfies ConnectorManifest;
