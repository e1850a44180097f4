// ClickHouse as a live source, over its HTTP interface.

import type { z } from 'zod';
import { findHost, type Host } from '../../../network/reach.ts';
import { scrubberOf } from '../../../secrets/redaction.ts';
import type { Credentials } from '../../credentials.ts';
import {
  type HttpAnswer,
  type HttpSource,
  keepAlive,
  send,
} from '../../http-sources/http-source.ts';
import { assemble, type RunSession } from '../assemble.ts';
import { type ConnectionCheck, type Connector, found } from '../connector.ts';
import { refused, SourceRefusal, tooSlow } from '../failure.ts';
import type { LiveSource } from '../live-source.ts';
import { mustBeQuery } from '../only-query.ts';
import { chooseSchemasOfOne } from '../patterns.ts';
import { readFields, shownNames } from '../read-fields.ts';
import { countOrNull, text } from '../source-answer.ts';
import { encryptionOverHttp } from '../tls.ts';
import { clickHouseHistory, extractClickHouse, systemDatabases } from './catalog.ts';
import { clickhouse } from './manifest.ts';
import { excessOf, rightsCheck } from './rights.ts';

type Login = z.infer<typeof clickhouse.credentials>;

const limits = { timeoutMs: 15_000 };

/** A ClickHouse server. */
export function openClickHouseConnector(
  { id, reach }: LiveSource,
  credentials: Credentials,
): Connector {
  const login = readFields(clickhouse.credentials, credentials);
  return assemble({
    dialect: clickhouse.dialect,
    source: id,
    choice: chooseSchemasOfOne(login.include, login.exclude),
    scrub: scrubberOf(credentials, shownNames(clickhouse.credentials)),
    async connect(signal) {
      return openClickHouse(await findHost(login.host, reach), login, signal);
    },
    excess: (ask) => excessOf(ask, login.user),
    async version(ask) {
      const { rows } = await ask('SELECT version()', limits);
      return `ClickHouse ${text(rows[0]?.[0])}`;
    },
    async checks(ask) {
      const { rows } = await ask(
        `SELECT count() FROM system.tables WHERE database NOT IN ${systemDatabases}`,
        limits,
      );
      const count = countOrNull(rows[0]?.[0]) ?? 0;
      return [
        await rightsCheck(ask, login.user),
        count > 0 ? found('tables', `${count} tables and views can be seen.`) : noTables(login),
      ];
    },
    extract: extractClickHouse,
    history: clickHouseHistory,
    // SYSTEM, KILL and ALTER are refused by the setting readonly as well.
    refuse: (sql) => mustBeQuery(sql, 'clickhouse'),
  });
}

/** Each statement is a request of its own: there is nothing to keep but the address. */
function openClickHouse(host: Host, login: Login, signal: AbortSignal): RunSession {
  signal.throwIfAborted();
  const cutting = new AbortController();
  // Port 8443 is the one for HTTPS. Elsewhere it has to be asked for.
  const isPreferred = login.port === 8443 || login.port === 443;
  const encryption = encryptionOverHttp(login.ssl, host, isPreferred);
  const source = keepAlive({ host, port: login.port, encryption, ca: login.ca });
  return {
    lasts: true,
    link: source,
    destroy() {
      cutting.abort();
      source.agent.destroy();
    },
    async run(sql, timeoutMs) {
      const ask = (settings: Readonly<Record<string, string>>) =>
        post(source, login, sql, settings, cutting.signal);
      let answer = await ask(settingsFor(timeoutMs));
      // A login whose profile is read-only may not set anything, not even that it only reads.
      if (answer.status !== 200 && /Code: 164\b/.test(answer.body)) answer = await ask({});
      if (answer.status === 200) return { rows: rowsOf(answer.body) };
      if (/Code: 159\b/.test(answer.body)) throw tooSlow('The query', timeoutMs);
      throw new SourceRefusal(answer.body, codeOf(answer));
    },
  };
}

/** An error of ClickHouse begins with its number and, in newer versions, ends with its name and the version. */
function codeOf({ body, status }: HttpAnswer): string {
  const name = /\(([A-Z][A-Z_]+)\)(?: \(version [^()]*(?:\([^()]*\))?\))?\s*$/.exec(body)?.[1];
  return name ?? /^Code: \d+/.exec(body)?.[0] ?? `HTTP ${status}`;
}

function post(
  source: HttpSource,
  login: Login,
  sql: string,
  settings: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  const query = new URLSearchParams({ database: login.database, ...settings });
  return send(source, {
    method: 'POST',
    path: `/?${query}`,
    headers: {
      'x-clickhouse-user': login.user,
      ...(login.password ? { 'x-clickhouse-key': login.password } : {}),
      'x-clickhouse-format': 'JSONCompact',
      'content-type': 'text/plain; charset=utf-8',
    },
    body: sql,
    signal,
  });
}

function settingsFor(timeoutMs: number) {
  return {
    readonly: '1',
    max_execution_time: String(timeoutMs / 1_000),
    cancel_http_readonly_queries_on_client_close: '1',
    wait_end_of_query: '1',
    output_format_json_quote_64bit_integers: '1',
    output_format_json_quote_denormals: '1',
  };
}

function rowsOf(body: string): unknown[][] {
  try {
    const answer: unknown = JSON.parse(body);
    const data =
      typeof answer === 'object' && answer !== null && 'data' in answer ? answer.data : 0;
    if (Array.isArray(data)) return data.map((row) => (Array.isArray(row) ? row : [row]));
  } catch {
    // It is no JSON, which is said below.
  }
  throw refused('the answer is in another format: leave FORMAT out.');
}

function noTables({ user }: Login): ConnectionCheck {
  return {
    name: 'tables',
    state: 'missing',
    message: 'The login sees no table or view.',
    fix: `GRANT SELECT, SHOW ON \`...\`.* TO ${user}; for each database.`,
  };
}
