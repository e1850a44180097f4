// The download of a list of resources as CSV, over REST.

import type { Context } from '../../context.ts';
import { invalidField } from '../../errors.ts';
import { parseKind } from '../../resources/kind.ts';
import { keptUntilRead, type Route } from '../../rest/route.ts';
import { linesOf, maxLines } from './csv-lines.ts';

/** `GET /resource/csv`: the resources that a filter holds for, a line each. */
export const csvRoute: Route<Context> = {
  method: 'GET',
  path: '/resource/csv',
  scope: 'READ',
  document: {
    operationId: 'DownloadResources',
    tag: 'Resources',
    summary: 'Download resources as CSV',
    description: `A line for each, by full name, ${maxLines.toLocaleString('en')} at most; \`PATCH /resource/csv\` takes it back.`,
    parameters: [
      {
        ...{ name: 'filter', in: 'query', required: false },
        description:
          'URL-encoded JSON: {operator, field, value}, or {operator: and | or | not, operands}.',
        schema: { type: 'string' },
      },
      {
        ...{ name: 'type', in: 'query', required: false },
        description: 'Only resources of this kind.',
        schema: { type: 'string' },
      },
      {
        ...{ name: 'columns', in: 'query', required: false },
        description:
          'Names of columns, separated by commas; all but `definition` and `url` without it.',
        schema: { type: 'string' },
      },
    ],
    responses: {
      200: {
        description: 'The resources, as lines.',
        content: { 'text/csv': { schema: { type: 'string' } } },
      },
    },
    errors: [400, 429],
  },
  async handle({ request, context, query, headers, keepPlace }) {
    const columns = query.get('columns');
    const kind = query.get('type');
    const lines = await linesOf(context, {
      filter: filterIn(query.get('filter')),
      ...(kind ? { kinds: [parseKind(kind, 'type')] } : {}),
      columns: columns ? columns.split(',').map((name) => name.trim()) : null,
    });
    headers.set('content-disposition', 'attachment; filename="resources.csv"');
    return {
      ...{ status: 200, linesType: 'text/csv; charset=utf-8' },
      lines: keptUntilRead({ request, keepPlace }, lines),
    };
  },
};

function filterIn(text: string | null): unknown {
  if (text === null || text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    throw invalidField('filter', 'Use JSON: {"operator", "field", "value"}.');
  }
}
