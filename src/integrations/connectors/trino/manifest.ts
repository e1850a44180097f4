// Trino as a type of source.

import { z } from 'zod';
import { field, fieldOf, word } from '../fields.ts';
import type { ConnectorManifest } from '../manifest.ts';
import { addressFrom, serverAddress } from '../source-address.ts';

const credentials = z.object({
  host: fieldOf.host,
  port: fieldOf.port(8080),
  catalog: field(
    {
      label: 'Catalog',
      help: 'A name, several with commas between them, or a pattern: * for all that the login sees.',
    },
    word('the name of the catalog'),
  ),
  schema: field(
    { label: 'Schema', help: 'Where names without a schema lie.' },
    word('the name of the schema').optional(),
  ),
  user: fieldOf.user,
  password: fieldOf.password,
  include: fieldOf.includeSchemas,
  exclude: fieldOf.excludeSchemas,
  ssl: fieldOf.ssl,
  ca: fieldOf.ca,
});

export const trino = {
  label: 'Trino',
  dialect: 'trino',
  credentials,
  capabilities: ['views', 'history', 'measure', 'freshness'],
  page: 'trino.md',
  address: addressFrom(credentials, (given) => serverAddress('trino', given)),
} as const satisfies ConnectorManifest;
