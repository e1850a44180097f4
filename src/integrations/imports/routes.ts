// The uploads that feed integrations over REST, which no GraphQL operation can carry.

import { mustMayImport } from '../../auth/permission.ts';
import type { ServerContext } from '../../context.ts';
import { failureOf } from '../../database/failure.ts';
import { invalidField } from '../../errors.ts';
import type { Job } from '../../generated/prisma/client.ts';
import { noteRun } from '../../jobs/here-ending.ts';
import type { Route, RouteReply, RouteRequest } from '../../rest/route.ts';
import { bytesOf, receiveUpload, type SpooledFile, type Upload } from '../../rest/upload.ts';
import { getIntegration } from '../integration.ts';
import type { Uploads } from '../integration-type.ts';
import type { FileSource } from '../readers/source.ts';
import type { DeclarationReader } from './declared.ts';
import type { ImportCounts, ImportReport } from './options.ts';
import {
  importArtifacts,
  importCsv,
  importJsonl,
  mustFit,
  reportImport,
  type SyncOptions,
} from './sync.ts';
import { readJob, uploadAnswers, uploadForm, uploadParameters } from './upload-document.ts';

/** Where uploads are kept while they are read, and how large they may be. */
export interface UploadLimits {
  /** Bytes of all files of a request together, after decompression. */
  readonly maxBytes: number;
  readonly folder: string;
  /** Called with what goes wrong in the background and is no client's business. */
  readonly onUnexpected: (error: unknown) => void;
}

/** The routes that take files; what projects declare for other features goes to who reads that. */
export function uploadRoutes(
  limits: UploadLimits,
  readDeclarations: DeclarationReader,
): Route<ServerContext>[] {
  return [
    upload(limits, {
      path: '/integration/integrations/:integration_id/import_metadata',
      operationId: 'ImportMetadata',
      summary: 'Import a CSV file of tables and columns',
      files: { file: 'CSV with the columns col_name, database, schema, name and more.' },
      required: ['file'],
      feed: 'files',
      run: (ctx, id, { file: files }, options) =>
        importCsv(ctx, id, files?.[0] ?? missing('file'), options),
    }),
    upload(limits, {
      path: '/integration/integrations/:integration_id/import_jsonl_metadata',
      operationId: 'ImportJsonlMetadata',
      summary: 'Import JSONL files of resources and lineage',
      files: {
        resources_file: 'A JSON object a line, each a resource.',
        lineages_file: 'A JSON object a line, each an edge.',
      },
      feed: 'files',
      run: (ctx, id, { resources_file, lineages_file }, options) =>
        importJsonl(
          ctx,
          id,
          { resources: resources_file?.[0], lineages: lineages_file?.[0] },
          options,
        ),
    }),
    upload(limits, {
      path: '/integration/transform/:integration_id/upload_artifacts/',
      aliases: ['/integration/dbt/:integration_id/upload_artifacts/'],
      operationId: 'UploadArtifacts',
      summary: 'Upload the artifacts of a transformation project',
      files: {
        manifest: 'What the project declares: manifest.json.',
        run_results:
          'What a run said: run_results.json. It may come several times, once for each run.',
        catalog: 'Which columns its tables have: catalog.json.',
        sources: 'How fresh its sources were: sources.json.',
      },
      several: ['run_results'],
      feed: 'artifacts',
      run: (ctx, id, { manifest, run_results: runResults, catalog, sources }, options) =>
        importArtifacts(
          ctx,
          id,
          { manifest: manifest?.[0], runResults, catalog: catalog?.[0], sources: sources?.[0] },
          readDeclarations,
          options,
        ),
    }),
  ];
}

interface Import {
  readonly path: string;
  readonly aliases?: readonly string[];
  readonly operationId: string;
  readonly summary: string;
  /** The files of the form, and what each is. */
  readonly files: Readonly<Record<string, string>>;
  /** Those that may not be absent; of the others one has to be there. */
  readonly required?: readonly string[];
  /** Those that may come more than once. */
  readonly several?: readonly string[];
  readonly feed: Uploads;
  run(
    ctx: ServerContext,
    id: string,
    sources: Readonly<Record<string, readonly FileSource[]>>,
    options: SyncOptions,
  ): Promise<ImportCounts>;
}

function upload(limits: UploadLimits, made: Import): Route<ServerContext> {
  const { path, aliases = [], operationId, summary, files, required = [] } = made;
  return {
    method: 'POST',
    path,
    aliases,
    scope: 'IMPORT',
    document: {
      operationId,
      tag: 'Integrations',
      summary,
      description:
        'An upload is a sync: what it no longer names becomes stale. All of it is imported, or nothing. One that ' +
        'names nothing, or would make more than half of at least 20 resources stale, is 409. The ' +
        'request or any file of it may be compressed with gzip.',
      parameters: uploadParameters,
      requestBody: {
        required: true,
        content: { 'multipart/form-data': { schema: uploadForm(files, required) } },
      },
      responses: uploadAnswers(),
      errors: [408, 409, 413, 415, 507],
    },
    handle: (request) => receive(limits, made, request),
  };
}

