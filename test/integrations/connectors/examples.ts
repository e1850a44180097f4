// Credentials of each type of source, for a host and port of the test's choice.

import type { Credentials } from '../../../src/integrations/credentials.ts';
import { serviceAccount } from '../warehouses/bigquery-fake.ts';

/** Credentials with which a connector goes to a host, by type; null for one that goes to none. */
export function exampleFor(
  host: string,
  port: number,
  secret = 'p',
): Readonly<Record<string, Credentials | null>> {
  const login = { host, port, database: 'd', user: 'u', password: secret, ssl: 'disable' };
  return {
    postgres: login,
    redshift: login,
    mysql: login,
    mariadb: login,
    duckdb: null,
    clickhouse: login,
    trino: { ...login, catalog: 'c' },
    bigquery: {
      ...{ project: 'shop-prod', service_account: serviceAccount(host, port, secret) },
      ...{ host, port, ssl: 'disable' },
    },
    databricks: { host, port, token: secret, warehouse_id: 'w1', ssl: 'disable' },
    metabase: { url: `http://${host}:${port}`, api_key: secret },
    superset: { url: `http://${host}:${port}`, user: 'u', password: secret },
    snowflake: {
      ...{ account: 'a-b', user: 'u', auth: 'token', token: secret, role: 'R', warehouse: 'W' },
      ...{ host, port, ssl: 'disable' },
    },
  };
}
