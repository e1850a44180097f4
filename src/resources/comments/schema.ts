// Comments on resources in GraphQL.

import { isAllowed, knownUser } from '../../auth/permission.ts';
import { builder } from '../../graphql/builder.ts';
import { createArgs, deleteArgs, updateArgs } from '../../graphql/mutation-args.ts';
import { connectionOf, pageArgs } from '../../graphql/page.ts';
import { resourceAt } from '../schema.ts';
import { reading } from '../shown.ts';
import {
  createComment,
  deleteComment,
  listComments,
  loadComments,
  updateComment,
} from './resource-comment.ts';

export const CommentRef = builder.prismaObject('Comment', {
  fields: (t) => ({
    id: t.exposeID('id'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
    version: t.exposeInt('version'),
    text: t.exposeString('text'),
    authorId: t.id({
      nullable: true,
      description: 'The user who wrote it; null for those who may not know of users.',
      resolve: ({ authorId }, _args, ctx) => knownUser(ctx, authorId),
    }),
    mayChange: t.boolean({
      description: 'Whether the viewer may change its text: its author may.',
      resolve: ({ authorId }, _args, ctx) =>
        authorId === ctx.viewer.id && isAllowed(ctx, 'comment on resources'),
    }),
    mayDelete: t.boolean({
      description: 'Whether the viewer may delete it: its author may, and editors.',
      resolve: ({ authorId }, _args, ctx) =>
        isAllowed(ctx, 'comment on resources') &&
        (authorId === ctx.viewer.id || isAllowed(ctx, 'edit resources')),
    }),
    resourceId: t.exposeID('resourceId'),
    resource: t.field(
      resourceAt(
        'The resource that it is about.',
        ({ resourceId }: { resourceId: string }) => resourceId,
      ),
    ),
  }),
});

const CommentConnection = connectionOf('Comment', CommentRef);

builder.prismaInterfaceField('Resource', 'comments', (t) =>
  t.field({
    type: CommentConnection,
    description: 'What people wrote about it, the newest first.',
    extensions: reading(),
    args: pageArgs,
    resolve: ({ id }, args, ctx) => loadComments(ctx, id, args),
  }),
);

builder.queryField('comments', (t) =>
  t.field({
    type: CommentConnection,
    nullable: true,
    description: 'What people wrote about a resource, the newest first.',
    args: {
      resourceId: t.arg.id({ required: true, description: 'Id of the resource.' }),
      ...pageArgs,
    },
    resolve: (_root, { resourceId, ...args }, ctx) => listComments(ctx, resourceId, args),
  }),
);

const text = 'The text in Markdown. A link `[@Name](user:ID)` mentions a user, who is notified.';

const CreateCommentInput = builder.inputType('CreateCommentInput', {
  description: 'A comment on a resource.',
  fields: (t) => ({
    resourceId: t.id({ required: true, description: 'Id of the resource that it is about.' }),
    text: t.string({ required: true, description: text }),
  }),
});

const UpdateCommentInput = builder.inputType('UpdateCommentInput', {
  description: 'Changes of a comment. What is absent stays as it is.',
  fields: (t) => ({ text: t.string({ description: text }) }),
});

builder.mutationFields((t) => ({
  createComment: t.field({
    type: CommentRef,
    description: 'Comment on a resource. Everyone may who may read it, but guests.',
    args: createArgs(CreateCommentInput),
    resolve: (_root, { input }, ctx) => createComment(ctx, input),
  }),
  updateComment: t.field({
    type: CommentRef,
    description: 'Change a comment. Its author may.',
    args: updateArgs('comment', UpdateCommentInput),
    resolve: (_root, args, ctx) => updateComment(ctx, args.id, args.input, args.expectedVersion),
  }),
  deleteComment: t.field({
    type: CommentRef,
    description: 'Delete a comment; answers what it was. Its author may, and editors.',
    args: deleteArgs('comment'),
    resolve: (_root, args, ctx) => deleteComment(ctx, args.id, args.expectedVersion),
  }),
}));
