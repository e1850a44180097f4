// Reach of incidents in GraphQL, and why they were opened.

import { builder } from '../../graphql/builder.ts';
import { statement, weighing } from '../../graphql/limits/weight.ts';
import { graphqlOnly } from '../../graphql/views/mark.ts';
import { loadUsers } from '../../people/loaders.ts';
import { UserRef } from '../../people/schema.ts';
import { loadResources } from '../../resources/loaders.ts';
import { ResourceRef } from '../../resources/schema.ts';
import { loadReasons } from '../loaders.ts';
import type { FailingSample } from '../scans/reading.ts';
import { failingRowsOf } from './failing-rows.ts';
import { type IncidentImpact, loadImpact } from './impact.ts';

const IncidentImpactRef = builder.objectRef<IncidentImpact>('IncidentImpact').implement({
  description: 'What is made from the target of an incident.',
  fields: (t) => ({
    count: t.exposeInt('count', { description: 'How many resources lie downstream.' }),
    isMore: t.exposeBoolean('isMore', { description: 'Whether there are more than were counted.' }),
    resources: t.field({
      type: [ResourceRef],
      description: 'The nearest of them; 20 at most.',
      resolve: ({ resourceIds }, _args, ctx) => loadResources(ctx, resourceIds),
    }),
    owners: t.field({
      type: [UserRef],
      description: 'Who owns those, the nearest first.',
      resolve: ({ ownerIds }, _args, ctx) => loadUsers(ctx, ownerIds),
    }),
  }),
});

const FailingRowsRef = builder.objectRef<FailingSample>('FailingRows').implement({
  description: 'Some rows that fail a check.',
  fields: (t) => ({
    columns: t.stringList({
      description: 'Names of the columns; 50 at most.',
      resolve: ({ columns }) => [...columns],
    }),
    rows: t.field({
      type: 'JSON',
      description:
        'The rows, 20 at most: each a list of texts in the order of the columns, 200 characters each, and null where it has none.',
      resolve: ({ rows }) => rows,
    }),
  }),
});

builder.prismaObjectFields('Incident', (t) => ({
  failingRows: t.field({
    type: FailingRowsRef,
    nullable: true,
    description:
      'Some of the rows that fail, of an open incident of a check, where its integration keeps them; for those who ' +
      'may write SQL for the source, null for all others.',
    extensions: { ...graphqlOnly, ...weighing({ own: statement }) },
    resolve: (incident, _args, ctx) => failingRowsOf(ctx, incident),
  }),
  reasons: t.stringList({
    description: 'Why it was opened, in sentences: the value, and how its range came about.',
    resolve: (incident, _args, ctx) => loadReasons(ctx, incident),
  }),
  impact: t.field({
    type: IncidentImpactRef,
    description: 'What lies downstream of its target.',
    extensions: weighing({ own: 10 * statement }),
    resolve: (incident, _args, ctx) => loadImpact(ctx, incident),
  }),
}));
