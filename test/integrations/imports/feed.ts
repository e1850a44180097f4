// Feeds integrations with texts, and looks at all that a workspace holds before and after.

import { expect } from 'vitest';
import { scratch } from '../../../src/database/scratch.ts';
import { CatalogError } from '../../../src/errors.ts';
import type { DataTest, Integration, Resource } from '../../../src/generated/prisma/client.ts';
import type { ImportCounts, ImportWatch } from '../../../src/integrations/imports/options.ts';
import {
  importArtifacts,
  importCsv,
  importJsonl,
  type SyncOptions,
} from '../../../src/integrations/imports/sync.ts';
import { type FileSource, textSource } from '../../../src/integrations/readers/source.ts';
import { readDeclaredMonitors } from '../../../src/monitors/declarations/declare.ts';
import type { Catalog } from '../../catalog.ts';

type Fed = Pick<Integration, 'id'>;

/** Import a text of CSV, as the admin. */
export function feedCsv(catalog: Catalog, { id }: Fed, text: string, options: SyncOptions = {}) {
  return importCsv(catalog.admin, id, textSource('tables.csv', text), options);
}

/** The content of JSONL files: objects that become lines, or a text as it is. */
export interface Lines {
  readonly resources?: readonly object[] | string;
  readonly lineages?: readonly object[] | string;
}

/** Import lines of JSONL, as the admin. */
export function feedJsonl(catalog: Catalog, { id }: Fed, lines: Lines, options: SyncOptions = {}) {
  const source = (file: string, given: readonly object[] | string | undefined) =>
    given === undefined ? undefined : textSource(file, linesOf(given));
  const sources = {
    resources: source('resources.jsonl', lines.resources),
    lineages: source('lineages.jsonl', lines.lineages),
  };
  return importJsonl(catalog.admin, id, sources, options);
}

function linesOf(given: readonly object[] | string): string {
  return typeof given === 'string' ? given : given.map((line) => JSON.stringify(line)).join('\n');
}

/** The content of a project's artifacts: objects that become JSON, or texts and sources as they are. */
export interface Project {
  readonly manifest?: object | string;
  /** Of one run, or a list of several. */
  readonly runResults?: object | string | readonly object[];
  readonly catalog?: object | string;
  readonly sources?: object | string;
}

/** Import the artifacts of a project, as the admin. */
export function feedProject(
  catalog: Catalog,
  { id }: Fed,
  project: Project,
  options: SyncOptions = {},
) {
  const source = (file: string, given: object | string | undefined) =>
    given === undefined
      ? undefined
      : textSource(file, typeof given === 'string' ? given : JSON.stringify(given));
  const runs = [project.runResults].flat().flatMap((run) => source('run_results.json', run) ?? []);
  const artifacts = {
    manifest: source('manifest.json', project.manifest),
    runResults: runs,
    catalog: source('catalog.json', project.catalog),
    sources: source('sources.json', project.sources),
  };
  return importArtifacts(catalog.admin, id, artifacts, readDeclaredMonitors, options);
}

/** A source of bytes that counts how many were taken from it, and knows whether it was let go. */
export function countedSource(file: string, chunks: Iterable<Uint8Array>) {
  const taken = { bytes: 0, closed: false };
  const source: FileSource = {
    file,
    bytes: (async function* () {
      try {
        for (const chunk of chunks) {
          taken.bytes += chunk.length;
          yield chunk;
        }
      } finally {
        taken.closed = true;
      }
    })(),
  };
  return { source, taken };
}

/** A watch that keeps what it receives. */
export function listening() {
  const lines: string[] = [];
  const steps: { step: string; done: number; total: number | undefined }[] = [];
  const watch: ImportWatch = {
    log: (line) => lines.push(line),
    progress: (step, done, total) => steps.push({ step, done, total }),
  };
  return { lines, steps, watch };
}

