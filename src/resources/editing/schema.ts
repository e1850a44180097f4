// In charge of the mutations on resources.

import { builder } from '../../graphql/builder.ts';
import { versionArgs } from '../../graphql/expected-version.ts';
import { parseKind } from '../kind.ts';
import {
  createQuestion,
  createReply,
  react,
  updateQuestion,
  updateReply,
  vote,
} from '../question.ts';
import { priorities } from '../question-fields.ts';
import { ResourceKind, ResourceRef } from '../schema.ts';
import { bookmark, subscribe, viewResource } from '../usage.ts';
import { archiveResource, restoreResource } from './archive.ts';
import { createResource, updateResource } from './edit.ts';

type InputFields = PothosSchemaTypes.InputFieldBuilder<
  (typeof builder)['$inferSchemaTypes'],
  'InputObject'
>;

const inputFields = (t: InputFields) => ({
  title: t.string({ description: 'Name of the resource.' }),
  description: t.string({ description: 'One sentence about it.' }),
  definition: t.string({ description: 'Documentation in Markdown; a change makes a new version.' }),
  icon: t.string({ description: 'An emoji or a name.' }),
  url: t.string({ description: 'Address in its source.' }),
  nativeType: t.string({ description: 'Type as named in its source.' }),
  databuilderId: t.string({
    description: 'Key by which its integration names it; what has one keeps it.',
  }),
  parentId: t.id({ description: 'Resource that holds it, of a kind that may.' }),
  integrationId: t.id({ description: 'Integration it belongs to; cannot be changed later.' }),
  published: t.boolean({ description: 'Whether viewers may read it.' }),
  pii: t.boolean({ description: 'Whether it holds personally identifiable information.' }),
  verified: t.boolean({ description: 'Whether somebody vouches for it.' }),
  teamIds: t.idList({ description: 'Teams that hold it.' }),
  ownerIds: t.idList({ description: 'Users who own it.' }),
  ownerGroupIds: t.idList({ description: 'Groups that own it.' }),
  collectionIds: t.idList({ description: 'Collections it is part of.' }),
  tagIds: t.idList({ description: 'Tags on it.' }),
  subscriberIds: t.idList({ description: 'Users who are told of its changes.' }),
  addTeamIds: t.idList({ description: 'Teams to add to those that hold it.' }),
  removeTeamIds: t.idList({ description: 'Teams that are to hold it no longer.' }),
  addOwnerIds: t.idList({ description: 'Users to add to its owners.' }),
  removeOwnerIds: t.idList({ description: 'Users who are to own it no longer.' }),
  addOwnerGroupIds: t.idList({ description: 'Groups to add to its owners.' }),
  removeOwnerGroupIds: t.idList({ description: 'Groups that are to own it no longer.' }),
  addCollectionIds: t.idList({ description: 'Collections to add it to.' }),
  removeCollectionIds: t.idList({ description: 'Collections to take it out of.' }),
  addTagIds: t.idList({ description: 'Tags to add; those it has stay in their order.' }),
  removeTagIds: t.idList({ description: 'Tags to take off.' }),
  addSubscriberIds: t.idList({ description: 'Users to tell of its changes from now on.' }),
  removeSubscriberIds: t.idList({ description: 'Users to tell of its changes no longer.' }),
  forcedUnstaleByUser: t.boolean({
    description:
      'Whether it is there although its source no longer names it: true makes it fresh at once, and ' +
      'imports leave that so.',
  }),
  databaseName: t.string({ description: 'Title of the database it lies in.' }),
  schemaName: t.string({ description: 'Title of the schema it lies in.' }),
  cluster: t.string({ description: 'Cluster it lies in.' }),
  creationQuery: t.string({ description: 'SQL that makes the table or view.' }),
  rowCount: t.field({ type: 'SafeInt', description: 'Number of rows.' }),
  byteSize: t.field({ type: 'SafeInt', description: 'Size in bytes.' }),
  type: t.string({ description: 'Data type of a column, type of a query.' }),
  sortOrder: t.int({ description: 'Position of a column in its table, from 1.' }),
  isPk: t.boolean({ description: 'Whether the column is part of the primary key.' }),
  hidden: t.boolean({ description: 'Whether the column is hidden from people who browse.' }),
  product: t.string({ description: 'Product of a chart or dashboard.' }),
  groupName: t.string({ description: 'Group of a chart or dashboard.' }),
  sql: t.string({ description: 'Text of a query.' }),
  dialect: t.string({ description: 'SQL dialect of a query.' }),
  freq: t.int({ description: 'How often a query was seen.' }),
  externalUsage: t.field({
    type: 'SafeInt',
    description: 'How often it was used in its source.',
  }),
  externalUpdatedAt: t.field({ type: 'DateTime', description: 'When it last changed there.' }),
});

