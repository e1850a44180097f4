// What tools that show data have in common: how they are asked, and how dashboards and lineage to them are said.

import type { z } from 'zod';
import { CatalogError, invalid } from '../../errors.ts';
import type { Scrub } from '../../secrets/redaction.ts';
import { parsed } from '../http-sources/http-api.ts';
import type { HttpAnswer, HttpSource, keepAlive } from '../http-sources/http-source.ts';
import type { Extracted, ExtractedResource, Extraction, Reference } from '../readers/extraction.ts';
import { textLimits } from '../readers/json-fields.ts';
import { type ConnectionCheck, type Connector, found, reportOf } from './connector.ts';
import { failedConnection, SourceRefusal, sourceFailure } from './failure.ts';
import { encryptionCheck } from './tls.ts';

/** An open way to ask. */
export interface DashboardSession {
  /** What a path below that of the interface answers. Throws SourceRefusal for what it refuses. */
  get<Fields>(path: string, schema: z.ZodType<Fields>): Promise<Fields>;
  /** The same; null for what the login may not see, or what is not there. */
  find<Fields>(path: string, schema: z.ZodType<Fields>): Promise<Fields | null>;
  readonly link: HttpSource;
  close(): void;
}

/** A session that asks in some way. */
export function openDashboards(
  name: string,
  source: ReturnType<typeof keepAlive>,
  ask: (path: string) => Promise<HttpAnswer>,
): DashboardSession {
  const get = async <Fields>(path: string, schema: z.ZodType<Fields>) =>
    parsed({ name }, schema, await ask(path));
  return {
    get,
    async find(path, schema) {
      try {
        return await get(path, schema);
      } catch (error) {
        const isHidden = error instanceof SourceRefusal && /^HTTP (400|403|404)$/.test(error.code);
        if (!isHidden || error instanceof CatalogError) throw error;
        return null;
      }
    },
    link: source,
    close: () => source.agent.destroy(),
  };
}

/** What a tool does in its own way. */
export interface DashboardParts {
  readonly name: string;
  readonly scrub: Scrub;
  /** Sign in; each request is answered within its milliseconds. */
  open(signal: AbortSignal, requestMs: number): Promise<DashboardSession>;
  /** What it calls itself, and the checks besides those of the connection. */
  look(session: DashboardSession): Promise<{ version: string; checks: ConnectionCheck[] }>;
  extract(session: DashboardSession, note: (line: string) => void): Extraction;
}

/** People wait for a test. */
const testMs = 10_000;
const readMs = 120_000;

/** A connector of its parts. */
export function assembleDashboards({
  name,
  scrub,
  open,
  look,
  extract,
}: DashboardParts): Connector {
  const worded = (error: unknown, signal?: AbortSignal) => {
    signal?.throwIfAborted();
    return sourceFailure(error, scrub, '');
  };
  return {
    dialect: null,
    async test() {
      try {
        const session = await open(AbortSignal.timeout(60_000), testMs);
        try {
          const { version, checks } = await look(session);
          const connected = found('connection', `Connected to ${version}.`);
          return reportOf(version, [connected, encryptionCheck(session.link), ...checks]);
        } finally {
          session.close();
        }
      } catch (error) {
        return reportOf(null, [failedConnection(worded(error))]);
      }
    },
    async *extract({ note, signal = new AbortController().signal }) {
      try {
        const session = await open(signal, readMs);
        try {
          yield* extract(session, note);
        } finally {
          session.close();
        }
      } catch (error) {
        throw worded(error, signal);
      }
    },
    async query() {
      throw invalid(`${name} is not asked by SQL: measure the tables that it reads.`);
    },
    async close() {},
  };
}

/** Something that the tool names by an id of its own. */
export const byKey = (key: string): Reference => ({ by: 'key', key });

/** Data flows from one to the other. */
export function edge(from: Reference, to: Reference): Extracted {
  return { is: 'lineage', lineage: { line: 0, from, to } };
}

/** Something that the tool shows. */
export function resource(said: Omit<ExtractedResource, 'line' | 'standing'>): Extracted {
  const title = (said.title ?? '').slice(0, textLimits.name);
  const description = (said.description ?? '').slice(0, textLimits.text);
  return { is: 'resource', resource: { line: 0, standing: 'named', ...said, title, description } };
}

/** A moment as a tool writes it; undefined where it is none. */
export function momentOf(said: string | null | undefined): Date | undefined {
  const date = new Date(said ?? '');
  return Number.isNaN(date.getTime()) ? undefined : date;
}
