// Notification rules in GraphQL.

import { builder, type InputFields } from '../graphql/builder.ts';
import { createArgs, deleteArgs, updateArgs } from '../graphql/mutation-args.ts';
import { connectionOf, pageArgs } from '../graphql/page.ts';
import { IncidentSeverityEnum, MetricTypeEnum } from '../monitors/enum-schema.ts';
import { NotificationEventEnum } from './event-schema.ts';
import { missingOf } from './missing-channel.ts';
import { createRule, deleteRule, listRules, updateRule } from './rule.ts';

const RuleRef = builder.prismaObject('NotificationRule', {
  fields: (t) => ({
    id: t.exposeID('id'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
    version: t.exposeInt('version'),
    name: t.exposeString('name'),
    isEnabled: t.exposeBoolean('isEnabled'),
    events: t.expose('events', { type: [NotificationEventEnum] }),
    resourceIds: t.exposeIDList('resourceIds'),
    tagIds: t.exposeIDList('tagIds'),
    teamIds: t.exposeIDList('teamIds'),
    upstream: t.exposeBoolean('upstream'),
    severities: t.expose('severities', { type: [IncidentSeverityEnum] }),
    metricTypes: t.expose('metricTypes', { type: [MetricTypeEnum] }),
    monitorIds: t.exposeIDList('monitorIds'),
    hoursFrom: t.exposeInt('hoursFrom', { nullable: true }),
    hoursUntil: t.exposeInt('hoursUntil', { nullable: true }),
    hoursDays: t.exposeIntList('hoursDays'),
    chatChannels: t.exposeStringList('chatChannels'),
    emails: t.exposeStringList('emails'),
    webhookIds: t.exposeIDList('webhookIds'),
    userIds: t.exposeIDList('userIds'),
    groupIds: t.exposeIDList('groupIds'),
    warnings: t.stringList({
      description:
        'Why some of those whom it names are not notified, such as email without a mail server.',
      resolve: async (rule, _args, ctx) => [...(await missingOf(ctx, rule)).values()],
    }),
  }),
});

const fields = (t: InputFields) => ({
  isEnabled: t.boolean({ description: 'False pauses it.' }),
  events: t.field({
    type: [NotificationEventEnum],
    description: 'What it notifies of: incidents, opened and resolved, by default.',
  }),
  resourceIds: t.idList({ description: 'On these resources, or within them.' }),
  tagIds: t.idList({ description: 'On resources with one of these tags.' }),
  teamIds: t.idList({ description: 'On resources of one of these teams.' }),
  upstream: t.boolean({ description: 'Incidents upstream of such resources count as well.' }),
  severities: t.field({
    type: [IncidentSeverityEnum],
    description: 'Only incidents of these severities; failures of monitors have none.',
  }),
  metricTypes: t.field({
    type: [MetricTypeEnum],
    description: 'Only incidents and failures of monitors of these metrics.',
  }),
  monitorIds: t.idList({ description: 'Only incidents and failures of these monitors.' }),
  hoursFrom: t.int({
    description:
      'The hour at which it begins to send, 0 to 23, in the time zone of the workspace; what ' +
      'happens before is held until then. The inbox is not.',
    extensions: { form: { minimum: 0, maximum: 23 } },
  }),
  hoursUntil: t.int({
    description: 'The hour at which it ends to send, 1 to 24.',
    extensions: { form: { minimum: 1, maximum: 24 } },
  }),
  hoursDays: t.intList({
    description: 'The days on which it sends, from 0 for Monday to 6; with none, on all.',
  }),
  chatChannels: t.stringList({ description: 'Ids of chat channels to notify.' }),
  emails: t.stringList({ description: 'Email addresses to notify.' }),
  webhookIds: t.idList({
    description: 'Webhooks to send it to, in addition to the events that they ask for themselves.',
  }),
  userIds: t.idList({
    description: 'Users to notify in their inbox and by email, as far as they may see it.',
  }),
  groupIds: t.idList({ description: 'Groups whose members are notified in the same way.' }),
});

const about =
  'Who is notified of which incidents and changes, in addition to owners and subscribers. ' +
  'With no resource, tag or team, of all.';

const CreateRuleInput = builder.inputType('CreateNotificationRuleInput', {
  description: `${about} What is absent takes its default.`,
  fields: (t) => ({
    name: t.string({ required: true, description: 'Its name.' }),
    ...fields(t),
  }),
});

const UpdateRuleInput = builder.inputType('UpdateNotificationRuleInput', {
  description: `${about} What is absent stays as it is.`,
  fields: (t) => ({ name: t.string({ description: 'Its name.' }), ...fields(t) }),
});

const RuleConnection = connectionOf('NotificationRule', RuleRef);

builder.queryField('notificationRules', (t) =>
  t.field({
    type: RuleConnection,
    description: 'Notification rules, by name. Editors may read them.',
    args: pageArgs,
    resolve: (_root, args, ctx) => listRules(ctx, args),
  }),
);

builder.mutationFields((t) => ({
  createNotificationRule: t.field({
    type: RuleRef,
    description: 'Make a notification rule. Editors may.',
    args: createArgs(CreateRuleInput),
    resolve: (_root, args, ctx) => createRule(ctx, args.input),
  }),
  updateNotificationRule: t.field({
    type: RuleRef,
    description: 'Change a notification rule. Editors may.',
    args: updateArgs('rule', UpdateRuleInput),
    resolve: (_root, args, ctx) => updateRule(ctx, args.id, args.input, args.expectedVersion),
  }),
  deleteNotificationRule: t.field({
    type: RuleRef,
    description: 'Delete a notification rule; answers what it was. Editors may.',
    args: deleteArgs('rule'),
    resolve: (_root, args, ctx) => deleteRule(ctx, args.id, args.expectedVersion),
  }),
}));
