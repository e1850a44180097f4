// The integrations that other things name, and of what names integrations' teams, besides the ids.

import { builder } from '../graphql/builder.ts';
import { ApiKeyRef } from '../people/key-schema.ts';
import { TeamRef } from '../teams/schema.ts';
import { loadTeams } from '../teams/team.ts';
import { loadIntegration } from './integration.ts';
import { IntegrationRef } from './schema.ts';

builder.prismaObjectField('Tag', 'integration', (t) =>
  t.field({
    type: IntegrationRef,
    nullable: true,
    description: 'The integration that brought it, for those who may read integrations.',
    resolve: ({ integrationId }, _args, ctx) => loadIntegration(ctx, integrationId),
  }),
);

builder.prismaObjectField('Integration', 'teams', (t) =>
  t.field({
    type: [TeamRef],
    description: 'Teams that hold what it brings.',
    resolve: ({ teamIds }, _args, ctx) => loadTeams(ctx, teamIds),
  }),
);

builder.objectField(ApiKeyRef, 'integration', (t) =>
  t.field({
    type: IntegrationRef,
    nullable: true,
    description: 'The only integration that it imports into; null means any.',
    resolve: ({ integrationId }, _args, ctx) => loadIntegration(ctx, integrationId),
  }),
);
