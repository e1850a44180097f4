// What all connectors do alike: who may, how many at once, and what becomes of errors.

import { invalid } from '../../errors.ts';
import type { DialectName } from '../../lineage/sql/dialect.ts';
import type { Scrub } from '../../secrets/redaction.ts';
import type { Extraction } from '../readers/extraction.ts';
import {
  type Ask,
  type ConnectionCheck,
  type ConnectionReport,
  type Connector,
  found,
  type PastQuery,
  type QueryOptions,
  type QueryResult,
  reportOf,
} from './connector.ts';
import { failedConnection, sourceFailure } from './failure.ts';
import { onlyChosen, type SchemaChoice } from './patterns.ts';
import { type Connect, openSessions, type Session } from './sessions.ts';
import { encryptionCheck, type Link } from './tls.ts';

/** A connection that runs statements. */
export interface RunSession extends Session {
  /** How it is encrypted; null where nothing goes over a network. */
  readonly link: Link | null;
  /** Run one statement that only reads, within the time. */
  run(sql: string, timeoutMs: number): Promise<QueryResult>;
}

/** Says how many bytes a statement would read, on a connection of its own. */
export type Estimate = (sql: string, timeoutMs: number, signal: AbortSignal) => Promise<number>;

/** What a kind of source does in its own way. */
export interface ConnectorParts {
  readonly dialect: DialectName;
  /** Names the source among all of this process. */
  readonly source: string;
  readonly connect: Connect<RunSession>;
  /** Connections at once, of all who use the source; as many as to most sources where absent. */
  readonly sessions?: number;
  readonly scrub: Scrub;
  /** What the login may do that it should not; null where it is modest. Absent where the source does not say. */
  excess?(ask: Ask): Promise<ConnectionCheck | null>;
  /** What the source calls itself. */
  version(ask: Ask): Promise<string>;
  /** The checks besides connection and login. */
  checks(ask: Ask): Promise<readonly ConnectionCheck[]>;
  /** Which of its schemas are read; all where it is absent. */
  readonly choice?: SchemaChoice;
  extract(ask: Ask, note: (line: string) => void, signal?: AbortSignal): Extraction;
  history?(ask: Ask, since: Date | null): AsyncIterable<PastQuery>;
  readonly estimate?: Estimate;
  /** Throw for a statement that may not be run at all. */
  refuse?(sql: string): void;
}

/** A connector of its parts. */
export function assemble(parts: ConnectorParts): Connector {
  const sessions = openSessions(parts.source, parts.connect, parts.sessions);
  const { history, estimate } = parts;
  let isModest = false;

  /** Without a look at the login's rights: for statements of our own. */
  const ask: Ask = async (sql, options) => {
    try {
      return await sessions.use(options, (session) => session.run(sql, options.timeoutMs));
    } catch (error) {
      // Anyone who gave up is told so with their own reason.
      options.signal?.throwIfAborted();
      throw sourceFailure(error, parts.scrub, sql);
    }
  };

  const linkOf = () =>
    sessions.use({ timeoutMs: linkTimeoutMs }, ({ link }) => Promise.resolve(link));

  const mustBeModest = async (own: Ask) => {
    if (isModest) return;
    const excess = await parts.excess?.(own);
    if (excess) throw invalid(`${excess.message} ${excess.fix ?? ''}`.trim());
    isModest = true;
  };

  return {
    dialect: parts.dialect,
    test: () => report(parts, ask, linkOf),
    async *extract({ note, signal }) {
      const own: Ask = (sql, options) => ask(sql, { ...options, signal });
      await mustBeModest(own);
      const all = parts.extract(own, note, signal);
      yield* parts.choice ? onlyChosen(all, parts.choice) : all;
    },
    ...(history ? { queryHistory: (since: Date | null) => history(ask, since) } : {}),
    ...(estimate
      ? {
          async estimate(sql: string, options: QueryOptions) {
            parts.refuse?.(sql);
            try {
              return await estimate(sql, options.timeoutMs, signalOf(options));
            } catch (error) {
              options.signal?.throwIfAborted();
              throw sourceFailure(error, parts.scrub, sql);
            }
          },
        }
      : {}),
    async query(sql, options) {
      parts.refuse?.(sql);
      await mustBeModest((own, { timeoutMs }) => ask(own, { timeoutMs, signal: options.signal }));
      return ask(sql, options);
    },
    async close() {
      sessions.close();
    },
  };
}

const signalOf = ({ timeoutMs, signal }: QueryOptions) =>
  AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]);

const linkTimeoutMs = 15_000;

async function report(
  parts: ConnectorParts,
  ask: Ask,
  linkOf: () => Promise<Link | null>,
): Promise<ConnectionReport> {
  let version: string | null = null;
  const done: ConnectionCheck[] = [];
  try {
    version = await parts.version(ask);
    done.push({ name: 'connection', state: 'ok', message: `Connected to ${version}.`, fix: null });
    const link = await linkOf();
    if (link) done.push(encryptionCheck(link));
    const excess = await parts.excess?.(ask);
    if (excess) return reportOf(version, [...done, excess]);
    if (parts.excess) done.push(found('role', 'The login is not a superuser.'));
    return reportOf(version, [...done, ...(await parts.checks(ask))]);
  } catch (error) {
    return reportOf(version, [...done, failedConnection(error)]);
  }
}
