// In charge of PostgreSQL and Redshift as live sources.

import { z } from 'zod';
import { invalid } from '../../errors.ts';
import type { Credentials } from '../credentials.ts';
import { findHost } from '../reach.ts';
import { scrubberOf } from '../secrecy.ts';
import type { Connector, QueryOptions, QueryResult } from './connector.ts';
import { sourceFailure } from './failure.ts';
import { fieldOf, readFields } from './fields.ts';
import { extractPostgres } from './postgres-catalog.ts';
import { postgresHistory } from './postgres-history.ts';
import { excessOf, testPostgres } from './postgres-rights.ts';
import { openPostgres, type PostgresSession } from './postgres-session.ts';
import { openSessions } from './sessions.ts';
import type { Source } from './source.ts';

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
  { id, reach }: Source,
  credentials: Credentials,
): Connector {
  const fields = readFields(fieldsOf[flavor], credentials);
  const scrub = scrubberOf(credentials);
  const sessions = openSessions<PostgresSession>(id, async (signal) => {
    const host = await findHost(fields.host, reach);
    return openPostgres(host, fields, flavor, signal);
  });

  /** Without a look at the login's rights: for statements of our own. */
  async function ask(sql: string, options: QueryOptions): Promise<QueryResult> {
    try {
      return await sessions.use(options, (session) => session.run(sql, options.timeoutMs));
    } catch (error) {
      throw sourceFailure(error, scrub);
    }
  }

  let isModest = false;

  async function mustBeModest(): Promise<void> {
    if (isModest) return;
    const excess = await excessOf(flavor, ask, fields);
    if (excess) throw invalid(`${excess.message} ${excess.fix ?? ''}`.trim());
    isModest = true;
  }

  return {
    dialect: flavor,
    test: () => testPostgres(flavor, ask, fields),
    async *extract(note) {
      await mustBeModest();
      yield* extractPostgres(ask, note);
    },
    ...(flavor === 'postgres' ? { queryHistory: () => postgresHistory(ask) } : {}),
    async query(sql, options) {
      await mustBeModest();
      return ask(sql, options);
    },
    async close() {
      sessions.close();
    },
  };
}
