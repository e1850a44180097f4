// Feeds an integration with files: who may, which file fits, and one at a time.

import { mustMayImport } from '../../auth/permission.ts';
import type { ServerContext } from '../../context.ts';
import { patiently } from '../../database/connections/await-connection.ts';
import { invalid, invalidField } from '../../errors.ts';
import type { Integration, Job } from '../../generated/prisma/client.ts';
import { beginHere } from '../../jobs/here.ts';
import { databaseOfNameless, withDatabase } from '../addresses/nameless.ts';
import { getIntegration } from '../integration.ts';
import { type Uploads, uploadsOf } from '../integration-type.ts';
import { type Artifacts, readArtifacts } from '../readers/artifacts/artifacts.ts';
import { readCsv } from '../readers/csv.ts';
import type { Extraction } from '../readers/extraction.ts';
import { readLineages, readResources } from '../readers/jsonl.ts';
import type { FileSource } from '../readers/source.ts';
import { importJob, syncKey } from '../sync-key.ts';
import type { DeclarationReader } from './declared.ts';
import { tablesOf } from './edges/query-tables.ts';
import { runImport } from './import.ts';
import type { ImportCounts, ImportOptions, ImportReport, ImportWatch } from './options.ts';

export interface SyncOptions {
  /** False: what the source no longer names is left as it is. */
  readonly stale?: boolean | undefined;
  /** True: import it also where most of the integration becomes stale. */
  readonly force?: boolean | undefined;
  /** True: count what would be done, and do nothing. */
  readonly dryRun?: boolean | undefined;
  /** Most bytes that a file may hold, unpacked; 1 GiB where absent. */
  readonly maxBytes?: number | undefined;
  readonly maxLineBytes?: number | undefined;
  readonly watch?: ImportWatch | undefined;
  /** Called with the first of what changes, one by one, before it is written. */
  readonly onChanges?: ImportOptions['onChanges'];
  /** Called with the job that the import is, once it has begun. */
  readonly onJob?: ((job: Job) => void) | undefined;
  /** Called with the job that goes on with reading lineage from SQL, once the import is written. */
  readonly onTrace?: ((trace: Job) => void) | undefined;
}

const defaultMaxBytes = 1024 ** 3;
const silent: ImportWatch = { log() {}, progress() {} };

/** The files of a JSONL import; either may be absent, and what it would hold is then left alone. */
export interface JsonlSources {
  readonly resources?: FileSource | undefined;
  readonly lineages?: FileSource | undefined;
}

/**
 * Import a CSV file of tables and columns; admins may. Throws NOT_FOUND, BAD_REQUEST for an integration
 * that such a file doesn't feed or for what is wrong in the file, naming line and field, and CONFLICT
 * while another sync of the integration runs. Nothing has changed after any error.
 */
export async function importCsv(
  ctx: ServerContext,
  integrationId: string,
  source: FileSource,
  options: SyncOptions = {},
): Promise<ImportCounts> {
  return sync(ctx, integrationId, 'files', options, {
    title: 'CSV',
    file: source.file,
    extraction: () => readCsv(source, { maxBytes: options.maxBytes ?? defaultMaxBytes }),
    covers: { resources: true, lineage: false, tests: false },
  });
}

/** Import JSONL files of resources and of lineages, like `importCsv`. */
export async function importJsonl(
  ctx: ServerContext,
  integrationId: string,
  sources: JsonlSources,
  options: SyncOptions = {},
): Promise<ImportCounts> {
  const { resources, lineages } = sources;
  if (!resources && !lineages) throw noFile('resources_file', 'lineages_file');
  const limits = {
    maxBytes: options.maxBytes ?? defaultMaxBytes,
    maxLineBytes: options.maxLineBytes,
  };
  return sync(ctx, integrationId, 'files', options, {
    title: 'JSONL',
    file: resources?.file ?? '',
    extraction: async function* () {
      if (resources) yield* readResources(resources, limits);
      if (lineages) yield* readLineages(lineages, { ...limits, tablesOf });
    },
    covers: { resources: resources !== undefined, lineage: lineages !== undefined, tests: false },
  });
}

/**
 * Import the artifacts of a transformation project, like `importCsv`. Without a manifest only the
 * results of the run are taken. What the project declares for other features goes to who reads that.
 */
export async function importArtifacts(
  ctx: ServerContext,
  integrationId: string,
  artifacts: Artifacts,
  readDeclarations: DeclarationReader,
  options: SyncOptions = {},
): Promise<ImportCounts> {
  const { manifest, runResults = [], sources } = artifacts;
  if (!manifest && runResults.length === 0 && !sources) {
    throw noFile('manifest', 'run_results', 'sources');
  }
  if (runResults.length > maxRuns) {
    throw invalidField('run_results', `Send the results of at most ${maxRuns} runs at once.`);
  }
  const { maxBytes = defaultMaxBytes } = options;
  const content = contentOfArtifacts(ctx, integrationId, artifacts, { maxBytes, readDeclarations });
  return sync(ctx, integrationId, 'artifacts', options, content);
}

