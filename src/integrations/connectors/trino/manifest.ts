// Trino as a type of source.

import { z } from 'zod';
import { fieldOf } from '../fields.ts';
import type { ConnectorManifest } from '../manifest.ts';

export const trino = {
  label: 'Trino',
  dialect: 'trino',
  credentials: z.object({
    host: fieldOf.host,
    port: fieldOf.port(8080),
    catalog: fieldOf.word('the name of the catalog'),
    schema: fieldOf.word('the name of the schema').optional(),
    user: fieldOf.user,
    password: fieldOf.password,
    ssl: fieldOf.ssl,
    ca: fieldOf.ca,
  }),
} as const satisfies ConnectorManifest;