const ResourceInput = builder.inputType('ResourceInput', {
  description:
    'Fields of a resource: absent leaves alone, null clears. Those its kind lacks are ignored. ' +
    'A list replaces the one there is; what is added or removed leaves the rest of it alone. What a ' +
    'role may not set is FORBIDDEN, and named.',
  fields: inputFields,
});

const QuestionInput = builder.inputType('QuestionInput', {
  description:
    'Fields of a question: absent leaves alone, null clears. Of their own, viewers set the title, ' +
    'description, definition, tags, priority, assignee and answer, and whether they are subscribed.',
  fields: (t) => ({
    ...inputFields(t),
    assignedToId: t.id({ description: 'User who is asked to answer.' }),
    answer: t.string({ description: 'The answer; with one the question is Answered.' }),
    priority: t.string({ description: `One of ${priorities.join(', ')}.` }),
  }),
});

const ReplyInput = builder.inputType('ReplyInput', {
  description:
    'Fields of a reply; its parent is the question. Of their own, viewers set the title, ' +
    'description, definition, tags and parent, and whether they are subscribed.',
  fields: (t) => ({
    ...inputFields(t),
    acceptedAnswer: t.boolean({ description: 'Whether the reply is the answer of its question.' }),
  }),
});

builder.mutationFields((t) => {
  const id = t.arg.id({ required: true, description: 'Id of the resource.' });
  const kinds = t.arg({ type: [ResourceKind], description: 'Kinds it may be of.' });
  const on = t.arg.boolean({ defaultValue: true, description: 'False takes it back.' });
  const input = t.arg({ type: ResourceInput, required: true, description: 'Its fields.' });
  return {
    createResource: t.field({
      type: ResourceRef,
      description: 'Create a resource of any kind. Editors may.',
      args: {
        kind: t.arg({ type: ResourceKind, required: true, description: 'Its kind.' }),
        input,
      },
      resolve: (_root, args, ctx) => createResource(ctx, parseKind(args.kind), args.input),
    }),
    updateResource: t.field({
      type: ResourceRef,
      description: 'Change a resource. Editors may; imports leave alone what people edited.',
      args: { id, kinds, input, ...versionArgs },
      resolve: (_root, { expectedVersion, ...args }, ctx) =>
        updateResource(ctx, args.id, args.input, {
          kinds: args.kinds?.map((name) => parseKind(name)),
          expectedVersion,
        }),
    }),
    archiveResource: t.field({
      type: ResourceRef,
      description: 'Delete a resource and all it holds. It can be restored.',
      args: { id, kinds, ...versionArgs },
      resolve: (_root, { expectedVersion, ...args }, ctx) =>
        archiveResource(ctx, args.id, {
          kinds: args.kinds?.map((name) => parseKind(name)),
          expectedVersion,
        }),
    }),
    restoreResource: t.field({
      type: ResourceRef,
      description: 'Take back a deletion, with all that was deleted along.',
      args: { id, ...versionArgs },
      resolve: (_root, { id, ...options }, ctx) => restoreResource(ctx, id, options),
    }),
    viewResource: t.field({
      type: ResourceRef,
      description: 'Count that the viewer opened a resource.',
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
      description: 'Tell the viewer of changes of a resource, or stop telling.',
      args: { id, on },
      resolve: (_root, args, ctx) => subscribe(ctx, args.id, args.on ?? true),
    }),
  };
});

builder.mutationFields((t) => {
  const id = t.arg.id({ required: true, description: 'Id of the question or reply.' });
  const question = t.arg({ type: QuestionInput, required: true, description: 'Its fields.' });
  const reply = t.arg({ type: ReplyInput, required: true, description: 'Its fields.' });
  return {
    createQuestion: t.field({
      type: ResourceRef,
      description: 'Ask a question. Everybody but guests may.',
      args: { input: question },
      resolve: (_root, args, ctx) => createQuestion(ctx, args.input),
    }),
    updateQuestion: t.field({
      type: ResourceRef,
      description: 'Change or answer a question. Editors may, and whoever asked it.',
      args: { id, input: question, ...versionArgs },
      resolve: (_root, args, ctx) => updateQuestion(ctx, args.id, args.input, args.expectedVersion),
    }),
    createReply: t.field({
      type: ResourceRef,
      description: 'Reply to a question. Everybody but guests may.',
      args: { input: reply },
      resolve: (_root, args, ctx) => createReply(ctx, args.input),
    }),
    updateReply: t.field({
      type: ResourceRef,
      description: 'Change a reply, or accept it as the answer.',
      args: { id, input: reply, ...versionArgs },
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