/** What an import answers where nothing happened but for these. */
export function counts(
  resources: Partial<Omit<ImportCounts, 'lineage' | 'tests' | 'monitors' | 'ignored'>>,
  lineage: Partial<ImportCounts['lineage']> = {},
  tests: Partial<ImportCounts['tests']> = {},
): ImportCounts {
  return {
    ...{ created: 0, updated: 0, staled: 0, unchanged: 0, taken: { count: 0, first: [] } },
    shared: { claimed: 0, left: 0, merged: 0 },
    ...resources,
    lineage: { created: 0, ended: 0, unchanged: 0, unknown: 0, ...lineage },
    tests: { created: 0, updated: 0, staled: 0, unchanged: 0, results: 0, ...tests },
    monitors: { created: 0, updated: 0, removed: 0, unchanged: 0, waiting: 0 },
    ignored: [],
    problems: [],
  };
}

/** Every resource of the workspace, by its full title. */
export async function resourcesOf(catalog: Catalog): Promise<Map<string, Resource>> {
  const { workspaceId, database } = catalog;
  const found = await database.prisma.resource.findMany({ where: { workspaceId } });
  return new Map(found.map((resource) => [resource.titleFull, resource]));
}

/** One resource of the workspace by its full title, of which there is one only. */
export async function resourceAt(catalog: Catalog, titleFull: string): Promise<Resource> {
  const { workspaceId, database } = catalog;
  const found = await database.prisma.resource.findMany({ where: { workspaceId, titleFull } });
  const [resource] = found;
  expect({ titleFull, found: found.length }).toEqual({ titleFull, found: 1 });
  if (!resource) throw new Error(`There is no ${titleFull}.`);
  return resource;
}

/** The edges that hold, by the full titles of their ends, those that are only implied in brackets. */
export async function edgesOf(catalog: Catalog): Promise<string[]> {
  const found = await catalog.database.prisma.lineageEdge.findMany({
    where: { workspaceId: catalog.workspaceId, validTo: null },
    include: { source: true, target: true },
  });
  return found
    .map(({ source, target, implied }) => {
      const edge = `${source.titleFull} > ${target.titleFull}`;
      return implied ? `(${edge})` : edge;
    })
    .sort();
}

/** The data tests of the workspace, by their keys. */
export async function testsOf(catalog: Catalog): Promise<Map<string, DataTest>> {
  const { workspaceId, database } = catalog;
  const found = await database.prisma.dataTest.findMany({ where: { workspaceId } });
  return new Map(found.map((test) => [test.key, test]));
}

/**
 * A digest of every row of every table that belongs to the workspace. The jobs are left out, and
 * when keys were used last: that an import was tried is no part of what it brought.
 */
export async function digest(catalog: Catalog): Promise<Record<string, string>> {
  const tables = await scratch<{ name: string }>(
    catalog.admin,
    `select c.table_name as name from information_schema.columns c
      where c.table_schema = 'public' and c.column_name = 'workspace_id'
        and c.table_name not in ('job', 'idempotency_key', 'api_key') order by 1`,
  );
  const parts = tables.map(
    ({ name }) => `select '${name}' as name, count(*) || ' ' ||
      coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as digest
      from ${name} t where t.workspace_id = $1::uuid`,
  );
  const digests = await scratch<{ name: string; digest: string }>(
    catalog.admin,
    parts.join(' union all '),
    [catalog.workspaceId],
  );
  return Object.fromEntries(digests.map(({ name, digest }) => [name, digest]));
}

/** Names of the tables that imports left behind; there should be none. */
export async function leftovers(catalog: Catalog): Promise<string[]> {
  const found = await scratch<{ name: string }>(
    catalog.admin,
    `select tablename as name from pg_tables where schemaname = 'headwater_scratch'`,
  );
  return found.map(({ name }) => name);
}

/** An import that must be refused: its code, message and the field it names. */
export async function refusal(work: Promise<unknown>) {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof CatalogError) {
    const [field] = error.fields;
    return { code: error.code, message: error.message, field: field?.field };
  }
  throw error ?? new Error('It was not refused.');
}
