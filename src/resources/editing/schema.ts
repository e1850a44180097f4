// The mutations on resources.

import { builder } from '../../graphql/builder.ts';
import { createArgs, deleteArgs, updateArgs } from '../../graphql/mutation-args.ts';
import { parseKind } from '../kind.ts';
import {
  createQuestion,
  createReply,
  react,
  updateQuestion,
  updateReply,
  vote,
} from '../questions/question.ts';
import { ResourceKind, ResourceRef } from '../schema.ts';
import { bookmark, subscribe, viewResource } from '../usage.ts';
import { archiveResource, restoreResource } from './archive.ts';
import { createResource, updateResource } from './edit.ts';
import {
  CreateQuestionInput,
  CreateReplyInput,
  CreateResourceInput,
  UpdateQuestionInput,
  UpdateReplyInput,
  UpdateResourceInput,
} from './input-schema.ts';

builder.mutationFields((t) => {
  const id = t.arg.id({ required: true, description: 'Id of the resource.' });
  const kinds = t.arg({ type: [ResourceKind], description: 'Kinds it may be of.' });
  const on = t.arg.boolean({ defaultValue: true, description: 'False takes it back.' });
  return {
    createResource: t.field({
      type: ResourceRef,
      description: 'Create a resource of any kind. Editors may.',
      args: {
        kind: t.arg({ type: ResourceKind, required: true, description: 'Its kind.' }),
        ...createArgs(CreateResourceInput),
      },
      resolve: (_root, args, ctx) => createResource(ctx, parseKind(args.kind), args.input),
    }),
    updateResource: t.field({
      type: ResourceRef,
      description: 'Change a resource. Editors may; imports leave alone what people edited.',
      args: { ...updateArgs('resource', UpdateResourceInput), kinds },
      resolve: (_root, { expectedVersion, ...args }, ctx) =>
        updateResource(ctx, args.id, args.input, {
          kinds: args.kinds?.map((name) => parseKind(name)),
          expectedVersion,
        }),
    }),
    archiveResource: t.field({
      type: ResourceRef,
      description: 'Delete a resource and all it holds. It can be restored.',
      args: { ...deleteArgs('resource'), kinds },
      resolve: (_root, { expectedVersion, ...args }, ctx) =>
        archiveResource(ctx, args.id, {
          kinds: args.kinds?.map((name) => parseKind(name)),
          expectedVersion,
        }),
    }),
    restoreResource: t.field({
      type: ResourceRef,
      description:
        'Restore a deleted resource, with everything that was deleted with it. What it lies in must be there.',
      args: deleteArgs('resource'),
      resolve: (_root, { id, ...options }, ctx) => restoreResource(ctx, id, options),
    }),
    viewResource: t.field({
      type: ResourceRef,
      description: 'Record that the viewer opened a resource.',
      args: { id },
      resolve: (_root, args, ctx) => viewResource(ctx, args.id),
    }),
    bookmarkResource: t.field({
      type: ResourceRef,
      description: 'Bookmark a resource for the viewer, or take the bookmark away.',
      args: { id, on },
      resolve: (_root, args, ctx) => bookmark(ctx, args.id, args.on ?? true),
    }),
    subscribeToResource: t.field({
      type: ResourceRef,
      description: 'Notify the viewer of changes of a resource, or stop notifying.',
      args: { id, on },
      resolve: (_root, args, ctx) => subscribe(ctx, args.id, args.on ?? true),
    }),
  };
});

builder.mutationFields((t) => {
  const id = t.arg.id({ required: true, description: 'Id of the question or reply.' });
  return {
    createQuestion: t.field({
      type: ResourceRef,
      description: 'Ask a question. Everybody but guests may.',
      args: createArgs(CreateQuestionInput),
      resolve: (_root, args, ctx) => createQuestion(ctx, args.input),
    }),
    updateQuestion: t.field({
      type: ResourceRef,
      description: 'Change or answer a question. Editors may, and the person who asked it.',
      args: updateArgs('question or reply', UpdateQuestionInput),
      resolve: (_root, args, ctx) => updateQuestion(ctx, args.id, args.input, args.expectedVersion),
    }),
    createReply: t.field({
      type: ResourceRef,
      description: 'Reply to a question. Everybody but guests may.',
      args: createArgs(CreateReplyInput),
      resolve: (_root, args, ctx) => createReply(ctx, args.input),
    }),
    updateReply: t.field({
      type: ResourceRef,
      description: 'Change a reply, or accept it as the answer.',
      args: updateArgs('question or reply', UpdateReplyInput),
      resolve: (_root, args, ctx) => updateReply(ctx, args.id, args.input, args.expectedVersion),
    }),
    vote: t.field({
      type: ResourceRef,
      description: 'Vote on a question or reply.',
      args: {
        id,
        value: t.arg.int({ required: true, description: '1 for, -1 against, 0 takes it back.' }),
      },
      resolve: (_root, args, ctx) => vote(ctx, args.id, args.value),
    }),
    react: t.field({
      type: ResourceRef,
      description: 'React to a question or reply with an emoji.',
      args: {
        id,
        emoji: t.arg.string({ required: true, description: 'One emoji.' }),
        on: t.arg.boolean({ defaultValue: true, description: 'False takes it back.' }),
      },
      resolve: (_root, args, ctx) => react(ctx, args.id, args.emoji, args.on ?? true),
    }),
  };
});
