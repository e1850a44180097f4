// Reach of incidents in GraphQL, and why they were opened.

import { builder } from '../../graphql/builder.ts';
import { statement, weighing } from '../../graphql/limits/weight.ts';
import { loadUsers } from '../../people/loaders.ts';
import { UserRef } from '../../people/schema.ts';
import { loadResources } from '../../resources/loaders.ts';
import { ResourceRef } from '../../resources/schema.ts';
import { loadReasons } from '../loaders.ts';
import { type IncidentImpact, incidentImpact } from './impact.ts';

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

builder.prismaObjectFields('Incident', (t) => ({
  reasons: t.stringList({
    description: 'Why it was opened, in sentences: the value, and how its range came about.',
    resolve: (incident, _args, ctx) => loadReasons(ctx, incident),
  }),
  impact: t.field({
    type: IncidentImpactRef,
    description: 'What lies downstream of its target.',
    extensions: weighing({ own: 10 * statement }),
    resolve: (incident, _args, ctx) => incidentImpact(ctx, incident),
  }),
}));
