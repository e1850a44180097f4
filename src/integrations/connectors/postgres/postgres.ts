// PostgreSQL and Redshift as live sources.

import { z } from 'zod';
import { findHost } from '../../../network/reach.ts';
import { scrubberOf } from '../../../secrets/redaction.ts';
import type { Credentials } from '../../credentials.ts';
import { assemble } from '../assemble.ts';
import type { Connector } from '../connector.ts';
import { fieldOf, readFields } from '../fields.ts';
import type { LiveSource } from '../live-source.ts';
import { text } from '../source-answer.ts';
import { extractPostgres } from './catalog.ts';
import { postgresHistory } from './history.ts';
import { extractRedshift } from './redshift-catalog.ts';
import { excessOf, historyCheck, tablesCheck } from './rights.ts';
import { openPostgres } from './session.ts';

const login = (port: number) =>
  z.object({
    host: fieldOf.host,
    port: fieldOf.port(port),
    database: fieldOf.database,
    user: fieldOf.user,
    password: fieldOf.password,
    ssl: fieldOf.ssl,
    ca: fieldOf.ca,
  });

const fieldsOf = { postgres: login(5432), redshift: login(5439) } as const;

/** A PostgreSQL server, or a Redshift cluster, which speaks its protocol. */
export function openPostgresConnector(
  flavor: keyof typeof fieldsOf,
  { id, reach }: LiveSource,
  credentials: Credentials,
): Connector {
  const fields = readFields(fieldsOf[flavor], credentials);
  const isPostgres = flavor === 'postgres';
  return assemble({
    dialect: flavor,
    source: id,
    scrub: scrubberOf(credentials),
    async connect(signal) {
      return openPostgres(await findHost(fields.host, reach), fields, flavor, signal);
    },
    excess: (ask) => excessOf(flavor, ask, fields),
    async version(ask) {
      const { rows } = await ask('select version()', { timeoutMs: 15_000 });
      return text(rows[0]?.[0]).replace(/^(\S+ \S+).*$/s, '$1');
    },
    async checks(ask) {
      const tables = await tablesCheck(ask, fields);
      return isPostgres ? [tables, await historyCheck(ask)] : [tables];
    },
    extract: isPostgres ? extractPostgres : extractRedshift,
    ...(isPostgres ? { history: postgresHistory } : {}),
  });
}
