// DuckDB files as a type of source.

import { normalize } from 'node:path/posix';
import { z } from 'zod';
import { field, word } from '../fields.ts';
import type { ConnectorManifest } from '../manifest.ts';
import { addressFrom } from '../source-address.ts';

const credentials = z.object({
  path: field(
    { label: 'File path', help: 'Relative to the folder of FILES_DIR.' },
    word('the path of the file, below FILES_DIR'),
  ),
});

export const duckdb = {
  label: 'DuckDB',
  dialect: 'duckdb',
  credentials,
  capabilities: ['comments', 'sizes', 'keys', 'views', 'measure'],
  page: 'duckdb.md',
  // Two files may differ by the case of their names.
  address: addressFrom(
    credentials,
    ({ path }) => `duckdb:///${normalize(path).replace(/^\/+/, '')}`,
  ),
} as const satisfies ConnectorManifest;
