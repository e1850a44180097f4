// History of one resource in GraphQL: its log, its versions, and changes as they happen.

import { AuditLogConnection, AuditLogRef } from '../audit/schema.ts';
import { invalidField, notFound } from '../errors.ts';
import type { AuditLog, Resource } from '../generated/prisma/client.ts';
import { builder } from '../graphql/builder.ts';
import { pageArgs } from '../graphql/page.ts';
import { restOnly } from '../graphql/views/mark.ts';
import { readNow, watch, watchEach } from '../graphql/watch.ts';
import { isUuid } from '../text/uuid.ts';
import { loadResources } from './loaders.ts';
import { getResource } from './resource.ts';
import { listResourceLogs, type ResourceLog, readResourceLog } from './resource-log.ts';
import { ResourceRef, resourceAt, VersionRef } from './schema.ts';

const ResourceLogRef = builder.objectRef<ResourceLog>('ResourceLog').implement({
  description: 'A page of what was done to one resource, in two lists that are paged together.',
  fields: (t) => ({
    entries: t.field({
      type: [AuditLogRef],
      description: 'Entries that made no version of the documentation, newest first.',
      resolve: ({ entries }) => [...entries.nodes],
    }),
    versions: t.field({
      type: [VersionRef],
      description: 'Kept versions of the documentation, newest first.',
      resolve: ({ versions }) => [...versions.nodes],
    }),
    totalCount: t.int({
      description: 'How many rows the longer of the two lists has on all its pages.',
      resolve: async ({ entries, versions }) =>
        Math.max(...(await Promise.all([entries.count(), versions.count()]))),
    }),
  }),
});

builder.prismaObjectField('AuditLog', 'resource', (t) =>
  t.field(
    resourceAt(
      'What it was done to, as it is now; null where that is gone or no resource.',
      ({ resourceId }: AuditLog) => resourceId,
    ),
  ),
);

builder.queryFields((t) => ({
  resourceLogs: t.field({
    type: AuditLogConnection,
    nullable: true,
    description:
      'What was done to one resource, newest first; the versions of its documentation are its ' +
      '`versions`. Only admins may read it.',
    args: {
      resourceId: t.arg.id({ required: true, description: 'Id of the resource.' }),
      ...pageArgs,
    },
    resolve: (_root, { resourceId, ...args }, ctx) => listResourceLogs(ctx, resourceId, args),
  }),
  resourceLogPage: t.field({
    type: ResourceLogRef,
    nullable: true,
    description: 'What was done to one resource, newest first. Only admins may read it.',
    args: {
      resourceId: t.arg.id({ required: true, description: 'Id of the resource.' }),
      page: t.arg.int({ description: 'Number of the page, from 1.' }),
      pageSize: t.arg.int({ description: 'Rows on a page; 50 by default, at most 1,000.' }),
    },
    extensions: restOnly,
    resolve: (_root, { resourceId, ...args }, ctx) => readResourceLog(ctx, resourceId, args),
  }),
}));

/** Resources that one subscription watches at most. */
const maxWatched = 100;

builder.subscriptionField('resourcesChanged', (t) =>
  t.field({
    type: ResourceRef,
    description:
      'Each of several resources now, and after each change that is recorded in the audit log. Those ' +
      'that the viewer may not see, or no longer, are left out; NOT_FOUND where that is all of them.',
    args: {
      ids: t.arg.idList({ required: true, description: `Their ids: 1 to ${maxWatched}.` }),
    },
    subscribe: async (_root, { ids: given }, ctx) => {
      if (given.length < 1 || given.length > maxWatched) {
        throw invalidField('ids', `Use 1 to ${maxWatched} ids, not ${given.length}.`);
      }
      const ids = given.filter(isUuid).map((id) => id.toLowerCase());
      const found = await readNow(ctx, (now) => loadResources(now, ids));
      if (found.length === 0) throw notFound('Resource');
      return watchEach<Resource>(ctx, { topic: 'resource', ids, read: loadResources });
    },
    resolve: (resource) => resource,
  }),
);

builder.subscriptionField('resourceChanged', (t) =>
  t.field({
    type: ResourceRef,
    description: 'The resource now and after each change that is recorded in the audit log.',
    args: { id: t.arg.id({ required: true, description: 'Id of the resource.' }) },
    subscribe: (_root, { id }, ctx) =>
      watch<Resource>(ctx, {
        topic: 'resource',
        id: id.toLowerCase(),
        read: (now) => getResource(now, id, { archived: true }),
      }),
    resolve: (resource) => resource,
  }),
);
