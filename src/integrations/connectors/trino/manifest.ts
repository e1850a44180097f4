// Trino as a type of source.

import { z } from 'zod';
import { fieldOf } from '../fields.ts';
import type { ConnectorManifest } from '../manifest.ts';
import { addressFrom, serverAddress } from '../source-address.ts';

const credentials = z.object({
  host: fieldOf.host,
  port: fieldOf.port(8080),
  catalog: fieldOf.word('the name of the catalog'),
  schema: fieldOf.word('the name of the schema').optional(),
  user: fieldOf.user,
  password: fieldOf.password,
  ssl: fieldOf.ssl,
  ca: fieldOf.ca,
});

export const trino = {
  label: 'Trino',
  dialect: 'trino',
  credentials,
  address: addressFrom(credentials, (given) => serverAddress('trino', given)),
} as const satisfies ConnectorManifest;
