// In charge of opening the live source of an integration, whatever its type.

import type { Context } from '../../context.ts';
import { invalid } from '../../errors.ts';
import type { Integration } from '../../generated/prisma/client.ts';
import { type Credentials, openCredentials } from '../credentials.ts';
import { reachOf } from '../reach.ts';
import { openClickHouseConnector } from './clickhouse.ts';
import type { Connector } from './connector.ts';
import { openDriverless } from './driver-missing.ts';
import { openDuckDbConnector } from './duckdb.ts';
import { openMySqlConnector } from './mysql.ts';
import { openPostgresConnector } from './postgres.ts';
import type { Source } from './source.ts';
import { openTrinoConnector } from './trino.ts';

type Open = (source: Source, credentials: Credentials) => Connector | Promise<Connector>;

/** How each type of integration is connected to. Types without a connector are fed by uploads. */
const openers: Readonly<Record<string, Open | undefined>> = {
  postgres: (source, credentials) => openPostgresConnector('postgres', source, credentials),
  redshift: (source, credentials) => openPostgresConnector('redshift', source, credentials),
  mysql: (source, credentials) => openMySqlConnector('mysql', source, credentials),
  mariadb: (source, credentials) => openMySqlConnector('mariadb', source, credentials),
  duckdb: openDuckDbConnector,
  clickhouse: openClickHouseConnector,
  trino: openTrinoConnector,
  snowflake: () => openDriverless('snowflake'),
  bigquery: () => openDriverless('bigquery'),
  databricks: () => openDriverless('databricks'),
  sqlserver: () => openDriverless('sqlserver'),
  oracle: () => openDriverless('oracle'),
};

/** The types of integrations that connect to their source. */
export const liveTypes: readonly string[] = Object.keys(openers);

/** Whether integrations of a type connect to their source. */
export function isLive(type: string): boolean {
  return Object.hasOwn(openers, type);
}

/**
 * Open the source of an integration; whoever does closes it. Nothing is connected yet. The caller has
 * checked that the viewer may cause it. Throws BAD_REQUEST for a type that has no connector, and for
 * credentials that lack something, naming the field.
 */
export async function openConnector(
  ctx: Context,
  integration: Pick<Integration, 'id' | 'type'>,
): Promise<Connector> {
  const open = isLive(integration.type) ? openers[integration.type] : undefined;
  if (!open) {
    throw invalid(
      `An integration of type ${integration.type} is fed by uploads: there is nothing to connect to. These connect: ${liveTypes.join(', ')}.`,
    );
  }
  const credentials = await openCredentials(ctx, integration.id);
  return open({ id: integration.id, reach: reachOf(ctx.database) }, credentials);
}
