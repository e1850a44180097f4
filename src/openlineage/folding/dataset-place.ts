// Where a dataset lies: its namespace as an address, and its name as the path of a table.

import { CatalogError } from '../../errors.ts';
import { parseAddress } from '../../integrations/addresses/said-address.ts';
import type { DatasetName } from '../events/dataset-name.ts';

/** The path of a table; a part that is absent has no name. */
export interface TablePath {
  readonly database?: string;
  readonly schema: string;
  readonly table: string;
}

/** Schemes of namespaces, and what the parts of a name in them are. */
const schemes: Readonly<Record<string, 'full' | 'schema' | 'path' | 'topic'>> = {
  ...{ postgres: 'full', postgresql: 'full', redshift: 'full', mssql: 'full', sqlserver: 'full' },
  ...{ oracle: 'full', snowflake: 'full', bigquery: 'full', trino: 'full', presto: 'full' },
  ...{
    awsathena: 'full',
    unitycatalog: 'full',
    databricks: 'full',
    duckdb: 'full',
    sqlite: 'full',
  },
  ...{
    mysql: 'schema',
    mariadb: 'schema',
    clickhouse: 'schema',
    hive: 'schema',
    cassandra: 'schema',
  },
  ...{
    s3: 'path',
    s3a: 'path',
    s3n: 'path',
    gs: 'path',
    abfss: 'path',
    abfs: 'path',
    wasbs: 'path',
  },
  ...{ hdfs: 'path', file: 'path', dbfs: 'path', kafka: 'topic' },
};

/** Sources that hold all schemas in one database, and what that is called here. */
const oneDatabase: Readonly<Record<string, string>> = {
  ...{ mysql: 'def', mariadb: 'def', clickhouse: 'clickhouse' },
};

/** What tables lie in that are files or topics, or whose name says no more. */
const holders = { path: 'files', topic: 'topics', none: 'datasets' } as const;

/** The scheme of a namespace: the word before its first colon, or all of it. */
export function schemeOf(namespace: string): string {
  return /^[a-z][a-z0-9+]*(?=:|$)/i.exec(namespace.trim())?.[0].toLowerCase() ?? '';
}

/**
 * The address that a namespace is: what a source of the same server has as well. Null for a namespace that is only a word,
 * whose datasets lie nowhere else until people say where.
 */
export function addressOfNamespace(namespace: string): string | null {
  const scheme = schemeOf(namespace);
  if (schemes[scheme] === undefined) return null;
  try {
    return parseAddress('namespace', namespace.replace(/\/+$/, ''));
  } catch (error) {
    if (error instanceof CatalogError) return null;
    throw error;
  }
}

/** The path of a dataset's table by the rules of its namespace; a name of other parts is one table. */
export function placeOf({ namespace, name }: DatasetName): TablePath {
  const scheme = schemeOf(namespace);
  const form = schemes[scheme];
  const isPath = name.includes('/');
  if (form === 'topic') return { schema: holders.topic, table: name };
  if (form === 'path' && (isPath || !name.includes('.'))) {
    return { schema: holders.path, table: withoutPartitions(name) };
  }
  const parts = isPath ? [name] : name.split('.');
  if (parts.some((part) => part === '')) return { schema: holders.none, table: name };
  const [table = name, schema, database, ...more] = parts.toReversed();
  if (more.length > 0 || schema === undefined) return { schema: holders.none, table: name };
  if (form === 'full' && database === undefined) return { schema: holders.none, table: name };
  const only = oneDatabase[scheme];
  if (form === 'schema' && database !== undefined) return { schema: holders.none, table: name };
  const holder = database ?? only;
  return holder === undefined ? { schema, table } : { database: holder, schema, table };
}

/** Whether the name of a dataset does not say a table within a schema: it is that of files, a topic, or a word. */
export function isNameless(dataset: DatasetName): boolean {
  const { schema } = placeOf(dataset);
  return Object.values<string>(holders).includes(schema);
}

/** The name of a dataset by which it is the same as others: of files without the folders of partitions. */
export function plainName({ namespace, name }: DatasetName): string {
  return schemes[schemeOf(namespace)] === 'path' && name.includes('/')
    ? withoutPartitions(name)
    : name;
}

/** A path without the folders of partitions, such as `day=2026-01-31`, and without a slash at its ends. */
function withoutPartitions(path: string): string {
  const parts = path.split('/').filter((part) => part !== '');
  const first = parts.findIndex((part) => /^[^=]+=[^=]*$/.test(part));
  const kept = first > 0 ? parts.slice(0, first) : parts;
  return kept.join('/') || path;
}
