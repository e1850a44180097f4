// DuckDB files as live sources.

import { findFile } from '../../../network/reach.ts';
import { scrubberOf } from '../../../secrets/redaction.ts';
import type { Credentials } from '../../credentials.ts';
import { assemble } from '../assemble.ts';
import { type Connector, found } from '../connector.ts';
import type { LiveSource } from '../live-source.ts';
import { readFields, shownNames } from '../read-fields.ts';
import { text } from '../source-answer.ts';
import { extractDuckDb } from './catalog.ts';
import { duckdb } from './manifest.ts';
import { openDuckDb } from './session.ts';

/** A DuckDB file below the folder that the operator allows. */
export function openDuckDbConnector(
  { id, reach }: LiveSource,
  credentials: Credentials,
): Connector {
  const { path } = readFields(duckdb.credentials, credentials);
  const scrub = scrubberOf(credentials, shownNames(duckdb.credentials));
  let real = path;
  return assemble({
    dialect: duckdb.dialect,
    source: id,
    // Where the folder lies on this machine is no one's business.
    scrub: (message) => scrub(message).replaceAll(real, path),
    // It works on this machine.
    sessions: 1,
    async connect(signal) {
      real = await findFile(path, reach);
      return openDuckDb(real, signal);
    },
    excess: async () => null,
    async version(ask) {
      const { rows } = await ask('select version()', { timeoutMs: 15_000 });
      return `DuckDB ${text(rows[0]?.[0])}`;
    },
    async checks(ask) {
      const { rows } = await ask(
        `select (select count(*) from duckdb_tables() where not internal)
          + (select count(*) from duckdb_views() where not internal)`,
        { timeoutMs: 15_000 },
      );
      return [found('tables', `${Number(rows[0]?.[0])} tables and views can be read.`)];
    },
    extract: extractDuckDb,
  });
}
