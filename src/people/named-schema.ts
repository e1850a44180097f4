// The people whom resources, questions and the audit log name, besides their ids.

import { builder } from '../graphql/builder.ts';
import { shownOf } from '../graphql/execution/shown-columns.ts';
import { weighing } from '../graphql/limits/weight.ts';
import { pageArgs } from '../graphql/page.ts';
import { ValueRef } from '../properties/schema.ts';
import { AnnouncementRef } from '../resources/announcements/schema.ts';
import { CommentRef } from '../resources/comments/schema.ts';
import { QuestionRef, TermRef } from '../resources/kind-schema.ts';
import { loadHeld } from '../resources/lists/held.ts';
import { heldArgs } from '../resources/lists/where-schema.ts';
import { ResourceConnection } from '../resources/schema.ts';
import { listSavedSearches } from '../resources/search/saved/saved-search.ts';
import { SavedSearchRef } from '../resources/search/saved/schema.ts';
import { reading } from '../resources/shown.ts';
import { listRecent } from '../resources/usage.ts';
import { loadUser } from './loaders.ts';
import { UserRef, ViewerRef } from './schema.ts';

builder.prismaInterfaceFields('Resource', (t) => ({
  createdBy: t.field({
    type: UserRef,
    nullable: true,
    description: 'The user who created it; null when an import did.',
    extensions: reading('createdById'),
    resolve: ({ createdById }, _args, ctx) => loadUser(ctx, createdById),
  }),
  lastModifiedBy: t.field({
    type: UserRef,
    nullable: true,
    description: 'The user who last modified it.',
    extensions: reading('multiplayerLastModifiedBy'),
    resolve: ({ multiplayerLastModifiedBy }, _args, ctx) =>
      loadUser(ctx, multiplayerLastModifiedBy),
  }),
}));

builder.prismaObjectField(CommentRef, 'author', (t) =>
  t.field({
    type: UserRef,
    nullable: true,
    description: 'The user who wrote it; null for those who may not know of users.',
    resolve: ({ authorId }, _args, ctx) => loadUser(ctx, authorId),
  }),
);

builder.prismaObjectField(AnnouncementRef, 'author', (t) =>
  t.field({
    type: UserRef,
    nullable: true,
    description: 'The user who wrote it; null for those who may not know of users.',
    resolve: ({ authorId }, _args, ctx) => loadUser(ctx, authorId),
  }),
);

builder.prismaObjectField('User', 'ownedResources', (t) =>
  t.field({
    type: ResourceConnection,
    description: 'Resources that the user owns, by title unless ordered otherwise.',
    args: { ...pageArgs, ...heldArgs },
    resolve: ({ id }, { where, orderBy, ...args }, ctx, info) =>
      loadHeld(ctx, id, { as: 'owned by user', where, orderBy, shown: shownOf(info) }, args),
  }),
);

builder.prismaObjectField('Group', 'ownedResources', (t) =>
  t.field({
    type: ResourceConnection,
    description: 'Resources that the group owns, by title unless ordered otherwise.',
    args: { ...pageArgs, ...heldArgs },
    resolve: ({ id }, { where, orderBy, ...args }, ctx, info) =>
      loadHeld(ctx, id, { as: 'owned by group', where, orderBy, shown: shownOf(info) }, args),
  }),
);

/** Few people keep more. */
const usualSearches = 10;

builder.objectFields(ViewerRef, (t) => ({
  owned: t.field({
    type: ResourceConnection,
    description:
      'Resources that the user owns, or a group of theirs, by title unless ordered otherwise.',
    args: { ...pageArgs, ...heldArgs },
    resolve: ({ id }, { where, orderBy, ...args }, ctx, info) =>
      loadHeld(ctx, id, { as: 'owned by viewer', where, orderBy, shown: shownOf(info) }, args),
  }),
  recent: t.field({
    type: ResourceConnection,
    description: 'Resources that the user opened, the latest first; at most 100.',
    args: pageArgs,
    resolve: (_viewer, args, ctx, info) => listRecent(ctx, shownOf(info), args),
  }),
  bookmarks: t.field({
    type: ResourceConnection,
    description: 'Resources that the user bookmarked, by title unless ordered otherwise.',
    args: { ...pageArgs, ...heldArgs },
    resolve: ({ id }, { where, orderBy, ...args }, ctx, info) =>
      loadHeld(ctx, id, { as: 'bookmarked by user', where, orderBy, shown: shownOf(info) }, args),
  }),
  savedSearches: t.field({
    type: [SavedSearchRef],
    description: 'Searches that the user keeps, by name; at most 100.',
    extensions: weighing({ items: usualSearches }),
    resolve: (_viewer, _args, ctx) => listSavedSearches(ctx),
  }),
  subscribed: t.field({
    type: ResourceConnection,
    description:
      'Resources of whose changes the user is notified, by title unless ordered otherwise.',
    args: { ...pageArgs, ...heldArgs },
    resolve: ({ id }, { where, orderBy, ...args }, ctx, info) =>
      loadHeld(
        ctx,
        id,
        { as: 'subscribed to by user', where, orderBy, shown: shownOf(info) },
        args,
      ),
  }),
}));

builder.objectField(ValueRef, 'user', (t) =>
  t.field({
    type: UserRef,
    nullable: true,
    description: 'The user that a value of the type `user` names.',
    resolve: ({ property, value }, _args, ctx) =>
      loadUser(ctx, property.valueType === 'user' ? value : null),
  }),
);

builder.prismaObjectFields(QuestionRef, (t) => ({
  answeredBy: t.field({
    type: UserRef,
    nullable: true,
    description: 'The user who answered.',
    extensions: reading('answeredById'),
    resolve: ({ answeredById }, _args, ctx) => loadUser(ctx, answeredById),
  }),
  assignedTo: t.field({
    type: UserRef,
    nullable: true,
    description: 'The user who is asked to answer.',
    extensions: reading('assignedToId'),
    resolve: ({ assignedToId }, _args, ctx) => loadUser(ctx, assignedToId),
  }),
}));

builder.prismaObjectField(TermRef, 'approvedBy', (t) =>
  t.field({
    type: UserRef,
    nullable: true,
    description: 'The user who approved it; null where a source did.',
    extensions: reading('approvedById'),
    resolve: ({ approvedById }, _args, ctx) => loadUser(ctx, approvedById),
  }),
);

builder.prismaObjectField('ResourceVersion', 'author', (t) =>
  t.field({
    type: UserRef,
    nullable: true,
    description: 'The user who wrote it; null when an import brought it.',
    resolve: ({ authorId }, _args, ctx) => loadUser(ctx, authorId),
  }),
);

builder.prismaObjectField('AuditLog', 'performer', (t) =>
  t.field({
    type: UserRef,
    nullable: true,
    description: 'Who did it, as the user is now; null for the server, and where the user is gone.',
    resolve: ({ performerId }, _args, ctx) => loadUser(ctx, performerId),
  }),
);
