// Inputs that create and change resources, questions and replies.

import { builder, type InputFields } from '../../graphql/builder.ts';
import { closedSet } from '../../graphql/views/closed-set.ts';
import { defaultedForRest, restOnly, views } from '../../graphql/views/mark.ts';
import { QuestionPriorityEnum } from '../questions/question-enum-schema.ts';
import { TermStatusEnum } from '../terms/term-status-schema.ts';
import type { EditedField } from './edited-fields.ts';

const EditedFieldEnum = closedSet<EditedField>('EditedField', {
  description:
    'A field that people and sources both set; what a person edited, imports leave alone.',
  values: {
    description: 'What it is, in one sentence.',
    definition: 'Its documentation.',
    tags: 'Tags on it.',
    owners: 'Users who own it.',
    owners_groups: 'Groups that own it.',
    synonyms: 'Of a glossary term: other names of it.',
    term_status: 'Of a glossary term: how far people agree on it.',
    related_term_ids: 'Of a glossary term: the terms that it is linked with.',
    deprecation: 'That it is no longer to be used.',
  },
});

/** What every kind has, replies as well. */
const common = (t: InputFields) => ({
  description: t.string({ description: 'One sentence about it.' }),
  definition: t.string({ description: 'Documentation in Markdown; a change makes a new version.' }),
  published: t.boolean({
    description:
      'Whether viewers may read it, and with it its parts: columns, properties of an event, replies.',
  }),
  teamIds: t.idList({ description: 'Teams that hold it.' }),
});

/** What catalogs a resource. Of replies REST alone takes it, as the first API did. */
const cataloged = (t: InputFields, extensions = {}) => ({
  icon: t.string({ description: 'An emoji or a name.', extensions }),
  pii: t.boolean({
    description: 'Whether it holds personally identifiable information.',
    extensions,
  }),
  verified: t.boolean({ description: 'Whether somebody has verified it.', extensions }),
  ownerIds: t.idList({ description: 'Users who own it.', extensions }),
  ownerGroupIds: t.idList({ description: 'Groups that own it.', extensions }),
  collectionIds: t.idList({ description: 'Collections it is part of.', extensions }),
  tagIds: t.idList({ description: 'Tags on it.', extensions }),
  subscriberIds: t.idList({ description: 'Users who are notified of its changes.', extensions }),
});

/** What changes a set next to what is in it. */
const joins = (t: InputFields) => ({
  addTeamIds: t.idList({ description: 'Teams to add to those that hold it.' }),
  removeTeamIds: t.idList({ description: 'Teams that are no longer to hold it.' }),
  addOwnerIds: t.idList({ description: 'Users to add to its owners.' }),
  removeOwnerIds: t.idList({ description: 'Users who are no longer to own it.' }),
  addOwnerGroupIds: t.idList({ description: 'Groups to add to its owners.' }),
  removeOwnerGroupIds: t.idList({ description: 'Groups that are no longer to own it.' }),
  addCollectionIds: t.idList({ description: 'Collections to add it to.' }),
  removeCollectionIds: t.idList({ description: 'Collections to take it out of.' }),
  addTagIds: t.idList({ description: 'Tags to add; those it has stay in their order.' }),
  removeTagIds: t.idList({ description: 'Tags to take off.' }),
  addSubscriberIds: t.idList({ description: 'Users to notify of its changes from now on.' }),
  removeSubscriberIds: t.idList({ description: 'Users no longer to notify of its changes.' }),
});

const DeprecationInput = builder.inputType('DeprecationInput', {
  description:
    'That a resource is no longer to be used. It takes the place of what was said before.',
  fields: (t) => ({
    since: t.field({
      type: 'DateTime',
      description: 'Since when; if absent as it was, and now for what was not deprecated.',
    }),
    note: t.string({ description: 'Why, and what to do.' }),
    successorId: t.id({ description: 'Resource that is to be used in its place.' }),
  }),
});

/** What some kinds have, or what comes from a source: `again` says that the source sets it again. */
const special = (t: InputFields, again = '') => ({
  url: t.string({ description: `Address in its source.${again}` }),
  nativeType: t.string({ description: `Type as named in its source.${again}` }),
  databuilderId: t.string({
    description: 'Key by which its integration names it; what has one keeps it.',
  }),
  databaseName: t.string({ description: `Title of the database it lies in.${again}` }),
  schemaName: t.string({ description: `Title of the schema it lies in.${again}` }),
  cluster: t.string({ description: `Cluster it lies in.${again}` }),
  creationQuery: t.string({ description: `SQL that makes the table or view.${again}` }),
  rowCount: t.field({ type: 'SafeInt', description: `Number of rows.${again}` }),
  byteSize: t.field({ type: 'SafeInt', description: `Size in bytes.${again}` }),
  type: t.string({ description: `Data type of a column, type of a query.${again}` }),
  sortOrder: t.int({ description: `Position of a column in its table, from 1.${again}` }),
  isPk: t.boolean({ description: `Whether the column is part of the primary key.${again}` }),
  hidden: t.boolean({
    description: `Whether the column is hidden from people who browse.${again}`,
  }),
  product: t.string({ description: `Product of a chart or dashboard.${again}` }),
  groupName: t.string({ description: `Group of a chart or dashboard.${again}` }),
  sql: t.string({ description: 'Text of a query.' }),
  dialect: t.string({ description: 'SQL dialect of a query.' }),
  freq: t.int({ description: 'How often a query was seen.' }),
  synonyms: t.stringList({
    description: 'Other words for a glossary term: search finds it by them.',
  }),
  termStatus: t.field({
    type: TermStatusEnum,
    description: 'How far people agree on a glossary term.',
  }),
  formula: t.string({ description: 'How a glossary term is computed.' }),
  nextReviewAt: t.field({
    type: 'DateTime',
    description: 'When people are to look at a glossary term again.',
  }),
  relatedTermIds: t.idList({
    description: 'Glossary terms that a glossary term is linked with; each shows the other.',
  }),
  externalUsage: t.field({
    type: 'SafeInt',
    description: `How often it was used in its source.${again}`,
  }),
  externalUpdatedAt: t.field({
    type: 'DateTime',
    description: `When it last changed there.${again}`,
  }),
});

