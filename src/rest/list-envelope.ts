// The list envelope: its types in the facade, its page numbers and its links.

import {
  GraphQLInt,
  GraphQLNonNull,
  type GraphQLNullableType,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLScalarType,
  GraphQLString,
  getNamedType,
} from 'graphql';
import type { Shape } from './operations/operation.ts';

/** Which page was asked for, and the URL that asked, with its own filters and without its page. */
export interface PageRequest {
  readonly page: number;
  readonly pageSize: number;
  readonly url: URL;
}

/** A selection of an operation, by its aliases. */
export type Selection = Readonly<Record<string, unknown>>;

/**
 * Put what a list operation selected into the documented envelope.
 * A page past the end is empty, and the page before it is the last one that isn't.
 */
export function envelope(shape: Shape, selection: Selection, request: PageRequest): Selection {
  const { page, url } = request;
  const count = typeof selection.count === 'number' ? selection.count : 0;
  const total_pages = Math.max(1, Math.ceil(count / request.pageSize));
  const previous_page = page > 1 ? Math.min(page - 1, total_pages) : null;
  const next_page = page < total_pages ? page + 1 : null;
  const numbers = { page, previous_page, next_page };
  const totals = { count, total_pages };
  const meta = shape === 'LIST' ? numbers : { ...numbers, ...totals };
  if (shape === 'LOG') return { ...selection, ...totals, meta };
  return {
    links: { next: linkTo(url, next_page), previous: linkTo(url, previous_page) },
    meta,
    ...totals,
    resource_totals: {},
    results: selection.results,
  };
}

function linkTo(url: URL, page: number | null): string | null {
  if (page === null) return null;
  const link = new URL(url);
  link.searchParams.set('page', String(page));
  return link.href;
}

const int = { type: new GraphQLNonNull(GraphQLInt) };
const linkTypes = new GraphQLObjectType({
  name: 'PageLinks',
  fields: {
    next: { type: GraphQLString, description: 'Absolute URL of the next page; null on the last.' },
    previous: { type: GraphQLString, description: 'The same for the page before.' },
  },
});
const numberTypes = {
  page: { ...int, description: 'The number of this page, from 1.' },
  previous_page: { type: GraphQLInt, description: 'Null on the first page.' },
  next_page: { type: GraphQLInt, description: 'Null on the last page.' },
};
const totalTypes = {
  count: { ...int, description: 'How many records all pages have.' },
  total_pages: { ...int, description: 'How many pages there are, at least one.' },
};
const metaType = new GraphQLObjectType({ name: 'PageMeta', fields: numberTypes });
const auditMetaType = new GraphQLObjectType({
  name: 'PageMetaWithTotals',
  fields: { ...numberTypes, ...totalTypes },
});

/** The type of an object without fields, which GraphQL has no other way to say. */
export const emptyObject = new GraphQLScalarType({
  name: 'EmptyObject',
  description: 'An object without fields.',
});

/** What the fields of an envelope are like when one page has it all. */
export const envelopeExamples = new Map([
  ['PageLinks', { next: null, previous: null }],
  ['PageMeta', { page: 1, previous_page: null, next_page: null }],
  [
    'PageMetaWithTotals',
    { page: 1, previous_page: null, next_page: null, count: 1, total_pages: 1 },
  ],
]);

/** What the LOG shape adds to the fields that its operation selects. */
export const logTypes = { ...totalTypes, meta: { type: new GraphQLNonNull(auditMetaType) } };

/** The type of the envelope around a list of records. */
export function envelopeType(
  shape: Shape,
  results: GraphQLNullableType & GraphQLOutputType,
): GraphQLObjectType {
  const audit = shape === 'AUDIT_LIST';
  return new GraphQLObjectType({
    name: `${getNamedType(results).name}${audit ? 'AuditList' : 'List'}`,
    fields: {
      links: { type: new GraphQLNonNull(linkTypes) },
      meta: { type: new GraphQLNonNull(audit ? auditMetaType : metaType) },
      ...totalTypes,
      // An old strict client wants this object, though nothing is in it.
      resource_totals: { type: new GraphQLNonNull(emptyObject) },
      results: { type: new GraphQLNonNull(results) },
    },
  });
}
