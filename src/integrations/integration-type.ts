// The types of integrations: their names, their other names, and what feeds them.

import { invalidField } from '../errors.ts';
import { nearest } from '../text/nearest.ts';

/** What uploads feed an integration: files of metadata, artifacts of a project, or none. */
export type Uploads = 'files' | 'artifacts' | 'nothing';

/** Types that differ from the rest. Any other is a warehouse or a tool that uploads of metadata feed. */
const special: Readonly<Record<string, Uploads>> = {
  custom: 'files',
  dbt_core: 'artifacts',
  chat: 'nothing',
};

/** Other names that clients use. */
const aliases: Readonly<Record<string, string>> = {
  transform: 'dbt_core',
  transform_core: 'dbt_core',
  dbt: 'dbt_core',
  slack: 'chat',
  postgresql: 'postgres',
  mssql: 'sqlserver',
  sql_server: 'sqlserver',
};

/** The types that connect to their source, and those that this server knows by other means. */
const knownTypes: readonly string[] = [
  ...Object.keys(special),
  ...['postgres', 'redshift', 'mysql', 'mariadb', 'duckdb', 'clickhouse', 'trino'],
  ...['snowflake', 'bigquery', 'databricks', 'sqlserver', 'oracle'],
];

const name = /^[a-z][a-z0-9_]{0,49}$/;

/**
 * The type that a client names. Throws BAD_REQUEST for what cannot be the name of a type, and for what is
 * nearly that of a known one. Any other name is a source that this server does not know: uploads feed it.
 */
export function parseType(given: string): string {
  const type = given.trim().toLowerCase().replaceAll('-', '_');
  if (!name.test(type)) {
    throw invalidField(
      'type',
      `"${given.slice(0, 60)}" is not a type: use custom, dbt_core, chat, or the name of a source in small ` +
        'letters, digits and underscores, such as postgres.',
    );
  }
  const meant = Object.hasOwn(aliases, type) ? (aliases[type] ?? type) : type;
  const near = nearest(meant, [...knownTypes, ...Object.keys(aliases)]);
  if (near === undefined || near === meant) return meant;
  // Such as dbt_cloud: a name of its own.
  if (meant.startsWith(`${near}_`)) return meant;
  throw invalidField(
    'type',
    `"${type}" is not a type that connects; did you mean ${near}? Types with a meaning here are ` +
      `${knownTypes.join(', ')}. Any name that is not nearly one of these is a source that uploads feed.`,
  );
}

/** What uploads an integration of a type takes. */
export function uploadsOf(type: string): Uploads {
  return Object.hasOwn(special, type) ? (special[type] ?? 'files') : 'files';
}
