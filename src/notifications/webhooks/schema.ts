// Webhooks and their delivery log in GraphQL.

import type { Notification } from '../../generated/prisma/client.ts';
import { builder, type InputFields } from '../../graphql/builder.ts';
import { weighing } from '../../graphql/limits/weight.ts';
import { createArgs, deleteArgs, idArgs, updateArgs } from '../../graphql/mutation-args.ts';
import { NodeRef } from '../../graphql/node-ref.ts';
import { connectionOf, pageArgs } from '../../graphql/page.ts';
import {
  DeliveryEventEnum,
  DeliveryStateEnum,
  WebhookEventEnum,
  WebhookFormatEnum,
} from '../event-schema.ts';
import type { Attempt } from './attempt.ts';
import { loadAttempts, loadDeliveries, redeliver, testWebhook } from './delivery-log.ts';
import { rotateWebhookSecret } from './rotate-secret.ts';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  type KnownWebhook,
  listWebhooks,
  updateWebhook,
  type WebhookWithSecret,
} from './webhook.ts';

const AttemptRef = builder.prismaObject('WebhookAttempt', {
  fields: (t) => ({
    id: t.exposeID('id'),
    startedAt: t.expose('startedAt', { type: 'DateTime' }),
    durationMs: t.exposeInt('durationMs'),
    status: t.exposeInt('status', { nullable: true }),
    error: t.exposeString('error', { nullable: true }),
    answer: t.exposeString('answer', { nullable: true }),
  }),
});

const DeliveryRef = builder.objectRef<Notification>('WebhookDelivery').implement({
  description: 'Something that was sent to a webhook, or is to be.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The `webhook-id` of its requests, the same each time.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was written.' }),
    event: t.expose('event', { type: DeliveryEventEnum, description: 'What happened.' }),
    body: t.exposeString('body', { nullable: true, description: 'What is sent, to the letter.' }),
    state: t.expose('state', { type: DeliveryStateEnum, description: 'What came of it.' }),
    deliveredAt: t.expose('deliveredAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the webhook took it.',
    }),
    attempts: t.field({
      type: [AttemptRef],
      description: 'The requests, in order; the latest 100.',
      resolve: ({ id }, _args, ctx) => loadAttempts(ctx, id),
    }),
  }),
});

const DeliveryConnection = connectionOf('WebhookDelivery', DeliveryRef);

export const WebhookRef = builder.objectRef<KnownWebhook>('Webhook').implement({
  interfaces: [NodeRef],
  description: 'An address of another program that is sent what happens, signed.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Unique identifier.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
    version: t.exposeInt('version', {
      description: 'Its version, from 1: each change adds one.',
    }),
    name: t.exposeString('name', { description: 'What people call it.' }),
    url: t.exposeString('url', { description: 'Where requests go.' }),
    format: t.expose('format', {
      type: WebhookFormatEnum,
      description: 'In which form it is sent what happens.',
    }),
    isEnabled: t.exposeBoolean('isEnabled', {
      description: 'False while nothing is sent to it.',
    }),
    disabledReason: t.exposeString('disabledReason', {
      nullable: true,
      description: 'Why the server disabled it; null where a person did, and while it is enabled.',
    }),
    previousUntil: t.expose('previousUntil', {
      type: 'DateTime',
      nullable: true,
      description: 'Until when requests are signed with the secret before as well.',
    }),
    events: t.expose('events', {
      type: [WebhookEventEnum],
      description: 'Events of the whole workspace that it is sent; rules may name it for more.',
    }),
    deliveries: t.field({
      type: DeliveryConnection,
      description: 'What was sent to it, newest first.',
      args: pageArgs,
      resolve: ({ id }, args, ctx) => loadDeliveries(ctx, id, args),
    }),
  }),
});

const WithSecretRef = builder.objectRef<WebhookWithSecret>('WebhookWithSecret').implement({
  description: 'A webhook whose secret was made just now.',
  fields: (t) => ({
    webhook: t.field({
      type: WebhookRef,
      description: 'The webhook.',
      resolve: ({ webhook }) => webhook,
    }),
    secret: t.exposeString('secret', {
      description:
        'What its requests are signed with. It is shown only once: keep it. Empty where a service has its own key.',
    }),
  }),
});

