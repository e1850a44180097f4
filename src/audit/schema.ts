// In charge of the audit log in GraphQL.

import { builder } from '../graphql/builder.ts';
import { filterOf, sortOf } from '../graphql/filter.ts';
import { connectionOf, pageArgs } from '../graphql/page.ts';
import { auditFields, listAuditLogs } from './audit.ts';

export const AuditLogRef = builder.prismaObject('AuditLog', {
  fields: (t) => ({
    id: t.exposeID('id'),
    parentId: t.exposeID('parentId', { nullable: true }),
    activityType: t.exposeString('activityType'),
    performerId: t.exposeID('performerId', { nullable: true }),
    performerType: t.exposeString('performerType'),
    performerMetadata: t.expose('performerMetadata', { type: 'JSON' }),
    resourceId: t.exposeID('resourceId', { nullable: true }),
    resourceType: t.exposeString('resourceType', { nullable: true }),
    resourceMetadata: t.expose('resourceMetadata', { type: 'JSON' }),
    relatedResourceIds: t.exposeIDList('relatedResourceIds'),
    relatedResourceType: t.exposeString('relatedResourceType', { nullable: true }),
    eventBlocks: t.expose('eventBlocks', { type: 'JSON' }),
    versionHistoryId: t.exposeID('versionHistoryId', { nullable: true }),
    isLegacy: t.exposeBoolean('isLegacy'),
    loggedAt: t.expose('loggedAt', { type: 'DateTime' }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
  }),
});

export const AuditLogConnection = connectionOf('AuditLog', AuditLogRef);

const AuditLogFilter = filterOf('AuditLog', auditFields);
const AuditLogSort = sortOf('AuditLog');

builder.queryField('auditLogs', (t) =>
  t.field({
    type: AuditLogConnection,
    description: 'What was done in the workspace, newest first. Only admins may read it.',
    args: {
      ...pageArgs,
      filter: t.arg({ type: AuditLogFilter, description: 'Only those that it holds for.' }),
      sort: t.arg({ type: [AuditLogSort], description: 'Order, the most significant term first.' }),
    },
    resolve: (_root, { filter, sort, ...args }, ctx) => listAuditLogs(ctx, { filter, sort }, args),
  }),
);
