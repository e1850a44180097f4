// Search in GraphQL.

import { builder } from '../../graphql/builder.ts';
import { selects } from '../../graphql/execution/selection.ts';
import { shownOf } from '../../graphql/execution/shown-columns.ts';
import { statement, weighing } from '../../graphql/limits/weight.ts';
import { PageInfoType } from '../../graphql/page.ts';
import { closedSet } from '../../graphql/views/closed-set.ts';
import { maxPageSize } from '../../lists/page.ts';
import { parseKind } from '../kind.ts';
import { ResourceKind, ResourceRef } from '../schema.ts';
import { reading } from '../shown.ts';
import type { FacetCount, Facets } from './facets.ts';
import {
  type Highlight,
  highlightFields,
  highlightsOf,
  searchedIn,
  type TextSpan,
} from './highlight.ts';
import { matchedFields } from './matched.ts';
import type { ReadFilter } from './narrowing.ts';
import { type SearchHit, type SearchPage, search } from './search.ts';

const SpanType = builder.objectRef<TextSpan>('SearchMatch').implement({
  description: 'Where in a text a word of the search stands, in UTF-16 units.',
  fields: (t) => ({
    start: t.exposeInt('start', { description: 'Its first character, from 0.' }),
    end: t.exposeInt('end', { description: 'The character after its last.' }),
  }),
});

const SearchFieldEnum = closedSet('SearchField', {
  description: 'A text of a resource of which pieces are shown.',
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

const MatchedFieldEnum = closedSet('SearchMatchedField', {
  description: 'What of a resource a search found words in.',
  values: matchedFields,
});

const FilterType = builder.objectRef<ReadFilter>('SearchFilter').implement({
  description: 'A filter of a query, as it was understood.',
  fields: (t) => ({
    key: t.exposeString('key', { description: 'What it filters by, such as `tag`.' }),
    value: t.exposeString('value', {
      description: 'The value; with commas between several, of which one is enough.',
    }),
    isNot: t.exposeBoolean('isNot', { description: 'Whether it leaves out what has the value.' }),
    text: t.exposeString('text', { description: 'The filter as it stands in the query.' }),
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
        'How well it answers: higher is better. It is to be compared with other hits of the same search alone.',
    }),
    matchedFields: t.field({
      type: [MatchedFieldEnum],
      description: 'What of it the words were found in.',
      extensions: weighing({ own: 1 }),
      resolve: async ({ matchedFields: read }) => [...(await read())],
    }),
    highlights: t.field({
      type: [HighlightType],
      description: 'Pieces of its texts in which the words occur.',
      extensions: reading(...highlightFields),
      resolve: async ({ resource, phrase, sought }, _args, { allowance }) => {
        // To look through a long text takes as long as to answer many fields.
        await allowance?.scheduler?.spend(searchedIn(resource) / charactersPerField);
        return highlightsOf(resource, phrase, sought);
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
    isPartial: t.exposeBoolean('isPartial', {
      description: 'Whether no hit has all words: these are hits of some of them.',
    }),
    missingWords: t.field({
      type: ['String'],
      description: 'Where isPartial, the words that the best hit lacks.',
      resolve: ({ missingWords }) => [...missingWords],
    }),
    suggestion: t.exposeString('suggestion', {
      nullable: true,
      description:
        'The query with words spelled as the best hit has them, where it was found by these.',
    }),
    filters: t.field({
      type: [FilterType],
      description: 'The filters of the query, as they were understood.',
      resolve: ({ filters }) => [...filters],
    }),
    hints: t.field({
      type: ['String'],
      description: 'What is wrong with filters of the query, and what may have been meant.',
      resolve: ({ hints }) => [...hints],
    }),
    facets: t.field({
      type: FacetsType,
      description: 'What the hits have in common.',
      extensions: weighing({ own: 10 * statement }),
      resolve: (page) => page.facets(),
    }),
  }),
});

const facetFields: ReadonlySet<string> = new Set(['facets']);

builder.queryField('search', (t) =>
  t.field({
    type: SearchConnection,
    description:
      'Search titles, what resources lie in, kinds, tags, owners, teams, sources, columns, descriptions, documentation ' +
      'and SQL. Words may be in any of these; other spellings and fewer of the words fill up few hits. Filters stand ' +
      'in the query: `kind:table tag:pii,core owner:anna team:growth source:warehouse in:shop column:email ' +
      'title:orders description:daily is:verified has:incident no:owner`, each also with a minus before it. ' +
      '`"two words"` stand next to each other, and `-word` stands nowhere. Is:verified pii stale deprecated published owned; ' +
      'has and no: incident monitor owner tag team description documentation sql lineage.',
    args: {
      query: t.arg.string({
        required: true,
        description:
          'Words and filters, up to 200 characters; empty where the other arguments say what is searched for.',
      }),
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
        hasFacets: selects(info, facetFields),
      }),
  }),
);
