// The audit log over REST as lines: more than a page of JSON could hold.

import { mustBeAllowed } from '../auth/permission.ts';
import type { Context } from '../context.ts';
import { invalidField } from '../errors.ts';
import { keptUntilRead, type Route } from '../rest/route.ts';
import { exportLog } from './export.ts';

const mostPositions = 2_147_483_647;

const link = {
  type: 'object',
  required: ['form', 'sealed_at', 'previous', 'hash'],
  properties: {
    form: { type: 'integer' },
    sealed_at: { type: 'string', format: 'date-time' },
    previous: { type: 'string' },
    hash: { type: 'string' },
  },
};
const schema = {
  type: 'object',
  required: ['workspace_id', 'position', 'entry', 'seal'],
  properties: {
    workspace_id: { type: 'string', format: 'uuid' },
    position: { type: 'integer' },
    entry: { type: ['object', 'null'] },
    seal: link,
  },
};

/** `GET /activity_log/audit_logs/export`: the sealed entries with their links, a line each. */
export const exportRoute: Route<Context> = {
  method: 'GET',
  path: '/activity_log/audit_logs/export',
  scope: 'ADMIN',
  document: {
    operationId: 'ExportAuditLogs',
    tag: 'Audit log',
    summary: 'Export the sealed entries with their chain of hashes',
    description:
      'A line of JSON for each entry, in the order of the chain. Only admins may read it.',
    parameters: [
      {
        ...{ name: 'after', in: 'query', required: false },
        description: 'Go on after this `position`, that of the last line you have.',
        schema: { type: 'integer', minimum: 0, maximum: mostPositions, default: 0 },
      },
    ],
    responses: {
      200: {
        description: 'The entries, as lines.',
        content: { 'application/x-ndjson': { schema } },
      },
    },
    errors: [400, 429],
  },
  async handle({ request, context, query, keepPlace }) {
    mustBeAllowed(context, 'read the audit log');
    const after = positionIn(query.get('after') ?? '0');
    const lines = exportLog(context, after);
    return { status: 200, lines: keptUntilRead({ request, keepPlace }, lines) };
  },
};

function positionIn(text: string): number {
  const position = /^\d{1,10}$/.test(text) ? Number(text) : -1;
  if (position >= 0 && position <= mostPositions) return position;
  throw invalidField('after', `Use a whole number from 0 to ${mostPositions}.`);
}
