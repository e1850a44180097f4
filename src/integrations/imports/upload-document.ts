// What the OpenAPI document says of uploads: their form, their answers and their headers.

import type { ImportReport } from './options.ts';

/** The operation that reads a job, whose record is the answer of an upload in the background. */
export const readJob = 'GetBackgroundJob';

const jobHeader = {
  'X-Job-Id': {
    description: 'The job of the import. Errors carry it as well, once there is one.',
    schema: { type: 'string', format: 'uuid' },
  },
};

const lineageHeader = {
  'X-Lineage-Job-Id': {
    description:
      'The job that still reads column lineage from the SQL of the tables; absent where none is.',
    schema: { type: 'string', format: 'uuid' },
  },
};

const backgroundHeaders = {
  Location: {
    description: 'Where the job is read.',
    schema: { type: 'string', format: 'uri-reference' },
  },
  'Preference-Applied': { description: '`respond-async`', schema: { type: 'string' } },
};

/** What an upload answers, by status. */
export function uploadAnswers(): Record<string, object> {
  return {
    200: {
      description:
        'Changes that the upload would make; only for `dry_run=true`, and nothing has changed. `changes` says one by one, ' +
        'for the first 200 resources, what becomes of each (`staled`, `updated` or `created`, in this ' +
        'order) and which fields change.',
      headers: jobHeader,
      content: { 'application/json': { schema: reportSchema, example: reportExample } },
    },
    202: {
      description:
        'The import has begun and goes on in the background; only for `Prefer: respond-async` or ' +
        '`async=true`. What becomes of it is said by the job.',
      headers: { ...jobHeader, ...backgroundHeaders },
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/BackgroundJobStatus' },
          example: jobExample,
        },
      },
    },
    204: {
      description: 'Done; there is no content.',
      headers: { ...jobHeader, ...lineageHeader },
    },
  };
}

const flag = (name: string, otherwise: boolean, description: string) => ({
  ...{ name, in: 'query', required: false, description },
  schema: { type: 'boolean', default: otherwise },
});

/** What an upload can be given besides its files. */
export const uploadParameters = [
  flag('stale', true, 'Whether what the files no longer name becomes stale.'),
  flag('force', false, 'Import it also where most of the integration becomes stale.'),
  flag('dry_run', false, 'Answer what would be done, and change nothing.'),
  flag('async', false, 'Answer 202 once the import has begun, as `Prefer: respond-async` does.'),
  {
    name: 'Prefer',
    in: 'header',
    required: false,
    description: '`respond-async` (RFC 7240): answer 202 once the import has begun.',
    schema: { type: 'string' },
  },
];

/** The form of an upload. */
export function uploadForm(
  files: Readonly<Record<string, string>>,
  required: readonly string[],
): object {
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

const jobExample = {
  id: '3e0a1c5e-6c0d-4a36-9d2c-0c7f8f0a3c51',
  user: 'a1dedd3e-73de-4bb8-be09-ebab1bc0d596',
  failed: false,
  started: '2026-11-20T13:00:39.981Z',
  completed: null,
  logs: '',
  title: 'CSV import into Warehouse',
  has_artifact: false,
  state: 'running',
  progress_step: 'writing resources',
  progress_done: 20_000,
  progress_total: 100_000,
  last_error: null,
  result: null,
};

const reportExample: ImportReport = {
  ...{ created: 3, updated: 1, staled: 0, unchanged: 12 },
  shared: { claimed: 1, left: 0, merged: 0 },
  taken: {
    count: 1,
    first: [
      {
        ...{ key: 'shop.orders', kind: 'table' },
        from: { id: 'a1dedd3e-73de-4bb8-be09-ebab1bc0d596', kind: 'dashboard', title: 'Orders' },
      },
    ],
  },
  lineage: { created: 2, ended: 0, unchanged: 5, unknown: 0 },
  tests: { created: 0, updated: 0, staled: 0, unchanged: 0, results: 0 },
  monitors: { created: 0, updated: 0, removed: 0, unchanged: 0, waiting: 0 },
  ignored: [{ sort: 'functions', count: 2 }],
  problems: ['1 owner is neither a user nor a group of this workspace: ana@example.com.'],
  changes: [
    {
      action: 'updated',
      kind: 'table',
      title: 'shop.public.orders',
      fields: ['description'],
      of: '',
    },
  ],
};

const reportSchema = schemaLike(reportExample);

/** The schema of what has the form of this: the fields of its objects, and no others. */
function schemaLike(example: unknown): object {
  if (typeof example === 'string') return { type: 'string' };
  if (typeof example !== 'object' || example === null) return { type: 'integer' };
  if (Array.isArray(example)) return { type: 'array', items: schemaLike(example[0]) };
  const properties = Object.entries(example).map(([name, value]) => [name, schemaLike(value)]);
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: Object.keys(example),
    additionalProperties: false,
  };
}
