// What notification rules name, as objects next to their ids.

import { builder } from '../graphql/builder.ts';
import { loadGroups, loadUsers } from '../people/loaders.ts';
import { GroupRef, UserRef } from '../people/schema.ts';
import { loadResources } from '../resources/loaders.ts';
import { ResourceRef } from '../resources/schema.ts';
import { TagRef } from '../tags/schema.ts';
import { loadTags } from '../tags/tag.ts';
import { TeamRef } from '../teams/schema.ts';
import { loadTeams } from '../teams/team.ts';
import { WebhookRef } from './webhooks/schema.ts';
import { loadWebhooks } from './webhooks/webhook.ts';

builder.prismaObjectFields('NotificationRule', (t) => ({
  resources: t.field({
    type: [ResourceRef],
    description: 'The resources that it is limited to, without those that are gone.',
    resolve: ({ resourceIds }, _args, ctx) => loadResources(ctx, resourceIds),
  }),
  tags: t.field({
    type: [TagRef],
    description: 'The tags that it is limited to.',
    resolve: ({ tagIds }, _args, ctx) => loadTags(ctx, tagIds),
  }),
  teams: t.field({
    type: [TeamRef],
    description: 'The teams that it is limited to.',
    resolve: ({ teamIds }, _args, ctx) => loadTeams(ctx, teamIds),
  }),
  webhooks: t.field({
    type: [WebhookRef],
    description:
      'Webhooks that are notified of it. Only admins may read webhooks; empty for others.',
    resolve: ({ webhookIds }, _args, ctx) => loadWebhooks(ctx, webhookIds),
  }),
  users: t.field({
    type: [UserRef],
    description: 'Users who are notified of it.',
    resolve: ({ userIds }, _args, ctx) => loadUsers(ctx, userIds),
  }),
  groups: t.field({
    type: [GroupRef],
    description: 'Groups whose members are notified of it.',
    resolve: ({ groupIds }, _args, ctx) => loadGroups(ctx, groupIds),
  }),
}));
