// PostgreSQL and Redshift as live sources.

import { findHost } from '../../../network/reach.ts';
import { scrubberOf } from '../../../secrets/redaction.ts';
import type { Credentials } from '../../credentials.ts';
import type { Extraction } from '../../readers/extraction.ts';
import { assemble } from '../assemble.ts';
import type { Ask, Connector, PastQuery } from '../connector.ts';
import type { LiveSource } from '../live-source.ts';
import { chooseSchemasOfOne } from '../patterns.ts';
import { readFields, shownNames } from '../read-fields.ts';
import { text } from '../source-answer.ts';
import { extractPostgres } from './catalog.ts';
import { foreignEdges } from './foreign-tables.ts';
import { postgresHistory } from './history.ts';
import { postgres, redshift } from './manifest.ts';
import { extractRedshift } from './redshift-catalog.ts';
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
  const isPostgres = flavor === 'postgres';
  return assemble({
    dialect: types[flavor].dialect,
    source: id,
    choice: chooseSchemasOfOne(fields.include, fields.exclude),
    scrub: scrubberOf(credentials, shownNames(types[flavor].credentials)),
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
      return isPostgres ? [rights, tables, await historyCheck(ask)] : [rights, tables];
    },
    extract: isPostgres ? extractAll : extractRedshift,
    ...(isPostgres ? { history } : {}),
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