/** Who may, into what, how; only then the files, which may be large. */
async function receive(
  limits: UploadLimits,
  made: Import,
  asked: RouteRequest<ServerContext>,
): Promise<RouteReply> {
  const { request, context, params, query } = asked;
  const { integration_id: id = '' } = params;
  mustMayImport(context, id);
  mustFit(await getIntegration(context, id), made.feed);
  const options = {
    stale: flagIn(query, 'stale', true),
    force: flagIn(query, 'force', false),
    dryRun: flagIn(query, 'dry_run', false),
  };
  const isAsync = flagIn(query, 'async', prefersAsync(request));
  const { folder, maxBytes } = limits;
  const upload = await receiveUpload(request, {
    ...{ files: Object.keys(made.files), several: made.several ?? [] },
    ...{ meetUnknown: asked.meetUnknown, maxBytes, folder },
  });
  const work = begin(made, upload, asked, { ...options, maxBytes }, isAsync);
  if (isAsync) return inBackground(limits, asked, work);
  const report = await work.done;
  return options.dryRun ? { status: 200, body: inRestNames(report) } : { status: 204 };
}

/** The report with the fields that change under the names that REST has for them. */
function inRestNames({ changes, ...counts }: ImportReport): ImportReport {
  const restName = (field: string) =>
    field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return {
    ...counts,
    changes: changes.map((change) => ({ ...change, fields: change.fields.map(restName) })),
  };
}

/** An import that was asked for: its job, once it has one, and what it did. */
interface Work {
  readonly job: Promise<Job>;
  readonly done: Promise<ImportReport>;
}

/** Import what was uploaded; the files go when that has ended. The headers name its jobs. */
function begin(
  { run }: Import,
  upload: Upload,
  { context, params, headers }: RouteRequest<ServerContext>,
  options: SyncOptions,
  isAsync: boolean,
): Work {
  const sources = [...upload.files].map(
    ([field, files]) => [field, files.map((file) => sourceOf(field, file))] as const,
  );
  // Who is answered at once goes away, and the import is to go on.
  const ctx = isAsync ? lastingOf(context) : context;
  let begun: (job: Job) => void = () => {};
  const job = new Promise<Job>((resolve) => {
    begun = resolve;
  });
  const done = (async () => {
    await using _files = upload;
    // Not only returned: the files would go at once.
    const chosen: SyncOptions = {
      ...options,
      onJob(made) {
        headers.set('x-job-id', made.id);
        begun(made);
      },
      onTrace: (trace) => headers.set('x-lineage-job-id', trace.id),
    };
    const go = (all: SyncOptions) =>
      run(ctx, params.integration_id ?? '', Object.fromEntries(sources), all);
    // To list the changes costs statements, and only a dry run answers them.
    return options.dryRun ? await reportImport(chosen, go) : { ...(await go(chosen)), changes: [] };
  })();
  return { job, done };
}

const lasting = new AbortController().signal;

/** A context that shares nothing with the request, which goes on to read while the import writes. */
function lastingOf(context: ServerContext): ServerContext {
  const reads = { isQuery: false, fromReplica: false };
  return { ...context, loaders: new Map(), signal: lasting, reads };
}

/** Answer with the job as soon as there is one. What goes wrong before is thrown. */
async function inBackground(
  { onUnexpected }: UploadLimits,
  { context, headers, base, read, keepPlace }: RouteRequest<ServerContext>,
  { job, done }: Work,
): Promise<RouteReply> {
  // Its files lie here until it has ended.
  keepPlace(done);
  const begun = await Promise.race([job, done.then(() => job)]);
  // A process that stops waits for the files to be gone as well.
  const forget = noteRun(context.database, { stop() {}, over: done.catch(() => {}) });
  done.then(forget, forget);
  // The job says what went wrong; what is a fault of ours is logged as it would be otherwise.
  done.catch((error: unknown) => {
    if (failureOf(error) === null) onUnexpected(error);
  });
  headers.set('location', `${base}/background_jobs/${begun.id}`);
  headers.set('preference-applied', 'respond-async');
  return { status: 202, body: await read(readJob, { job_id: begun.id }) };
}

/** Whether the client would rather have an answer at once (RFC 7240). */
function prefersAsync(request: Request): boolean {
  const preferences = (request.headers.get('prefer') ?? '').split(',');
  return preferences.some((one) => /^\s*respond-async\s*(;|$)/i.test(one));
}

/** A spooled file under the name of its form field, which is what errors call it. */
function sourceOf(field: string, file: SpooledFile): FileSource {
  return { file: field, bytes: bytesOf(file) };
}

function missing(field: string): never {
  throw invalidField(field, 'The file is missing.');
}

function flagIn(query: URLSearchParams, name: string, otherwise: boolean): boolean {
  const given = query.get(name);
  if (given === null || given === '') return otherwise;
  if (/^(true|1)$/i.test(given)) return true;
  if (/^(false|0)$/i.test(given)) return false;
  throw invalidField(name, 'Use true or false.');
}
