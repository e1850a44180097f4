// Search in GraphQL.

import { builder } from '../../graphql/builder.ts';
import { shownOf } from '../../graphql/execution/shown-columns.ts';
import { statement, weighing } from '../../graphql/limits/weight.ts';
import { PageInfoType } from '../../graphql/page.ts';
import { closedSet } from '../../graphql/views/closed-set.ts';
import { maxPageSize } from '../../lists/page.ts';
import { parseKind } from '../kind.ts';
import { ResourceKind, ResourceRef } from '../schema.ts';
import { reading } from '../shown.ts';
import {
  type Highlight,
  highlightFields,
  highlightsOf,
  searchedIn,
  type TextSpan,
} from './highlight.ts';
import { type FacetCount, type Facets, type SearchHit, type SearchPage, search } from './search.ts';

const SpanType = builder.objectRef<TextSpan>('SearchMatch').implement({
  description: 'Where in a text a word of the search stands, in UTF-16 units.',
  fields: (t) => ({
    start: t.exposeInt('start', { description: 'Its first character, from 0.' }),
    end: t.exposeInt('end', { description: 'The character after its last.' }),
  }),
});

const SearchFieldEnum = closedSet('SearchField', {
  description: 'A field that is searched.',
  values: {
    title: 'The title.',
    description: 'The description.',
    definition: 'The documentation.',
  },
});

const HighlightType = builder.objectRef<Highlight>('SearchHighlight').implement({
  description: 'A piece of a text that holds words of the search.',
  fields: (t) => ({
    field: t.expose('field', { type: SearchFieldEnum, description: 'The field it is from.' }),
    text: t.exposeString('text', {
      description: 'The piece, as plain text, with an ellipsis where it was cut.',
    }),
    matches: t.field({
      type: [SpanType],
      description: 'Where in the piece the words stand.',
      resolve: ({ matches }) => [...matches],
    }),
  }),
});

const charactersPerField = 500;

const SearchHitType = builder.objectRef<SearchHit>('SearchHit').implement({
  description: 'A resource that answers a search.',
  fields: (t) => ({
    resource: t.field({
      type: ResourceRef,
      description: 'The resource.',
      resolve: ({ resource }) => resource,
    }),
    score: t.exposeFloat('score', {
      description:
        'How well it answers. From 6: its exact title; 5: how its title starts; 4: a part of it; ' +
        '3: words of it; 2: its description; 1: its documentation; 0: nearly its title. ' +
        'The fraction weighs verification and usage.',
    }),
    highlights: t.field({
      type: [HighlightType],
      description: 'Pieces of its texts in which the words occur; none where letters differ.',
      extensions: reading(...highlightFields),
      resolve: async ({ resource, terms }, _args, { allowance }) => {
        // To look through a long text takes as long as to answer many fields.
        await allowance?.scheduler?.spend(searchedIn(resource) / charactersPerField);
        return highlightsOf(resource, terms);
      },
    }),
  }),
});

const SearchEdgeType = builder.objectRef<SearchHit>('SearchEdge').implement({
  description: 'A hit with its cursor.',
  fields: (t) => ({
    node: t.field({ type: SearchHitType, description: 'The hit.', resolve: (hit) => hit }),
    cursor: t.exposeString('cursor', { description: 'Where the hit lies in the list.' }),
  }),
});

const FacetCountType = builder.objectRef<FacetCount>('FacetCount').implement({
  description: 'How many hits share a value.',
  fields: (t) => ({
    value: t.exposeString('value', { description: 'The value: a kind, or an id.' }),
    label: t.exposeString('label', { description: 'What people call it.' }),
    count: t.exposeInt('count', { description: 'How many hits have it.' }),
  }),
});

const FacetsType = builder.objectRef<Facets>('SearchFacets').implement({
  description:
    'The most frequent values among the hits, at most 50 of each. Where isCapped, they are those of the best 2,000.',
  fields: (t) => ({
    kind: t.field({
      type: [FacetCountType],
      description: 'Kinds of the hits.',
      resolve: ({ kind }) => [...kind],
    }),
    integration: t.field({
      type: [FacetCountType],
      description: 'Integrations that the hits came from.',
      resolve: ({ integration }) => [...integration],
    }),
    tag: t.field({
      type: [FacetCountType],
      description: 'Tags on the hits.',
      resolve: ({ tag }) => [...tag],
    }),
    team: t.field({
      type: [FacetCountType],
      description: 'Teams that hold the hits.',
      resolve: ({ team }) => [...team],
    }),
    owner: t.field({
      type: [FacetCountType],
      description: 'Users who own the hits.',
      resolve: ({ owner }) => [...owner],
    }),
  }),
});

const SearchConnection = builder.objectRef<SearchPage>('SearchConnection').implement({
  description: 'A page of what a search found, the best first.',
  fields: (t) => ({
    nodes: t.field({
      type: [SearchHitType],
      description: 'The hits of the page.',
      resolve: ({ hits }) => [...hits],
    }),
    edges: t.field({
      type: [SearchEdgeType],
      description: 'The hits of the page, each with its cursor.',
      resolve: ({ hits }) => [...hits],
    }),
    pageInfo: t.field({
      type: PageInfoType,
      description: 'Where the page lies in the list.',
      resolve: ({ hits, hasNextPage, hasPreviousPage }) => ({
        hasNextPage,
        hasPreviousPage,
        startCursor: hits[0]?.cursor ?? null,
        endCursor: hits.at(-1)?.cursor ?? null,
      }),
    }),
    totalCount: t.exposeInt('total', { description: 'How many hits there are, up to 2,000.' }),
    isCapped: t.exposeBoolean('isCapped', {
      description:
        'Whether more may match than are ranked: totalCount and facets then count those ranked.',
    }),
    facets: t.field({
      type: FacetsType,
      description: 'What the hits have in common.',
      extensions: weighing({ own: 10 * statement }),
      resolve: (page) => page.facets(),
    }),
  }),
});

builder.queryField('search', (t) =>
  t.field({
    type: SearchConnection,
    description:
      'Search titles, descriptions and documentation. Exact titles come first, then how titles ' +
      'start, parts of them, descriptions, documentation; few hits are filled up with titles ' +
      'that differ by a typo. Of words that very many titles hold, the most used resources are ranked.',
    args: {
      query: t.arg.string({ required: true, description: 'A few words: 1 to 200 characters.' }),
      kinds: t.arg({ type: [ResourceKind], description: 'Only these kinds.' }),
      integrationIds: t.arg.idList({ description: 'Only what came from one of these.' }),
      tagIds: t.arg.idList({ description: 'Only what has one of these tags.' }),
      teamIds: t.arg.idList({ description: 'Only what one of these teams holds.' }),
      ownerIds: t.arg.idList({ description: 'Only what one of these users owns.' }),
      first: t.arg.int({ description: `Hits on a page: 50 by default, at most ${maxPageSize}.` }),
      after: t.arg.string({ description: 'Cursor of the hit to go on from.' }),
    },
    extensions: weighing({ own: 10 * statement }),
    resolve: (_root, { kinds, ...query }, ctx, info) =>
      search(ctx, {
        ...query,
        kinds: kinds?.map((name) => parseKind(name, 'kinds')),
        shown: shownOf(info),
      }),
  }),
);
