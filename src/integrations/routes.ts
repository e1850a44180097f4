// In charge of the uploads that feed integrations over REST, which no GraphQL operation can carry.

import { createReadStream } from 'node:fs';
import { mustBeAllowed } from '../auth/permission.ts';
import type { Context } from '../context.ts';
import { invalidField } from '../errors.ts';
import type { Route, RouteReply, RouteRequest } from '../rest/route.ts';
import { receiveUpload, type SpooledFile } from '../rest/upload.ts';
import type { ImportCounts } from './imports/import.ts';
import { getIntegration } from './integration.ts';
import type { Feed } from './integration-type.ts';
import type { Source } from './readers/source.ts';
import { importArtifacts, importCsv, importJsonl, mustFit, type SyncOptions } from './sync.ts';

/** Where uploads are kept while they are read, and how large they may be. */
export interface UploadLimits {
  /** Bytes of all files of a request together, after decompression. */
  readonly maxBytes: number;
  readonly folder: string;
}

/** The routes that take files. */
export function uploadRoutes(limits: UploadLimits): Route<Context>[] {
  return [
    upload(limits, {
      path: '/integration/integrations/:integration_id/import_metadata',
      operationId: 'ImportMetadata',
      summary: 'Import a CSV file of tables and columns',
      files: { file: 'CSV with the columns col_name, database, schema, name and more.' },
      required: ['file'],
      feed: 'metadata',
      run: (ctx, id, { file }, options) => importCsv(ctx, id, file ?? missing('file'), options),
    }),
    upload(limits, {
      path: '/integration/integrations/:integration_id/import_jsonl_metadata',
      operationId: 'ImportJsonlMetadata',
      summary: 'Import JSONL files of resources and lineage',
      files: {
        resources_file: 'A JSON object a line, each a resource.',
        lineages_file: 'A JSON object a line, each an edge.',
      },
      feed: 'metadata',
      run: (ctx, id, { resources_file: resources, lineages_file: lineages }, options) =>
        importJsonl(ctx, id, { resources, lineages }, options),
    }),
    upload(limits, {
      path: '/integration/transform/:integration_id/upload_artifacts/',
      aliases: ['/integration/dbt/:integration_id/upload_artifacts/'],
      operationId: 'UploadArtifacts',
      summary: 'Upload the artifacts of a transformation project',
      files: {
        manifest: 'What the project declares: manifest.json.',
        run_results: 'What its last run told: run_results.json.',
        catalog: 'Which columns its tables have: catalog.json.',
      },
      feed: 'artifacts',
      run: (ctx, id, { manifest, run_results: runResults, catalog }, options) =>
        importArtifacts(ctx, id, { manifest, runResults, catalog }, options),
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
  readonly feed: Feed;
  run(
    ctx: Context,
    id: string,
    sources: Readonly<Record<string, Source>>,
    options: SyncOptions,
  ): Promise<ImportCounts>;
}

function upload(limits: UploadLimits, made: Import): Route<Context> {
  const { path, aliases = [], operationId, summary, files, required = [] } = made;
  return {
    method: 'POST',
    path,
    aliases,
    document: {
      operationId,
      tag: 'Integrations',
      summary,
      description:
        'An upload is a sync: what it no longer names becomes stale. It is all or nothing. The ' +
        'request or any file of it may be compressed with gzip.',
      parameters: queryParameters,
      requestBody: {
        required: true,
        content: { 'multipart/form-data': { schema: form(files, required) } },
      },
      responses: {
        200: {
          description: 'What would be done; only for `dry_run=true`, and nothing has changed.',
          content: { 'application/json': { schema: countsSchema, example: countsExample } },
        },
        204: { description: 'Done; there is no content.' },
      },
      errors: [408, 409, 413, 415, 507],
    },
    handle: (request) => receive(limits, made, request),
  };
}

/** Who may, into what, how; only then the files, which may be large. */
async function receive(
  { folder, maxBytes }: UploadLimits,
  { files, feed, run }: Import,
  { request, context, params, query }: RouteRequest<Context>,
): Promise<RouteReply> {
  const { integration_id: id = '' } = params;
  mustBeAllowed(context, 'manage integrations');
  mustFit(await getIntegration(context, id), feed);
  const options = { stale: flagIn(query, 'stale', true), dryRun: flagIn(query, 'dry_run', false) };
  await using spooled = await receiveUpload(request, {
    files: Object.keys(files),
    maxBytes,
    folder,
  });
  const sources = [...spooled.files].map(
    ([field, file]) => [field, sourceOf(field, file)] as const,
  );
  const counts = await run(context, id, Object.fromEntries(sources), { ...options, maxBytes });
  return options.dryRun ? { status: 200, body: counts } : { status: 204 };
}

/** A spooled file under the name of its form field, which is what errors call it. */
function sourceOf(field: string, { path }: SpooledFile): Source {
  return { file: field, bytes: bytesOf(path) };
}

// Opened when it is read: an import that is refused before that leaves no file open.
async function* bytesOf(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path);
}

function missing(field: string): never {
  throw invalidField(field, 'The file is missing.');
}

function flagIn(query: URLSearchParams, name: string, otherwise: boolean): boolean {
  const given = query.get(name);
  if (given === null || given === '') return otherwise;
  if (/^(true|1)$/i.test(given)) return true;
  if (/^(false|0)$/i.test(given)) return false;
  throw invalidField(name, 'It is true or false.');
}

const queryParameters = [
  {
    name: 'stale',
    in: 'query',
    required: false,
    description: 'Whether what the files no longer name becomes stale.',
    schema: { type: 'boolean', default: true },
  },
  {
    name: 'dry_run',
    in: 'query',
    required: false,
    description: 'Answer what would be done, and change nothing.',
    schema: { type: 'boolean', default: false },
  },
];

function form(files: Readonly<Record<string, string>>, required: readonly string[]): object {
  const properties = Object.entries(files).map(([name, description]) => [
    name,
    { type: 'string', format: 'binary', description },
  ]);
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 ? { required } : {}),
  };
}

const countsExample: ImportCounts = {
  ...{ created: 3, updated: 1, staled: 0, unchanged: 12 },
  lineage: { created: 2, ended: 0, unchanged: 5, unknown: 0 },
  tests: { created: 0, updated: 0, staled: 0, unchanged: 0, results: 0 },
  monitors: { created: 0, updated: 0, removed: 0, unchanged: 0, waiting: 0 },
};

const countsSchema = schemaLike(countsExample);

/** The schema of an object of whole numbers that has the fields of this one, and no others. */
function schemaLike(example: object): object {
  const properties = Object.entries(example).map(([name, value]) => [
    name,
    typeof value === 'object' ? schemaLike(value) : { type: 'integer' },
  ]);
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: Object.keys(example),
    additionalProperties: false,
  };
}
