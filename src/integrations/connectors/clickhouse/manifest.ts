// ClickHouse as a type of source.

import { z } from 'zod';
import { fieldOf } from '../fields.ts';
import type { ConnectorManifest } from '../manifest.ts';

export const clickhouse = {
  label: 'ClickHouse',
  dialect: 'clickhouse',
  credentials: z.object({
    host: fieldOf.host,
    port: fieldOf.port(8123),
    database: fieldOf.database.default('default'),
    user: fieldOf.user.default('default'),
    password: fieldOf.password,
    ssl: fieldOf.ssl,
    ca: fieldOf.ca,
  }),
} as const satisfies ConnectorManifest;
