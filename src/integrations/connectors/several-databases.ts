// Several databases of one server as one source: each is connected to by itself, and a statement says which it is for.

import { invalid } from '../../errors.ts';
import type { Extracted } from '../readers/extraction.ts';
import {
  type ConnectionCheck,
  type ConnectionReport,
  type Connector,
  found,
  reportOf,
} from './connector.ts';
import { fitsGlob, type SchemaChoice } from './patterns.ts';
import { text } from './source-answer.ts';

/** Databases that one source reads at most. */
const mostDatabases = 100;

/** How the databases of a server are found and opened. */
export interface ServerParts {
  /** Names and patterns, of which one has to fit. */
  readonly wanted: readonly string[];
  readonly choice: SchemaChoice;
  /** How several of them are called. */
  readonly noun: 'databases' | 'catalogs';
  /** Where the others are asked for. */
  readonly first: string;
  /** The query for the names of all that the login may connect to. */
  readonly listed: string;
  /** Whether the first of them knows the queries of all. */
  readonly hasOneHistory?: boolean;
  open(database: string): Connector;
}

/** The names and patterns of a field that may name several databases; null for a single one. */
export function databasesIn(field: string): string[] | null {
  const names = field.split(',').map((name) => name.trim());
  const several = names.filter((name) => name !== '');
  return several.length > 1 || field.includes('*') ? several : null;
}

/** A connector to all databases that are wanted. */
export function openDatabases(parts: ServerParts): Connector {
  const { wanted, choice, noun, first, open } = parts;
  const opened = new Map<string, Connector>();
  const at = (database: string) => {
    const known = opened.get(database) ?? open(database);
    opened.set(database, known);
    return known;
  };
  const isWanted = (name: string) =>
    wanted.some((pattern) => fitsGlob(pattern, name)) && choice.database(name);
  const list = async (signal?: AbortSignal): Promise<string[]> => {
    if (!wanted.some((name) => name.includes('*'))) return wanted.filter(isWanted);
    const { rows } = await at(first).query(parts.listed, { timeoutMs: 15_000, signal });
    const names = rows.map(([name]) => text(name)).filter(isWanted);
    if (names.length > mostDatabases) {
      throw invalid(
        `There are ${names.length} ${noun}, and one source reads ${mostDatabases} at most: name some, or leave some out.`,
      );
    }
    if (names.length > 0) return names;
    throw invalid(`None of the ${noun} of the server is to be read, and may be connected to.`);
  };
  return {
    dialect: at(first).dialect,
    test: async () => reportOn(noun, await testAll(at, first, list)),
    async *extract(watch) {
      // What data flows from where comes after all that there is.
      const flows: Extracted[] = [];
      for (const database of await list(watch.signal)) {
        for await (const piece of at(database).extract(watch)) {
          if (piece.is === 'lineage') flows.push(piece);
          else yield piece;
        }
      }
      yield* flows;
    },
    async *queryHistory(since) {
      const asked = parts.hasOneHistory ? [first] : await list();
      for (const database of asked) yield* at(database).queryHistory?.(since) ?? [];
    },
    async query(sql, options) {
      const { database } = options;
      if (database === undefined || !isWanted(database)) {
        throw invalid(
          'A statement is run in one database: say which, of those that the source reads.',
        );
      }
      return at(database).query(sql, options);
    },
    async close() {
      for (const connector of opened.values()) await connector.close();
    },
  };
}

type Tested = readonly { readonly database: string; readonly report: ConnectionReport }[];

async function testAll(
  at: (database: string) => Connector,
  first: string,
  list: () => Promise<string[]>,
): Promise<Tested> {
  const report = await at(first).test();
  // What keeps it from the first would keep it from all.
  if (report.checks.some(({ name, state }) => name === 'connection' && state === 'missing')) {
    return [{ database: first, report }];
  }
  const all: { database: string; report: ConnectionReport }[] = [];
  for (const database of await list()) {
    all.push({ database, report: await at(database).test() });
  }
  return all;
}

/** One report: what is in order everywhere once, and what is not with its database. */
function reportOn(noun: ServerParts['noun'], tested: Tested): ConnectionReport {
  const version = tested[0]?.report.version ?? null;
  const names = tested.map(({ database }) => database).join(', ');
  const checks: ConnectionCheck[] = [found(noun, `${tested.length} are read: ${names}.`)];
  for (const { database, report } of tested) {
    for (const check of report.checks) {
      const isKnown = checks.some(({ name, state }) => name === check.name && state === 'ok');
      if (check.state === 'ok' && isKnown) continue;
      checks.push(
        check.state === 'ok' ? check : { ...check, message: `${database}: ${check.message}` },
      );
    }
  }
  return reportOf(version, checks);
}
