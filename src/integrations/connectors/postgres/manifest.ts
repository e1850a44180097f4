// PostgreSQL and Redshift as types of sources.

import { z } from 'zod';
import { fieldOf } from '../fields.ts';
import type { ConnectorManifest } from '../manifest.ts';

const login = (port: number) =>
  z.object({
    host: fieldOf.host,
    port: fieldOf.port(port),
    database: fieldOf.database,
    user: fieldOf.user,
    password: fieldOf.password,
    ssl: fieldOf.ssl,
    ca: fieldOf.ca,
  });

export const postgres = {
  label: 'PostgreSQL',
  dialect: 'postgres',
  credentials: login(5432),
} as const satisfies ConnectorManifest;

export const redshift = {
  label: 'Redshift',
  dialect: 'redshift',
  credentials: login(5439),
} as const satisfies ConnectorManifest;
