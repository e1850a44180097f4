// Reviews over REST: a manifest of any size comes as a file.

import { mustBeAllowed } from '../auth/permission.ts';
import type { Context } from '../context.ts';
import { invalidField } from '../errors.ts';
import type { ReachedList } from '../lineage/impact/impact.ts';
import { loadResources } from '../resources/loaders.ts';
import type { Route } from '../rest/route.ts';
import { bytesOf, receiveUpload } from '../rest/upload.ts';
import type { ModelChange } from './compare.ts';
import { type Review, reviewManifest } from './review.ts';

/** Where uploads are kept while they are read, and how large they may be. */
export interface ReviewLimits {
  readonly maxBytes: number;
  readonly folder: string;
}

const ids = { type: 'array', items: { type: 'string', format: 'uuid' } };
const titles = { type: 'array', items: { type: 'string' } };
const change = {
  type: 'object',
  additionalProperties: false,
  required: ['name', 'reasons', 'added_columns', 'removed_columns', 'changed_columns'],
  properties: {
    name: { type: 'string' },
    reasons: titles,
    added_columns: titles,
    removed_columns: titles,
    changed_columns: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['name', 'before', 'after'],
        properties: {
          name: { type: 'string' },
          before: { type: 'string' },
          after: { type: 'string' },
        },
      },
    },
  },
};
const changes = { type: 'array', items: change };
const properties = {
  added: changes,
  removed: changes,
  changed: changes,
  unchanged: { type: 'integer' },
  columns: titles,
  tables: titles,
  others: titles,
  possible: titles,
  truncated: { type: 'boolean', description: 'Whether there is more than these lists hold.' },
  owners: ids,
  monitors: ids,
  open_incidents: ids,
  unknown: titles,
  markdown: { type: 'string' },
};
const schema = {
  type: 'object',
  additionalProperties: false,
  required: Object.keys(properties),
  properties,
};

/** `POST /lineage/impact`: what a change of a transformation project would reach. */
export function reviewRoute({ maxBytes, folder }: ReviewLimits): Route<Context> {
  return {
    method: 'POST',
    path: '/lineage/impact',
    scope: 'READ',
    document: {
      operationId: 'ImpactOfManifest',
      tag: 'Lineage',
      summary: 'Review a change of a transformation project before it is made',
      description: 'Compares a manifest that is not imported with the catalog. Writes nothing.',
      requestBody: {
        required: true,
        content: {
          'multipart/form-data': {
            schema: {
              type: 'object',
              required: ['manifest'],
              properties: {
                manifest: { type: 'string', format: 'binary', description: 'manifest.json' },
                base: {
                  type: 'string',
                  format: 'binary',
                  description: 'The manifest.json to compare with, instead of the catalog.',
                },
                integration_id: {
                  type: 'string',
                  format: 'uuid',
                  description: 'The project, where the workspace has several.',
                },
              },
            },
          },
        },
      },
      responses: {
        200: {
          description: 'What the change does and reaches.',
          content: { 'application/json': { schema, example } },
        },
      },
      errors: [400, 408, 413, 415, 507],
    },
    async handle({ request, context, meetUnknown }) {
      mustBeAllowed(context, 'read integrations');
      const rules = {
        files: ['manifest', 'base'],
        fields: ['integration_id'],
        meetUnknown,
        maxBytes,
        folder,
      };
      await using upload = await receiveUpload(request, rules);
      const [file] = upload.files.get('manifest') ?? [];
      if (!file) throw invalidField('manifest', 'Send a manifest.json.');
      const source = { file: 'manifest', bytes: bytesOf(file) };
      const [former] = upload.files.get('base') ?? [];
      const base = former && { file: 'base', bytes: bytesOf(former) };
      const integrationId = upload.fields.get('integration_id');
      const review = await reviewManifest(context, source, {
        ...{ integrationId, maxBytes, base },
      });
      return { status: 200, body: await recordOf(context, review) };
    },
  };
}

const example = {
  added: [],
  removed: [],
  changed: [
    {
      name: 'shop.main.revenue',
      reasons: ['its SQL changed'],
      added_columns: [],
      removed_columns: ['total'],
      changed_columns: [],
    },
  ],
  unchanged: 12,
  columns: [],
  tables: [],
  others: ['Revenue per day'],
  possible: [],
  truncated: false,
  owners: [],
  monitors: [],
  open_incidents: [],
  unknown: [],
  markdown: '### Impact of this change\n',
};

async function recordOf(ctx: Context, review: Review) {
  const { comparison, impact, owners, monitors, incidents, unknown, markdown } = review;
  const titlesOf = async (list: ReachedList | undefined) =>
    (await loadResources(ctx, list?.ids ?? [])).map(({ titleFull }) => titleFull);
  return {
    added: comparison.added.map(changeRecord),
    removed: comparison.removed.map(changeRecord),
    changed: comparison.changed.map(changeRecord),
    unchanged: comparison.unchanged,
    columns: await titlesOf(impact?.columns),
    tables: await titlesOf(impact?.tables),
    others: await titlesOf(impact?.others),
    possible: await titlesOf(impact?.possible),
    truncated: (impact?.truncatedReason ?? null) !== null,
    owners: owners.map(({ id }) => id),
    monitors: monitors.map(({ id }) => id),
    open_incidents: incidents.map(({ id }) => id),
    unknown,
    markdown,
  };
}

function changeRecord({ name, reasons, added, removed, changed }: ModelChange) {
  return {
    name,
    reasons,
    added_columns: added,
    removed_columns: removed,
    changed_columns: changed,
  };
}
