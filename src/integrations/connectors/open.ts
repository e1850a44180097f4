// Opens the live source of an integration, whatever its type.

import type { ServerContext } from '../../context.ts';
import { invalid } from '../../errors.ts';
import type { Integration } from '../../generated/prisma/client.ts';
import { type Credentials, openCredentials } from '../credentials.ts';
import type { Connector } from './connector.ts';
import { driverless, openDriverless } from './driver-missing.ts';
import { checkNames } from './fields.ts';
import type { LiveSource } from './live-source.ts';

type Open = (source: LiveSource, credentials: Credentials) => Promise<Connector>;

/**
 * How each type of integration is connected to. Types without a connector are fed by uploads. Drivers
 * are loaded when they are needed: most servers need one or two of them.
 */
const openers: Readonly<Record<string, Open | undefined>> = {
  postgres: (...given) => postgres('postgres', ...given),
  redshift: (...given) => postgres('redshift', ...given),
  mysql: (...given) => mysql('mysql', ...given),
  mariadb: (...given) => mysql('mariadb', ...given),
  duckdb: async (...given) => (await import('./duckdb/duckdb.ts')).openDuckDbConnector(...given),
  clickhouse: async (...given) =>
    (await import('./clickhouse/clickhouse.ts')).openClickHouseConnector(...given),
  trino: async (...given) => (await import('./trino/trino.ts')).openTrinoConnector(...given),
  snowflake: async () => openDriverless('snowflake'),
  bigquery: async () => openDriverless('bigquery'),
  databricks: async () => openDriverless('databricks'),
  sqlserver: async () => openDriverless('sqlserver'),
  oracle: async () => openDriverless('oracle'),
};

async function postgres(flavor: 'postgres' | 'redshift', ...given: Parameters<Open>) {
  const { openPostgresConnector } = await import('./postgres/postgres.ts');
  return openPostgresConnector(flavor, ...given);
}

async function mysql(flavor: 'mysql' | 'mariadb', ...given: Parameters<Open>) {
  const { openMySqlConnector } = await import('./mysql/mysql.ts');
  return openMySqlConnector(flavor, ...given);
}

/** The types of integrations that connect to their source. */
export const liveTypes: readonly string[] = Object.keys(openers);

/** Whether integrations of a type connect to their source. */
export function isLive(type: string): boolean {
  return Object.hasOwn(openers, type);
}

/** The types of integrations whose source this server has a driver for. */
const typesWithDriver = liveTypes.filter((type) => !Object.hasOwn(driverless, type));

/** Whether this server has what it takes to connect to a source of a type. */
export function hasDriver(type: string): boolean {
  return typesWithDriver.includes(type);
}

/**
 * Open the source of an integration, with its own credentials or with others; whoever does closes it. Nothing is connected yet. The caller has
 * checked that the viewer may cause it. Throws BAD_REQUEST for a type that has no connector, and for
 * credentials that lack something, naming the field.
 */
export async function openConnector(
  ctx: ServerContext,
  integration: Pick<Integration, 'id' | 'type'>,
  credentials?: Credentials,
): Promise<Connector> {
  const open = isLive(integration.type) ? openers[integration.type] : undefined;
  if (!open) {
    throw invalid(
      `An integration of type ${integration.type} is fed by uploads: there is nothing to connect to. These connect: ${typesWithDriver.join(', ')}.`,
    );
  }
  if (credentials && hasDriver(integration.type)) checkNames(credentials);
  const known = credentials ?? (await openCredentials(ctx, integration.id));
  return open({ id: integration.id, reach: ctx.surroundings.reach }, known);
}
