// DuckDB files as a type of source.

import { normalize } from 'node:path/posix';
import { z } from 'zod';
import { fieldOf } from '../fields.ts';
import type { ConnectorManifest } from '../manifest.ts';
import { addressFrom } from '../source-address.ts';

const credentials = z.object({ path: fieldOf.path });

export const duckdb = {
  label: 'DuckDB',
  dialect: 'duckdb',
  credentials,
  // Two files may differ by the case of their names.
  address: addressFrom(
    credentials,
    ({ path }) => `duckdb:///${normalize(path).replace(/^\/+/, '')}`,
  ),
} as const satisfies ConnectorManifest;