/** What the artifacts of a project are to an import. Without a manifest only the results of the run are taken. */
export function contentOfArtifacts(
  ctx: ServerContext,
  integrationId: string,
  artifacts: Artifacts,
  how: { readonly maxBytes: number; readonly readDeclarations: DeclarationReader },
): Content {
  const { manifest, catalog } = artifacts;
  const declared = new Map<string, number>();
  const count = (sort: string) => declared.set(sort, (declared.get(sort) ?? 0) + 1);
  const isWhole = manifest !== undefined;
  return {
    title: 'Artifacts',
    file: manifest?.file ?? '',
    extraction: async function* (log) {
      const database = await databaseOfNameless(ctx, integrationId);
      const read = readArtifacts(artifacts, { maxBytes: how.maxBytes, count, now: ctx.now() });
      yield* withDatabase(read, database);
      const list = [...declared].map(([sort, number]) => `${number} ${sort}`);
      if (list.length > 0) log(`The manifest declares ${list.join(', ')}.`);
    },
    // A run names only what it ran: a test that it passes over is declared still.
    covers: { resources: isWhole, lineage: isWhole, tests: isWhole },
    readDeclarations: isWhole ? how.readDeclarations : null,
    isProject: true,
    origin: 'ARTIFACT',
    // A manifest names the columns that somebody documented, no more: only a catalog names all.
    ...(catalog ? {} : { stale: 'all but columns of what is named' }),
  };
}

/** Results of runs that are sent at once: a tool that runs each node by itself writes one for each. */
const maxRuns = 100;

function noFile(...fields: string[]) {
  const message = `Send ${fields.join(', ')}, or several of them.`;
  return invalid(message, [{ field: fields[0] ?? '', message }]);
}

/** What an import is of. */
type Content = Pick<ImportOptions, 'title' | 'file' | 'covers'> & {
  readonly extraction: (log: ImportWatch['log']) => Extraction;
} & Partial<Pick<ImportOptions, 'isProject' | 'origin' | 'stale' | 'readDeclarations'>>;

async function sync(
  ctx: ServerContext,
  integrationId: string,
  feed: Uploads,
  options: SyncOptions,
  content: Content,
): Promise<ImportCounts> {
  mustMayImport(ctx, integrationId);
  // The file was sent already: want of a connection is no reason to send it again.
  const integration = await patiently(ctx, () => getIntegration(ctx, integrationId));
  mustFit(integration, feed);
  const { watch = silent, dryRun = false, stale = true, force = false } = options;
  const what = `${content.title} import into ${integration.name}`;
  const input = {
    kind: importJob,
    title: dryRun ? `Dry run of the ${what}` : what,
    dedupeKey: syncKey(integration.id),
    busy: 'A sync of this integration is in progress.',
    ifLost: 'The server stopped before the import had ended; nothing was changed. Upload it again.',
  };
  let following: Job | null = null;
  const { job, done } = await beginHere(ctx, input, (run) => {
    const log = (line: string) => {
      run.log(line);
      watch.log(line);
    };
    return runImport(run.ctx, {
      origin: 'IMPORT',
      isProject: false,
      readDeclarations: null,
      ...content,
      extraction: content.extraction(log),
      integration,
      stale: stale ? (content.stale ?? 'everything') : 'nothing',
      force,
      dryRun,
      onChanges: options.onChanges,
      watch: {
        log,
        progress(step, done, total) {
          run.progress(step, done, total);
          watch.progress(step, done, total);
        },
        finish(tx, result, trace) {
          following = trace;
          return run.complete(tx, result);
        },
      },
    });
  });
  options.onJob?.(job);
  const counts = await done;
  if (following) options.onTrace?.(following);
  return counts;
}

/** Throw BAD_REQUEST unless such files feed the integration. */
export function mustFit({ type }: Integration, feed: Uploads): void {
  const takes = uploadsOf(type);
  if (takes === feed) return;
  const what = {
    files: 'CSV or JSONL files of metadata',
    artifacts: 'the artifacts of a project',
    nothing: 'no files',
  }[takes];
  throw invalid(`An integration of type ${type} takes ${what}.`);
}

/** Run an import, and answer what it changes one by one as well. Throws what the import throws. */
export async function reportImport(
  options: SyncOptions,
  run: (options: SyncOptions) => Promise<ImportCounts>,
): Promise<ImportReport> {
  let changes: ImportReport['changes'] = [];
  const counts = await run({
    ...options,
    onChanges: (found) => {
      changes = found;
    },
  });
  return { ...counts, changes };
}
