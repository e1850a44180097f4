// The tools that read resources: what each is given, and what it says of itself.

import { z } from 'zod';
import { after, filter, first, id, ids, maxNodes, maxRows, maxWords, oneOf } from './input.ts';
import type { Tool } from './tool.ts';

/** Filters of search that are arguments, each a filter of the query of the same name. */
const filters = {
  tag: filter.describe('Such as pii.'),
  owner: filter.describe('Name of a person or group.'),
  team: filter,
  source: filter.describe('Name of an integration.'),
  in: filter.describe('What it lies in.'),
  column: filter.describe('Tables with such a column.'),
  is: z.enum(['verified', 'pii', 'stale', 'deprecated', 'published', 'owned']).optional(),
  has: z.enum(['incident', 'monitor', 'owner', 'tag', 'description', 'sql', 'lineage']).optional(),
  no: z.enum(['owner', 'monitor', 'tag', 'description', 'documentation', 'lineage']).optional(),
};
const given = z.object({ query: z.string(), ...filters });

/** The tools that read resources by name, in the order in which they are listed. */
export const catalogTools: readonly (readonly [string, Tool])[] = [
  [
    'search',
    {
      title: 'Search the catalog',
      description:
        'Find tables, columns, dashboards, documents, questions and glossary terms by words of their titles, parents, ' +
        'kinds, tags, owners, columns, descriptions or SQL, by filters, or both. Filters alone list all that they ' +
        'hold for: {"kinds": ["dashboard"]}. Filters in the query are kind:table tag:pii in:shop -word "two words". ' +
        'Example: {"query": "customers", "tag": "pii", "kinds": ["table"]}.',
      input: z.strictObject({
        query: z.string().max(maxWords).default('').describe('Words.'),
        kinds: z.array(oneOf('ResourceKind')).max(maxRows).optional().describe('Only these kinds.'),
        ...filters,
        first,
        after,
      }),
      variables: searchOf,
    },
  ],
  [
    'get_resource',
    {
      title: 'Read a resource',
      description:
        'Everything about one resource: documentation, owners, tags, last load, tests, monitors, open incidents. ' +
        'Where it has no owner, those of its parents count. Example: {"id": "core.fct_orders"}.',
      names: ['id'],
      input: z.strictObject({ id }),
      missing: 'Resource not found.',
    },
  ],
  [
    'get_resources',
    {
      title: 'Read several resources',
      description:
        'What several resources are, who owns them (or else their parents), their tags and open incidents. ' +
        'Example: {"ids": ["core.fct_orders", "core.dim_customers"]}.',
      names: ['ids'],
      input: z.strictObject({ ids }),
      variables: ({ ids }) => ({ ids, first: maxRows }),
    },
  ],
  [
    'health',
    {
      title: 'Say whether data is fresh and sound',
      description:
        'When tables were last loaded and last run, the results of their tests, their monitors and open incidents. ' +
        'Example: {"ids": ["core.fct_orders"]}.',
      names: ['ids'],
      input: z.strictObject({ ids }),
      variables: ({ ids }) => ({ ids, first: maxRows }),
    },
  ],
  [
    'get_sql',
    {
      title: 'Read the SQL of a table',
      description:
        'The SQL that makes a table or view, what that reads, and queries that were run on it, as samples. ' +
        'Example: {"id": "core.fct_orders"}.',
      names: ['id'],
      titled: true,
      input: z.strictObject({ id, first: z.int().min(0).max(maxRows).default(5) }),
      variables: ({ id, first }, named) => {
        const title = named.get(String(id))?.title ?? '';
        return { id, first, words: title.slice(0, maxWords) };
      },
      missing: 'Resource not found.',
    },
  ],
  [
    'get_columns',
    {
      title: 'List the columns of a table',
      description:
        'The columns of a table in their order, with types and descriptions; `childrenCount` says how ' +
        'many there are. Example: {"id": "shop.public.orders", "first": 50}.',
      names: ['id'],
      input: z.strictObject({ id, first: z.int().min(1).max(maxNodes).default(maxRows) }),
      missing: 'Table not found.',
    },
  ],
  [
    'find_columns',
    {
      title: 'Find columns',
      description:
        'Columns whose name, description or tag has a keyword, in a table, schema or database, or in all. ' +
        'Example: {"keyword": "email", "of": "shop.public"}.',
      names: ['of'],
      input: z.strictObject({
        keyword: z.string().min(1).max(maxWords).optional(),
        of: id.optional().describe('What they lie in.'),
        pii: z.boolean().optional().describe('Whether they hold personal information.'),
        first,
        after,
      }),
      variables: ({ keyword, of, pii, ...page }) => {
        const text = { contains: keyword };
        const any = [{ title: text }, { description: text }, { tags: { some: { name: text } } }];
        return {
          ...page,
          where: {
            ...(keyword === undefined ? {} : { or: any }),
            ...(of === undefined ? {} : { within: of }),
            ...(pii === undefined ? {} : { pii }),
          },
        };
      },
    },
  ],
];

function searchOf(asked: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { query, ...known } = given.parse(asked);
  const terms = Object.entries(known).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}:"${value.replaceAll('"', ' ')}"`],
  );
  const { kinds, first, after } = asked;
  return { query: [query, ...terms].join(' ').trim(), kinds, first, after };
}