const TestRef = builder.objectRef<Attempt>('WebhookTest').implement({
  description: 'The result of testing a webhook.',
  fields: (t) => ({
    ok: t.boolean({
      description: 'Whether the webhook took it.',
      resolve: ({ failure }) => failure === null,
    }),
    status: t.exposeInt('status', {
      nullable: true,
      description: 'Status of the answer; null where none came.',
    }),
    durationMs: t.exposeInt('durationMs', { description: 'How long it took, in milliseconds.' }),
    reason: t.string({
      description: 'The result, in words.',
      resolve: ({ failure, status }) => failure?.message ?? `The webhook took it (${status}).`,
    }),
  }),
});

const fields = (t: InputFields) => ({
  isEnabled: t.boolean({ description: 'False: nothing is sent to it.' }),
  events: t.field({
    type: [WebhookEventEnum],
    description: 'Events of the whole workspace that it is sent.',
  }),
});
const words = { name: 'What people call it.', url: 'Where requests go, http or https.' };

const CreateWebhookInput = builder.inputType('CreateWebhookInput', {
  description: 'A webhook to make: what is absent takes its default.',
  fields: (t) => ({
    name: t.string({ required: true, description: words.name }),
    url: t.string({ required: true, description: words.url }),
    format: t.field({
      type: WebhookFormatEnum,
      description: 'In which form; our own unless given.',
    }),
    key: t.string({
      description:
        'The key of the service, for pagerduty and opsgenie. It is sealed, and shown no more.',
    }),
    ...fields(t),
  }),
});

const UpdateWebhookInput = builder.inputType('UpdateWebhookInput', {
  description: 'What to change of a webhook: absent leaves alone.',
  fields: (t) => ({
    name: t.string({ description: words.name }),
    url: t.string({ description: words.url }),
    ...fields(t),
  }),
});

const WebhookConnection = connectionOf('Webhook', WebhookRef);

builder.queryFields((t) => ({
  webhooks: t.field({
    type: WebhookConnection,
    description: 'Webhooks, by name. Only admins may read them.',
    args: pageArgs,
    resolve: (_root, args, ctx) => listWebhooks(ctx, args),
  }),
  webhook: t.field({
    type: WebhookRef,
    nullable: true,
    description: 'One webhook. Only admins may read it.',
    args: { id: t.arg.id({ required: true, description: 'Its id.' }) },
    resolve: (_root, { id }, ctx) => getWebhook(ctx, id),
  }),
}));

builder.mutationFields((t) => ({
  createWebhook: t.field({
    type: WithSecretRef,
    description: 'Make a webhook; its secret is shown this once. Only admins may.',
    args: createArgs(CreateWebhookInput),
    resolve: (_root, args, ctx) => createWebhook(ctx, args.input),
  }),
  updateWebhook: t.field({
    type: WebhookRef,
    description: 'Change a webhook. Only admins may.',
    args: updateArgs('webhook', UpdateWebhookInput),
    resolve: (_root, args, ctx) => updateWebhook(ctx, args.id, args.input, args.expectedVersion),
  }),
  deleteWebhook: t.field({
    type: WebhookRef,
    description: 'Delete a webhook with its log; answers what it was. Only admins may.',
    args: deleteArgs('webhook'),
    resolve: (_root, args, ctx) => deleteWebhook(ctx, args.id, args.expectedVersion),
  }),
  rotateWebhookSecret: t.field({
    type: WithSecretRef,
    description:
      'Give a webhook another secret, used from now on; requests are signed with the one before as well for some hours. Only admins may.',
    args: {
      ...idArgs('webhook'),
      overlapHours: t.arg.int({
        description: 'Hours that the old secret goes on; 24 where absent, 0 ends it at once.',
      }),
    },
    resolve: (_root, { id, overlapHours }, ctx) => rotateWebhookSecret(ctx, id, overlapHours),
  }),
  testWebhook: t.field({
    type: TestRef,
    description: 'Send a signed `ping` to a webhook at once. Only admins may.',
    args: idArgs('webhook'),
    extensions: weighing({ own: 1_000 }),
    resolve: (_root, args, ctx) => testWebhook(ctx, args.id),
  }),
  redeliverWebhook: t.field({
    type: DeliveryRef,
    description: 'Send something once more, under the id it had. Only admins may.',
    args: { deliveryId: t.arg.id({ required: true, description: 'Id of the delivery.' }) },
    resolve: (_root, { deliveryId }, ctx) => redeliver(ctx, deliveryId),
  }),
}));
