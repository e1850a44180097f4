// Snowflake as a live source, over its SQL API.

import { scrubberOf } from '../../../secrets/redaction.ts';
import type { Credentials } from '../../credentials.ts';
import { assemble } from '../assemble.ts';
import type { Connector } from '../connector.ts';
import type { LiveSource } from '../live-source.ts';
import { mustBeQuery } from '../only-query.ts';
import { chooseSchemas } from '../patterns.ts';
import { readFields, shownNames } from '../read-fields.ts';
import { text } from '../source-answer.ts';
import { recordedAccess } from './access-history.ts';
import { extractSnowflake } from './catalog.ts';
import { snowflakeHistory } from './history.ts';
import { signInOf } from './key-pair.ts';
import { snowflake } from './manifest.ts';
import { checksOf, excessOf } from './rights.ts';
import { openSnowflake, snowflakeApi } from './session.ts';

/** An account of Snowflake, as one of its roles sees it. */
export function openSnowflakeConnector(
  { id, reach }: LiveSource,
  credentials: Credentials,
): Connector {
  const login = readFields(snowflake.credentials, credentials);
  const scrub = scrubberOf(credentials, shownNames(snowflake.credentials));
  const choice = chooseSchemas(login.include, login.exclude);
  const usualHost = `${login.account.replaceAll('_', '-')}.snowflakecomputing.com`;
  const place = { ...login, host: login.host ?? usualHost };
  const api = snowflakeApi(place, signInOf(login, scrub.also), reach);
  return assemble({
    dialect: snowflake.dialect,
    source: id,
    scrub,
    connect: (signal) => openSnowflake(api, place, signal),
    excess: excessOf,
    async version(ask) {
      const { rows } = await ask('SELECT CURRENT_VERSION()', { timeoutMs: 60_000 });
      return `Snowflake ${text(rows[0]?.[0])}`;
    },
    checks: (ask) => checksOf(ask, { ...login, choice }),
    async *extract(ask, note, signal) {
      yield* extractSnowflake(ask, choice, { note, signal });
      // An import plans its resources before it takes lineage.
      yield* recordedAccess(ask, choice, note);
    },
    history: snowflakeHistory,
    refuse: (sql) => mustBeQuery(sql, snowflake.dialect, snowflake.forbiddenCalls),
  });
}
