// The table with odd names and values on real servers, read by the connectors.

import type { Connector } from '../../../src/integrations/connectors/connector.ts';
import { openMySqlConnector } from '../../../src/integrations/connectors/mysql/mysql.ts';
import { openPostgresConnector } from '../../../src/integrations/connectors/postgres/postgres.ts';
import { sourceDialect } from '../../../src/monitors/scans/source-dialect.ts';
import { loopback } from '../../integrations/connectors/read-source.ts';
import { startMariaDb, startPostgres, type TestServer } from '../../servers.ts';
import { type Source, scriptFor, TABLE } from './odd-table.ts';

/** In MariaDB: integers that only an unsigned type holds, and dates that stand for none. */
export const EXTREMES = 'extremes';

const limits = { timeoutMs: 30_000 };
const login = { host: '127.0.0.1', user: 'reader', password: 'of the reader' };

/** A PostgreSQL server, read by its connector; null where none is installed. */
export async function openPostgresServer(): Promise<Source | null> {
  const server = await startPostgres();
  if (!server) return null;
  const types = {
    ...{ amount: 'bigint', rate: 'double precision', note: 'text' },
    ...{ stamp: 'timestamp', flag: 'boolean' },
  };
  const parts = { dialect: sourceDialect('postgres'), table: ['postgres', 'public', TABLE], types };
  await server.run(
    `create role reader login; alter role reader set timezone to 'UTC'; grant pg_read_all_data to reader; ${scriptFor(parts).join(';')}`,
  );
  const { port } = server;
  const connector = openPostgresConnector(
    'postgres',
    { id: `odd ${port}`, reach: loopback },
    { ...login, port, database: 'postgres' },
  );
  return { ...parts, ...readBy(connector, server) };
}

/** A MariaDB server, read by its connector; null where none is installed. */
export async function openMariaDbServer(): Promise<Source | null> {
  const server = await startMariaDb();
  if (!server) return null;
  const types = {
    ...{ amount: 'bigint', rate: 'double', note: 'varchar(50)' },
    ...{ stamp: 'datetime(6)', flag: 'tinyint(1)' },
  };
  const parts = { dialect: sourceDialect('mariadb'), table: ['def', 'odd', TABLE], types };
  await server.run(`create database odd character set utf8mb4;
    create user reader identified by '${login.password}'; grant select on odd.* to reader;
    ${scriptFor(parts).join(';')}; set sql_mode = '';
    create table odd.${EXTREMES} (id bigint unsigned, made datetime, never datetime);
    insert into odd.${EXTREMES} values (18446744073709551615, '2024-06-01 11:00:00', '0000-00-00'),
      (18446744073709551614, '0000-00-00', '0000-00-00')`);
  const { port } = server;
  const connector = openMySqlConnector(
    'mariadb',
    { id: `odd ${port}`, reach: loopback },
    { ...login, port, database: 'odd' },
  );
  return { ...parts, ...readBy(connector, server) };
}

function readBy(connector: Connector, server: TestServer): Pick<Source, 'run' | 'close'> {
  return {
    run: async (sql) => [...((await connector.query(sql, limits)).rows[0] ?? [])],
    async close() {
      await connector.close();
      await server[Symbol.asyncDispose]();
    },
  };
}
