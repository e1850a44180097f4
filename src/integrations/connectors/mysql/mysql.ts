// MySQL and MariaDB as live sources.

import { z } from 'zod';
import { findHost } from '../../../network/reach.ts';
import { scrubberOf } from '../../../secrets/redaction.ts';
import type { Credentials } from '../../credentials.ts';
import { assemble } from '../assemble.ts';
import type { Connector } from '../connector.ts';
import { fieldOf, readFields } from '../fields.ts';
import type { LiveSource } from '../live-source.ts';
import { mustBeQuery } from '../only-query.ts';
import { text } from '../source-answer.ts';
import { extractMySql } from './catalog.ts';
import { mySqlHistory } from './history.ts';
import { excessOf, historyCheck, tablesCheck } from './rights.ts';
import { openMySql } from './session.ts';

const fields = z.object({
  host: fieldOf.host,
  port: fieldOf.port(3306),
  database: fieldOf.database.optional(),
  user: fieldOf.user,
  password: fieldOf.password,
  ssl: fieldOf.ssl,
  ca: fieldOf.ca,
});

/** A MySQL or MariaDB server. */
export function openMySqlConnector(
  flavor: 'mysql' | 'mariadb',
  { id, reach }: LiveSource,
  credentials: Credentials,
): Connector {
  const login = readFields(fields, credentials);
  return assemble({
    dialect: flavor,
    source: id,
    scrub: scrubberOf(credentials),
    async connect(signal) {
      return openMySql(await findHost(login.host, reach), login, signal);
    },
    excess: (ask) => excessOf(ask, login.user),
    async version(ask) {
      const { rows } = await ask('select version()', { timeoutMs: 15_000 });
      const version = text(rows[0]?.[0]);
      return /MariaDB/.test(version)
        ? `MariaDB ${version.replace(/-.*$/, '')}`
        : `MySQL ${version}`;
    },
    async checks(ask) {
      return [await tablesCheck(ask, login.user), await historyCheck(ask)];
    },
    extract: extractMySql,
    history: mySqlHistory,
    // A procedure may end the transaction that only reads, and begin another one.
    refuse: (sql) => mustBeQuery(sql, flavor),
  });
}
