// PostgreSQL and Redshift as types of sources.

import { z } from 'zod';
import { fieldOf } from '../fields.ts';
import type { ConnectorManifest } from '../manifest.ts';
import { addressFrom, serverAddress } from '../source-address.ts';

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
  address: addressFrom(login(5432), (given) => serverAddress('postgres', given)),
} as const satisfies ConnectorManifest;

export const redshift = {
  label: 'Redshift',
  dialect: 'redshift',
  credentials: login(5439),
  address: addressFrom(login(5439), (given) => serverAddress('redshift', given)),
} as const satisfies ConnectorManifest;
