// Connections in GraphQL, with page numbers.

import { maxPageSize, type Page, totalPages } from '../lists/page.ts';
import { builder } from './builder.ts';
import { statement, weighing } from './limits/weight.ts';
import { restOnly } from './views/mark.ts';

type Types = (typeof builder)['$inferSchemaTypes'];
type NodeRef<Row> =
  | PothosSchemaTypes.ObjectRef<Types, Row, Row>
  | PothosSchemaTypes.InterfaceRef<Types, Row, Row>;

/** The arguments of every list: cursors for people, numbers of pages for REST. */
export const pageArgs = builder.args((t) => ({
  first: t.int({
    description: `How many rows, from the start or after \`after\`; 0 to ${maxPageSize}.`,
  }),
  after: t.string({ description: 'Cursor of the row to go on from.' }),
  last: t.int({ description: 'How many rows, from the end or before `before`.' }),
  before: t.string({ description: 'Cursor of the row to go back from.' }),
  page: t.int({
    description: 'Number of the page, from 1, instead of cursors.',
    extensions: restOnly,
  }),
  pageSize: t.int({
    description: `Rows on a numbered page; 50 by default, at most ${maxPageSize}.`,
    extensions: restOnly,
  }),
}));

interface PageInfo {
  hasNextPage: boolean;
  hasPreviousPage: boolean;
  startCursor: string | null;
  endCursor: string | null;
}

/** Where a page lies, for every connection. */
export const PageInfoType = builder.objectRef<PageInfo>('PageInfo').implement({
  description: 'Where a page lies in its list.',
  fields: (t) => ({
    hasNextPage: t.exposeBoolean('hasNextPage', { description: 'Whether more rows follow.' }),
    hasPreviousPage: t.exposeBoolean('hasPreviousPage', { description: 'Whether rows precede.' }),
    startCursor: t.exposeString('startCursor', {
      nullable: true,
      description: 'Cursor of the first row, to go back with `before`.',
    }),
    endCursor: t.exposeString('endCursor', {
      nullable: true,
      description: 'Cursor of the last row, to go on with `after`.',
    }),
  }),
});

interface Edge<Row> {
  node: Row;
  cursor: string;
}

function edgeOf<Row>(name: string, node: NodeRef<Row>) {
  return builder.objectRef<Edge<Row>>(`${name}Edge`).implement({
    description: `One row of a ${name}Connection.`,
    fields: (t) => ({
      node: t.field({ type: node, description: 'The row.', resolve: (edge) => edge.node as never }),
      cursor: t.exposeString('cursor', { description: 'Where the row lies in the list.' }),
    }),
  });
}

/**
 * Define `<name>Connection` over pages of `node`: nodes, edges and pageInfo, the total count (counted
 * only when it is asked for), and for REST the numbers of the page and its neighbours.
 */
export function connectionOf<Row>(name: string, node: NodeRef<Row>) {
  const EdgeType = edgeOf(name, node);
  return builder.objectRef<Page<Row>>(`${name}Connection`).implement({
    description: `A page of a list of ${name} rows.`,
    fields: (t) => ({
      // The `never`s below: Pothos cannot tell that a generic reference resolves to its own row.
      nodes: t.field({
        type: [node],
        description: 'The rows of the page.',
        resolve: (page) => page.nodes as never,
      }),
      edges: t.field({
        type: [EdgeType],
        description: 'The rows of the page, each with its cursor.',
        resolve: (page) => edges(page) as never,
      }),
      pageInfo: t.field({
        type: PageInfoType,
        description: 'Where the page lies in the list.',
        resolve: pageInfo,
      }),
      totalCount: t.int({
        description: 'How many rows the whole list has.',
        extensions: weighing({ own: statement }),
        resolve: (page) => page.count(),
      }),
      totalPages: t.int({
        description: 'How many pages of this size the whole list has; at least one.',
        extensions: { ...restOnly, ...weighing({ own: statement }) },
        resolve: async (page) => totalPages(await page.count(), page.size),
      }),
      page: t.exposeInt('number', {
        description: 'Number of this page, from 1.',
        extensions: restOnly,
      }),
      previousPage: t.int({
        nullable: true,
        description: 'Number of the page before; null on the first page.',
        extensions: restOnly,
        resolve: (page) => (page.number > 1 ? page.number - 1 : null),
      }),
      nextPage: t.int({
        nullable: true,
        description: 'Number of the page after; null on the last page.',
        extensions: restOnly,
        resolve: (page) => (page.hasNextPage ? page.number + 1 : null),
      }),
    }),
  });
}

function edges<Row>(page: Page<Row>): Edge<Row>[] {
  return page.nodes.map((node, i) => ({ node, cursor: page.cursorAt(i) ?? '' }));
}

function pageInfo(page: Page<unknown>): PageInfo {
  return {
    hasNextPage: page.hasNextPage,
    hasPreviousPage: page.hasPreviousPage,
    startCursor: page.cursorAt(0),
    endCursor: page.cursorAt(-1),
  };
}
