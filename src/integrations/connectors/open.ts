// The table of connectors, and the live source of an integration.

import type { ServerContext } from '../../context.ts';
import { invalid } from '../../errors.ts';
import { namesOf } from '../../fields.ts';
import type { Integration } from '../../generated/prisma/client.ts';
import { type Credentials, openCredentials } from '../credentials.ts';
import { bigquery } from './bigquery/manifest.ts';
import { clickhouse } from './clickhouse/manifest.ts';
import type { Connector } from './connector.ts';
import { databricks } from './databricks/manifest.ts';
import { driverless, openDriverless } from './driver-missing.ts';
import { duckdb } from './duckdb/manifest.ts';
import type { LiveSource } from './live-source.ts';
import type { ConnectorManifest } from './manifest.ts';
import { metabase } from './metabase/manifest.ts';
import { mariadb, mysql } from './mysql/manifest.ts';
import { postgres, redshift } from './postgres/manifest.ts';
import { checkNames } from './read-fields.ts';
import { snowflake } from './snowflake/manifest.ts';
import { superset } from './superset/manifest.ts';
import { trino } from './trino/manifest.ts';

/** A type of source, and how its connector is opened. */
interface ConnectorType extends ConnectorManifest {
  open(source: LiveSource, credentials: Credentials): Promise<Connector>;
}

/**
 * The types of integrations that connect to their source. Drivers are loaded when they are needed:
 * most servers need one or two of them.
 */
export const connectors: Readonly<Record<string, ConnectorType>> = {
  postgres: {
    ...postgres,
    open: async (...given) => (await openPostgres())('postgres', ...given),
  },
  redshift: {
    ...redshift,
    open: async (...given) => (await openPostgres())('redshift', ...given),
  },
  mysql: { ...mysql, open: async (...given) => (await openMySql())('mysql', ...given) },
  mariadb: { ...mariadb, open: async (...given) => (await openMySql())('mariadb', ...given) },
  duckdb: {
    ...duckdb,
    open: async (...given) => (await import('./duckdb/duckdb.ts')).openDuckDbConnector(...given),
  },
  clickhouse: {
    ...clickhouse,
    open: async (...given) =>
      (await import('./clickhouse/clickhouse.ts')).openClickHouseConnector(...given),
  },
  trino: {
    ...trino,
    open: async (...given) => (await import('./trino/trino.ts')).openTrinoConnector(...given),
  },
  snowflake: {
    ...snowflake,
    open: async (...given) =>
      (await import('./snowflake/snowflake.ts')).openSnowflakeConnector(...given),
  },
  bigquery: {
    ...bigquery,
    open: async (...given) =>
      (await import('./bigquery/bigquery.ts')).openBigQueryConnector(...given),
  },
  databricks: {
    ...databricks,
    open: async (...given) =>
      (await import('./databricks/databricks.ts')).openDatabricksConnector(...given),
  },
  metabase: {
    ...metabase,
    open: async (...given) =>
      (await import('./metabase/metabase.ts')).openMetabaseConnector(...given),
  },
  superset: {
    ...superset,
    open: async (...given) =>
      (await import('./superset/superset.ts')).openSupersetConnector(...given),
  },
  ...Object.fromEntries(
    namesOf(driverless).map((name) => [
      name,
      { ...driverless[name], open: async () => openDriverless(name) },
    ]),
  ),
};

async function openPostgres() {
  return (await import('./postgres/postgres.ts')).openPostgresConnector;
}

async function openMySql() {
  return (await import('./mysql/mysql.ts')).openMySqlConnector;
}

/** The types of integrations that connect to their source. */
export const liveTypes: readonly string[] = Object.keys(connectors);

/** Whether integrations of a type connect to their source. */
export function isLive(type: string): boolean {
  return Object.hasOwn(connectors, type);
}

/** Whether what a source of a type says of itself includes lineage: as a tool that shows data states it, or as it recorded it. */
export function lineageBroughtBy(type: string): 'stated' | 'recorded' | null {
  const { capabilities = [] } = (isLive(type) ? connectors[type] : undefined) ?? {};
  if (capabilities.includes('dashboards')) return 'stated';
  return capabilities.includes('lineage') ? 'recorded' : null;
}

/** The types of integrations whose source this server has a driver for. */
export const typesWithDriver = liveTypes.filter((type) => !Object.hasOwn(driverless, type));

/** Whether this server has what it takes to connect to a source of a type. */
export function hasDriver(type: string): boolean {
  return typesWithDriver.includes(type);
}

/** Check that no field of credentials is a typo of one that a type has. Throws BAD_REQUEST that says what was meant. */
export function checkCredentialNames(type: string, credentials: Credentials): void {
  const connector = hasDriver(type) ? connectors[type] : undefined;
  if (connector) checkNames(connector.credentials, credentials);
}

/**
 * Open the source of an integration, with its own credentials or with others. The caller closes it, and has
 * checked that the viewer may cause it. Nothing is connected yet. Throws BAD_REQUEST for a type that has no connector, and for
 * credentials that lack something, naming the field.
 */
export async function openConnector(
  ctx: ServerContext,
  integration: Pick<Integration, 'id' | 'type'>,
  credentials?: Credentials,
): Promise<Connector> {
  const connector = isLive(integration.type) ? connectors[integration.type] : undefined;
  if (!connector) {
    throw invalid(
      `An integration of type ${integration.type} is fed by uploads: there is nothing to connect to. These connect: ${typesWithDriver.join(', ')}.`,
    );
  }
  if (credentials) checkCredentialNames(integration.type, credentials);
  const known = credentials ?? (await openCredentials(ctx, integration.id));
  return connector.open({ id: integration.id, reach: ctx.surroundings.reach }, known);
}
