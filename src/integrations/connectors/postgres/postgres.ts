// PostgreSQL and Redshift as live sources.

import type { z } from 'zod';
import { findHost } from '../../../network/reach.ts';
import { type Scrub, scrubberOf } from '../../../secrets/redaction.ts';
import type { Credentials } from '../../credentials.ts';
import type { Extraction } from '../../readers/extraction.ts';
import { assemble } from '../assemble.ts';
import type { Ask, Connector, PastQuery } from '../connector.ts';
import type { LiveSource } from '../live-source.ts';
import { chooseSchemas, chooseSchemasOfOne, type SchemaChoice } from '../patterns.ts';
import { readFields, shownNames } from '../read-fields.ts';
import { databasesIn, openDatabases } from '../several-databases.ts';
import { text } from '../source-answer.ts';
import { extractPostgres } from './catalog.ts';
import { foreignEdges } from './foreign-tables.ts';
import { postgresHistory } from './history.ts';
import { postgres, redshift } from './manifest.ts';
import { extractRedshift } from './redshift-catalog.ts';
import { redshiftHistory, redshiftHistoryCheck } from './redshift-history.ts';
import { excessOf, historyCheck, rightsCheck, tablesCheck } from './rights.ts';
import { postgresRoutines } from './routines.ts';
import { openPostgres } from './session.ts';

const types = { postgres, redshift } as const;

/** A PostgreSQL server, or a Redshift cluster, which speaks its protocol. */
export function openPostgresConnector(
  flavor: keyof typeof types,
  { id, reach }: LiveSource,
  credentials: Credentials,
): Connector {
  const fields = readFields(types[flavor].credentials, credentials);
  const wanted = databasesIn(fields.database);
  const scrub = scrubberOf(credentials, shownNames(types[flavor].credentials));
  if (wanted === null) return openOne(flavor, { id, reach }, fields, scrub, null);
  const choice = chooseSchemas(fields.include, fields.exclude);
  const open = (database: string) =>
    openOne(flavor, { id, reach }, { ...fields, database }, scrub, choice);
  const first = wanted.find((name) => !name.includes('*')) ?? usual[flavor];
  return openDatabases({
    ...{ wanted, choice, noun: 'databases', first, listed: listed[flavor], open },
  });
}

/** The database that is there unless somebody dropped it. */
const usual = { postgres: 'postgres', redshift: 'dev' } as const;

const connectable =
  'select d.datname from pg_catalog.pg_database d where d.datallowconn and not d.datistemplate';
const listed = {
  postgres: `${connectable} and pg_catalog.has_database_privilege(d.datname, 'CONNECT') order by d.datname`,
  // Redshift has no right to connect: a user may do so everywhere, but in databases of its own and in catalogs of others.
  redshift: `${connectable} and d.datname not in ('padb_harvest', 'sys:internal', 'awsdatacatalog') order by d.datname`,
} as const;

/** One database, of which by itself a pattern names schemas. */
function openOne(
  flavor: keyof typeof types,
  { id, reach }: LiveSource,
  fields: z.infer<(typeof types)[keyof typeof types]['credentials']>,
  scrub: Scrub,
  choice: SchemaChoice | null,
): Connector {
  const isPostgres = flavor === 'postgres';
  return assemble({
    dialect: types[flavor].dialect,
    source: id,
    choice: choice ?? chooseSchemasOfOne(fields.include, fields.exclude),
    scrub,
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
      const rights = await rightsCheck(flavor, ask, fields);
      const kept = isPostgres ? await historyCheck(ask) : await redshiftHistoryCheck(ask, fields);
      return [rights, tables, kept];
    },
    extract: isPostgres ? extractAll : extractRedshift,
    history: isPostgres ? history : (ask, since) => redshiftHistory(ask, fields, since),
  });
}

/** An import plans its resources before it takes lineage. */
async function* extractAll(...given: Parameters<typeof extractPostgres>): Extraction {
  yield* extractPostgres(...given);
  yield* foreignEdges(given[0]);
}

async function* history(ask: Ask): AsyncGenerator<PastQuery> {
  yield* postgresRoutines(ask);
  yield* postgresHistory(ask);
}
