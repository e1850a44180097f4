// What only glossary terms have, in GraphQL.

import { knownUser } from '../../auth/permission.ts';
import { builder } from '../../graphql/builder.ts';
import { shownOf } from '../../graphql/execution/shown-columns.ts';
import { pageArgs } from '../../graphql/page.ts';
import { TermRef } from '../kind-schema.ts';
import { loadHeld } from '../lists/held.ts';
import { heldArgs } from '../lists/where-schema.ts';
import { ResourceConnection } from '../schema.ts';
import { reading } from '../shown.ts';
import { loadRelatedTerms, maxRelated } from './related-terms.ts';
import { TermStatusEnum } from './term-status-schema.ts';

builder.prismaObjectFields(TermRef, (t) => ({
  synonyms: t.exposeStringList('synonyms'),
  termStatus: t.field({
    type: TermStatusEnum,
    description: 'How far people agree on it.',
    extensions: reading('termStatus'),
    resolve: ({ termStatus }) => termStatus ?? 'draft',
  }),
  formula: t.exposeString('formula', {
    nullable: true,
    description: 'How it is computed; null where nothing is said.',
  }),
  nextReviewAt: t.expose('nextReviewAt', {
    type: 'DateTime',
    nullable: true,
    description: 'When people are to look at it again; null for no time.',
  }),
  approvedAt: t.expose('approvedAt', {
    type: 'DateTime',
    nullable: true,
    description: 'When it was approved; null unless it is.',
  }),
  approvedById: t.id({
    nullable: true,
    description:
      'The user who approved it; null where a source did, and for those who may not know of users.',
    extensions: reading('approvedById'),
    resolve: ({ approvedById }, _args, ctx) => knownUser(ctx, approvedById),
  }),
  relatedTerms: t.field({
    type: [TermRef],
    description:
      'Terms that people linked with it, those that it names in a custom property of the type `resource`, ' +
      `and those that name it there, by title; ${maxRelated} at most.`,
    extensions: reading(),
    resolve: async ({ id }, _args, ctx) =>
      (await loadRelatedTerms(ctx, id)).map(({ term }) => term),
  }),
  relatedTermIds: t.idList({
    description:
      'Those of its related terms that people linked with it. They are changed on either of the two.',
    extensions: reading(),
    resolve: async ({ id }, _args, ctx) =>
      (await loadRelatedTerms(ctx, id))
        .filter(({ isLinked }) => isLinked)
        .map(({ term }) => term.id),
  }),
  linkedResources: t.field({
    type: ResourceConnection,
    description:
      'What names it in a custom property of the type `resource`, such as the columns that it explains.',
    extensions: reading(),
    args: { ...pageArgs, ...heldArgs },
    resolve: ({ id }, { where, orderBy, ...args }, ctx, info) =>
      loadHeld(ctx, id, { as: 'naming a term', where, orderBy, shown: shownOf(info) }, args),
  }),
}));
