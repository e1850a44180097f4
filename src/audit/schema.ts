// The audit log in GraphQL.

import { builder } from '../graphql/builder.ts';
import { filterOf, sortOf } from '../graphql/filter.ts';
import { connectionOf, pageArgs } from '../graphql/page.ts';
import { restOnly } from '../graphql/views/mark.ts';
import {
  conditionOf,
  IdCondition,
  orderByOf,
  TextCondition,
  TimeCondition,
  whereOf,
} from '../graphql/where.ts';
import {
  AuditActivityEnum,
  AuditCredentialEnum,
  PerformerTypeEnum,
  words,
} from './activity-schema.ts';
import type { FieldChange } from './changes.ts';
import { auditFields, auditOrder, listAuditLogs } from './list.ts';
import {
  blocksOf,
  changesIn,
  type EventBlock,
  type Performer,
  performerOf,
  type Thing,
  thingOf,
} from './metadata.ts';

const PerformerRef = builder.objectRef<Performer>('AuditPerformer').implement({
  description: 'Who did what an entry of the audit log says, as they were then.',
  fields: (t) => ({
    id: t.exposeID('id', { nullable: true, description: 'Id of the user; null for the server.' }),
    email: t.exposeString('email', { description: 'Address of the user.' }),
    firstName: t.exposeString('first_name', { description: 'First name of the user.' }),
    lastName: t.exposeString('last_name', { description: 'Last name of the user.' }),
    name: t.exposeString('name', { description: 'Both names, or the address without one.' }),
  }),
});

const ThingRef = builder.objectRef<Thing>('AuditSubject').implement({
  description: 'What something was done to, as it was then; all null where there is no such thing.',
  fields: (t) => ({
    id: t.exposeID('id', { nullable: true, description: 'Its id.' }),
    title: t.exposeString('title', { nullable: true, description: 'Its title.' }),
    name: t.exposeString('name', { nullable: true, description: 'The same as its title.' }),
    icon: t.exposeString('icon', { nullable: true, description: 'Its icon.' }),
    type: t.exposeString('type', { nullable: true, description: 'What kind of thing it is.' }),
    integrationId: t.exposeID('integration_id', {
      nullable: true,
      description: 'Integration it belongs to.',
    }),
  }),
});

const EventBlockRef = builder.objectRef<EventBlock>('AuditEventBlock').implement({
  description: 'A part of an entry in words.',
  fields: (t) => ({
    type: t.exposeString('type', { description: 'What the part is, such as `text`.' }),
    style: t.exposeString('style', { description: 'How to show it, such as `normal`.' }),
    value: t.exposeString('value', { description: 'The words.' }),
  }),
});

const ChangeRef = builder.objectRef<FieldChange>('AuditChange').implement({
  description: 'A field that was changed. Long values are cut, and values of secrets never kept.',
  fields: (t) => ({
    field: t.exposeString('field', { description: 'The field, as GraphQL names it.' }),
    before: t.expose('before', {
      type: 'JSON',
      nullable: true,
      description: 'What it was; null where there was nothing.',
    }),
    after: t.expose('after', {
      type: 'JSON',
      nullable: true,
      description: 'What it is now; null where there is nothing.',
    }),
    note: t.exposeString('note', {
      nullable: true,
      description: 'What of the values is not shown; null where all is.',
    }),
  }),
});

