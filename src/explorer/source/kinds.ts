// In charge of what each type of source needs: the fields of its credentials, or the files that feed it.

import type { SourceThere } from './shown.ts';

/** A field of credentials. */
export interface Field {
  readonly name: string;
  readonly isNeeded: boolean;
  readonly isSecret: boolean;
  readonly choices?: readonly string[];
}

const field = (name: string, isNeeded = false): Field => ({
  name,
  isNeeded,
  isSecret: name === 'password',
  ...(name === 'ssl'
    ? { choices: ['prefer', 'require', 'verify-ca', 'verify-full', 'disable'] }
    : {}),
});
const secured = [field('password'), field('port'), field('ssl'), field('ca')];
const server = [field('host', true), field('database', true), field('user', true), ...secured];

const live: Readonly<Record<string, readonly Field[]>> = {
  postgres: server,
  redshift: server,
  mysql: [field('host', true), field('user', true), field('database'), ...secured],
  mariadb: [field('host', true), field('user', true), field('database'), ...secured],
  clickhouse: [field('host', true), field('user'), field('database'), ...secured],
  trino: [
    ...[field('host', true), field('catalog', true), field('user', true)],
    ...[field('schema'), ...secured],
  ],
  duckdb: [field('path', true)],
};

/** The types that connect to a database. */
export const liveTypes = Object.keys(live);

/** The types that uploads feed. */
export const uploadTypes = ['custom', 'dbt_core'];

/** The fields of a type's credentials; none where it connects to nothing. */
export function fieldsOf(type: string): readonly Field[] {
  return live[type] ?? [];
}

/** How uploads for a type are put together. */
export type Format = 'csv' | 'jsonl' | 'artifacts';

const files = {
  csv: ['content'],
  jsonl: ['resources', 'lineages'],
  artifacts: ['manifest', 'runResults', 'catalog'],
} as const;

/** A file of an upload. */
export type FileName = (typeof files)[Format][number];

/** The formats of uploads, by what feeds a source. */
export const formatsOf: Readonly<Record<SourceThere['fedBy'], readonly Format[]>> = {
  sync: [],
  files: ['csv', 'jsonl'],
  artifacts: ['artifacts'],
  nothing: [],
};

/** The files of a format. */
export function filesOf(format: Format): readonly FileName[] {
  return files[format];
}
