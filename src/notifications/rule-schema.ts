// In charge of notification rules in GraphQL.

import { builder } from '../graphql/builder.ts';
import { versionArgs } from '../graphql/expected-version.ts';
import { events } from './event.ts';
import { createRule, deleteRule, listRules, updateRule } from './rule.ts';

const RuleRef = builder.prismaObject('NotificationRule', {
  fields: (t) => ({
    id: t.exposeID('id'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
    version: t.exposeInt('version'),
    name: t.exposeString('name'),
    isEnabled: t.exposeBoolean('isEnabled'),
    events: t.exposeStringList('events'),
    resourceIds: t.exposeIDList('resourceIds'),
    tagIds: t.exposeIDList('tagIds'),
    teamIds: t.exposeIDList('teamIds'),
    upstream: t.exposeBoolean('upstream'),
    chatChannels: t.exposeStringList('chatChannels'),
    emails: t.exposeStringList('emails'),
    webhookIds: t.exposeIDList('webhookIds'),
    userIds: t.exposeIDList('userIds'),
    groupIds: t.exposeIDList('groupIds'),
  }),
});

const RuleInputType = builder.inputType('NotificationRuleInput', {
  description:
    'Who is told of which incidents and changes, beside those who own or subscribe to what is ' +
    'concerned. With no resource, tag or team, of all; absent fields take the default or leave alone.',
  fields: (t) => ({
    name: t.string({ description: 'Its name.' }),
    isEnabled: t.boolean({ description: 'False pauses it.' }),
    events: t.stringList({
      description: `Some of ${events.join(', ')}; the first two by default.`,
    }),
    resourceIds: t.idList({ description: 'On these resources, or within them.' }),
    tagIds: t.idList({ description: 'On resources with one of these tags.' }),
    teamIds: t.idList({ description: 'On resources of one of these teams.' }),
    upstream: t.boolean({ description: 'Incidents upstream of such resources count as well.' }),
    chatChannels: t.stringList({ description: 'Ids of chat channels to notify.' }),
    emails: t.stringList({ description: 'Email addresses to notify.' }),
    webhookIds: t.idList({
      description: 'Webhooks to send it to, beside the events that they ask for themselves.',
    }),
    userIds: t.idList({
      description: 'Users to notify in their inbox and by email, as far as they may see it.',
    }),
    groupIds: t.idList({ description: 'Groups whose members are notified in the same way.' }),
  }),
});

builder.queryField('notificationRules', (t) =>
  t.field({
    type: [RuleRef],
    description: 'All notification rules, by name. Editors may read them.',
    resolve: (_root, _args, ctx) => listRules(ctx),
  }),
);

builder.mutationFields((t) => {
  const id = t.arg.id({ required: true, description: 'Id of the rule.' });
  const input = t.arg({ type: RuleInputType, required: true, description: 'Its fields.' });
  return {
    createNotificationRule: t.field({
      type: RuleRef,
      description: 'Make a notification rule. Editors may.',
      args: { input },
      resolve: (_root, args, ctx) => createRule(ctx, args.input),
    }),
    updateNotificationRule: t.field({
      type: RuleRef,
      description: 'Change a notification rule. Editors may.',
      args: { id, input, ...versionArgs },
      resolve: (_root, args, ctx) => updateRule(ctx, args.id, args.input, args.expectedVersion),
    }),
    deleteNotificationRule: t.field({
      type: RuleRef,
      description: 'Delete a notification rule; answers what it was. Editors may.',
      args: { id, ...versionArgs },
      resolve: (_root, args, ctx) => deleteRule(ctx, args.id, args.expectedVersion),
    }),
  };
});