export const AuditLogRef = builder.prismaObject('AuditLog', {
  fields: (t) => ({
    id: t.exposeID('id'),
    sequence: t.field({
      type: 'SafeInt',
      description: 'Number of the entry, in the order in which entries were written.',
      resolve: ({ sequence }) => Number(sequence),
    }),
    parentId: t.exposeID('parentId', { nullable: true }),
    activityType: t.expose('activityType', { type: AuditActivityEnum }),
    performerId: t.exposeID('performerId', { nullable: true }),
    performerType: t.expose('performerType', { type: PerformerTypeEnum }),
    performerMetadata: t.field({
      type: PerformerRef,
      description: 'Who did it, as they were then.',
      resolve: performerOf,
    }),
    requestId: t.exposeString('requestId', { nullable: true }),
    clientAddress: t.exposeString('clientAddress', { nullable: true }),
    credential: t.expose('credential', { type: AuditCredentialEnum, nullable: true }),
    keyId: t.exposeID('keyId', { nullable: true }),
    resourceId: t.exposeID('resourceId', { nullable: true }),
    resourceType: t.exposeString('resourceType', { nullable: true }),
    resourceMetadata: t.field({
      type: ThingRef,
      description: 'What it was done to, as it was then.',
      resolve: thingOf,
    }),
    relatedResourceIds: t.exposeIDList('relatedResourceIds'),
    relatedResourceType: t.exposeString('relatedResourceType', { nullable: true }),
    eventBlocks: t.field({
      type: [EventBlockRef],
      description: 'The entry in words.',
      resolve: blocksOf,
    }),
    versionHistoryId: t.exposeID('versionHistoryId', { nullable: true }),
    resourceVersion: t.exposeInt('resourceVersion', { nullable: true }),
    changedFields: t.exposeStringList('changedFields'),
    changes: t.field({
      type: [ChangeRef],
      description: 'What was changed, field by field.',
      resolve: changesIn,
    }),
    isLegacy: t.exposeBoolean('isLegacy', { extensions: restOnly }),
    loggedAt: t.expose('loggedAt', { type: 'DateTime' }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
  }),
});

export const AuditLogConnection = connectionOf('AuditLog', AuditLogRef);

const AuditLogWhere = whereOf('AuditLog', {
  id: { type: IdCondition, about: 'Its id.' },
  parentId: { type: IdCondition, about: 'The entry that it is part of.' },
  activityType: { type: conditionOf('AuditActivity', AuditActivityEnum), about: 'What was done.' },
  performerId: { type: IdCondition, about: 'The user who did it.' },
  performerType: { type: conditionOf('PerformerType', PerformerTypeEnum), about: 'Who did it.' },
  performerEmail: { type: TextCondition, about: 'Address of that user at that time.' },
  performerName: { type: TextCondition, about: 'Name of that user at that time.' },
  keyId: { type: IdCondition, about: 'The API key that the request came with.' },
  requestId: { type: TextCondition, about: 'The request that asked for it.' },
  clientAddress: { type: TextCondition, about: 'Address that the request came from.' },
  credential: { type: TextCondition, about: 'Kind of what let it be done, such as `API_KEY`.' },
  resourceId: { type: IdCondition, about: 'What it was done to.' },
  resourceType: { type: TextCondition, about: 'Kind of what it was done to.' },
  resourceTitle: { type: TextCondition, about: 'Title of what it was done to, at that time.' },
  loggedAt: { type: TimeCondition, about: 'When it was done.' },
});

const AuditLogOrderBy = orderByOf('AuditLog', auditOrder);

const AuditLogFilter = filterOf('AuditLog', auditFields);
const AuditLogSort = sortOf('AuditLog');

builder.queryField('auditLogs', (t) =>
  t.field({
    type: AuditLogConnection,
    description: 'What was done in the workspace, newest first. Only admins may read it.',
    args: {
      ...pageArgs,
      filter: t.arg({ type: AuditLogFilter, description: 'Only those that it holds for.' }),
      where: t.arg({ type: AuditLogWhere, description: 'Only those that it holds for.' }),
      orderBy: t.arg({ type: [AuditLogOrderBy], description: 'Order, instead of sort.' }),
      sort: t.arg({ type: [AuditLogSort], description: 'Order, the most significant term first.' }),
    },
    resolve: (_root, { filter, sort, where, orderBy, ...args }, ctx) =>
      listAuditLogs(ctx, { filter, words, sort, where, orderBy }, args),
  }),
);
