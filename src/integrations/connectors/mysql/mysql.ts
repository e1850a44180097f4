// MySQL and MariaDB as live sources.

import { findHost } from '../../../network/reach.ts';
import { scrubberOf } from '../../../secrets/redaction.ts';
import type { Credentials } from '../../credentials.ts';
import { assemble } from '../assemble.ts';
import type { Ask, Connector, PastQuery } from '../connector.ts';
import type { LiveSource } from '../live-source.ts';
import { mustBeQuery } from '../only-query.ts';
import { chooseSchemasOfOne } from '../patterns.ts';
import { readFields, shownNames } from '../read-fields.ts';
import { text } from '../source-answer.ts';
import { extractMySql } from './catalog.ts';
import { mySqlHistory } from './history.ts';
import { mariadb, mysql } from './manifest.ts';
import { excessOf, historyCheck, rightsCheck, tablesCheck } from './rights.ts';
import { mySqlRoutines } from './routines.ts';
import { openMySql } from './session.ts';

const types = { mysql, mariadb } as const;

/** A MySQL or MariaDB server. */
export function openMySqlConnector(
  flavor: keyof typeof types,
  { id, reach }: LiveSource,
  credentials: Credentials,
): Connector {
  const login = readFields(types[flavor].credentials, credentials);
  return assemble({
    dialect: types[flavor].dialect,
    source: id,
    choice: chooseSchemasOfOne(login.include, login.exclude),
    scrub: scrubberOf(credentials, shownNames(types[flavor].credentials)),
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
      return [
        await rightsCheck(ask, login.user),
        await tablesCheck(ask, login.user),
        await historyCheck(ask),
      ];
    },
    extract: extractMySql,
    history,
    // A procedure may end the transaction that only reads, and begin another one.
    refuse: (sql) => mustBeQuery(sql, flavor),
  });
}

async function* history(ask: Ask, since: Date | null): AsyncGenerator<PastQuery> {
  yield* mySqlRoutines(ask);
  yield* mySqlHistory(ask, since);
}
