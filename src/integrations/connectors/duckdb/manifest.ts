// DuckDB files as a type of source.

import { z } from 'zod';
import { fieldOf } from '../fields.ts';
import type { ConnectorManifest } from '../manifest.ts';

export const duckdb = {
  label: 'DuckDB',
  dialect: 'duckdb',
  credentials: z.object({ path: fieldOf.path }),
} as const satisfies ConnectorManifest;