const words = {
  title: 'Name of the resource.',
  parent: 'Resource that holds it, of a kind that may.',
  again: ' Where its source names it, the next sync sets it again.',
  integration: 'Integration it belongs to; cannot be changed later.',
  lists: 'A list replaces the one there is; what is added or removed leaves the rest of it alone.',
  refused: 'What a role may not set is FORBIDDEN, and named.',
  ofViewers: 'title, description, definition, tags',
};

const title = (t: InputFields) => ({
  title: t.string({ required: true, description: words.title, extensions: defaultedForRest }),
});
const newTitle = (t: InputFields, again = '') => ({
  title: t.string({ description: words.title + again }),
});
const parent = (t: InputFields, again = '') => ({
  parentId: t.id({ description: words.parent + again }),
});
const integration = (t: InputFields, extensions = {}) => ({
  integrationId: t.id({ description: words.integration, extensions }),
});

export const CreateResourceInput = builder.inputType('CreateResourceInput', {
  description: `A resource to make. What its kind lacks is ignored. ${words.refused}`,
  fields: (t) => ({
    ...title(t),
    ...common(t),
    ...cataloged(t),
    ...parent(t),
    ...integration(t),
    ...special(t),
  }),
});

export const UpdateResourceInput = builder.inputType('UpdateResourceInput', {
  description:
    'What to change of a resource: absent leaves alone, null clears. What its kind lacks is ' +
    `ignored. ${words.lists} ${words.refused}`,
  fields: (t) => ({
    ...newTitle(t, words.again),
    ...common(t),
    ...cataloged(t),
    ...joins(t),
    ...parent(t, words.again),
    releaseFields: t.field({
      type: [EditedFieldEnum],
      description:
        'Those of its `editedFields` that its source is to set again with its next sync. What the same ' +
        'change makes different stays with people.',
    }),
    forcedUnstaleByUser: t.boolean({
      description:
        'Whether it is there although its source no longer names it: true makes it fresh at once, and ' +
        'imports leave that so.',
    }),
    deprecation: t.field({
      type: DeprecationInput,
      description: 'That it is no longer to be used; null ends that.',
    }),
    addRelatedTermIds: t.idList({ description: 'Glossary terms to link a glossary term with.' }),
    removeRelatedTermIds: t.idList({
      description: 'Glossary terms that a glossary term is no longer to be linked with.',
    }),
    ...special(t, words.again),
  }),
});

const answer = (t: InputFields) => ({
  assignedToId: t.id({ description: 'User who is asked to answer.' }),
  answer: t.string({ description: 'The answer; with one the question is Answered.' }),
  priority: t.field({ type: QuestionPriorityEnum, description: 'How urgent it is.' }),
});
const ofOwnQuestions =
  `Of their own, viewers set the ${words.ofViewers}, priority, assignee and answer, and whether they ` +
  'are subscribed.';

export const CreateQuestionInput = builder.inputType('CreateQuestionInput', {
  description: `A question to ask. ${ofOwnQuestions}`,
  fields: (t) => ({
    ...title(t),
    ...common(t),
    ...cataloged(t),
    ...parent(t),
    ...integration(t),
    ...answer(t),
  }),
});

export const UpdateQuestionInput = builder.inputType('UpdateQuestionInput', {
  description: `What to change of a question: absent leaves alone, null clears. ${ofOwnQuestions}`,
  fields: (t) => ({
    ...newTitle(t),
    ...common(t),
    ...cataloged(t),
    ...joins(t),
    ...parent(t),
    ...answer(t),
  }),
});

const accepted = (t: InputFields) => ({
  acceptedAnswer: t.boolean({
    description: 'Whether the reply is the answer of its question, which then says what it says.',
  }),
});
const ofOwnReplies =
  'On their own questions and replies, viewers set the title, description, definition and parent.';

export const CreateReplyInput = builder.inputType('CreateReplyInput', {
  description: `A reply to give. ${ofOwnReplies}`,
  fields: (t) => ({
    ...newTitle(t),
    ...common(t),
    ...cataloged(t, restOnly),
    parentId: t.id({
      required: true,
      description: 'The question.',
      extensions: views({ optionalInRest: 'refused', saidInRest: words.parent }),
    }),
    ...integration(t, restOnly),
    ...accepted(t),
  }),
});

export const UpdateReplyInput = builder.inputType('UpdateReplyInput', {
  description: `What to change of a reply: absent leaves alone, null clears. ${ofOwnReplies}`,
  fields: (t) => ({
    ...newTitle(t),
    ...common(t),
    ...cataloged(t, restOnly),
    parentId: t.id({ description: 'The question.' }),
    ...accepted(t),
  }),
});
