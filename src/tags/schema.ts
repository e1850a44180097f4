// Tags in GraphQL.

import { builder, type InputFields } from '../graphql/builder.ts';
import { shownOf } from '../graphql/execution/shown-columns.ts';
import { createArgs, deleteArgs, updateArgs } from '../graphql/mutation-args.ts';
import { NodeRef } from '../graphql/node-ref.ts';
import { connectionOf, pageArgs } from '../graphql/page.ts';
import { defaultedForRest, restOnly } from '../graphql/views/mark.ts';
import { loadHeld } from '../resources/lists/held.ts';
import { heldArgs } from '../resources/lists/where-schema.ts';
import { ResourceConnection } from '../resources/schema.ts';
import { reading } from '../resources/shown.ts';
import { createTag, deleteTag, getTag, listTags, loadTags, updateTag } from './tag.ts';

export const TagRef = builder.prismaObject('Tag', {
  interfaces: [NodeRef],
  fields: (t) => ({
    id: t.exposeID('id'),
    workspaceId: t.exposeID('workspaceId', {
      description: 'Workspace the tag belongs to.',
      extensions: restOnly,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
    version: t.exposeInt('version'),
    name: t.exposeString('name'),
    description: t.exposeString('description'),
    color: t.exposeString('color'),
    icon: t.exposeString('icon', { nullable: true }),
    integrationId: t.exposeID('integrationId', { nullable: true }),
  }),
});

const TagConnection = connectionOf('Tag', TagRef);

builder.queryFields((t) => ({
  tag: t.field({
    type: TagRef,
    nullable: true,
    description: 'One tag.',
    args: { id: t.arg.id({ required: true, description: 'Its id.' }) },
    resolve: (_root, { id }, ctx) => getTag(ctx, id),
  }),
  tags: t.field({
    type: TagConnection,
    description: 'Tags, newest first.',
    args: pageArgs,
    resolve: (_root, args, ctx) => listTags(ctx, args),
  }),
}));

const fields = (t: InputFields) => ({
  description: t.string({ description: 'What the tag says about a resource.' }),
  color: t.string({ description: 'Color as #RRGGBB.' }),
  icon: t.string({ description: 'An emoji or a name.' }),
});
const name = 'Name, unique in the workspace without regard to case.';

const CreateTagInput = builder.inputType('CreateTagInput', {
  description: 'A tag to make: what is absent or null takes its default.',
  fields: (t) => ({
    name: t.string({ required: true, description: name, extensions: defaultedForRest }),
    ...fields(t),
  }),
});

const UpdateTagInput = builder.inputType('UpdateTagInput', {
  description: 'What to change of a tag: absent leaves alone, null clears.',
  fields: (t) => ({ name: t.string({ description: name }), ...fields(t) }),
});

builder.mutationFields((t) => ({
  createTag: t.field({
    type: TagRef,
    description: 'Make a tag. Editors may.',
    args: createArgs(CreateTagInput),
    resolve: (_root, args, ctx) => createTag(ctx, args.input),
  }),
  updateTag: t.field({
    type: TagRef,
    description: 'Change a tag. Editors may.',
    args: updateArgs('tag', UpdateTagInput),
    resolve: (_root, args, ctx) => updateTag(ctx, args.id, args.input, args.expectedVersion),
  }),
  deleteTag: t.field({
    type: TagRef,
    description: 'Delete a tag and take it off every resource. Editors may.',
    args: deleteArgs('tag'),
    resolve: (_root, args, ctx) => deleteTag(ctx, args.id, args.expectedVersion),
  }),
}));

builder.prismaObjectField('Tag', 'resources', (t) =>
  t.field({
    type: ResourceConnection,
    description: 'Resources with the tag, by title unless ordered otherwise.',
    args: { ...pageArgs, ...heldArgs },
    resolve: ({ id }, { where, orderBy, ...args }, ctx, info) =>
      loadHeld(ctx, id, { as: 'tagged', where, orderBy, shown: shownOf(info) }, args),
  }),
);

builder.prismaInterfaceField('Resource', 'tags', (t) =>
  t.field({
    type: [TagRef],
    description: 'Tags on it.',
    extensions: reading('tagIds'),
    resolve: ({ tagIds }, _args, ctx) => loadTags(ctx, tagIds),
  }),
);
