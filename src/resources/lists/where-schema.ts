// The typed filter and the typed order of resources in GraphQL.

import { builder } from '../../graphql/builder.ts';
import {
  conditionOf,
  IdCondition,
  NamedSetCondition,
  NumberCondition,
  orderByOf,
  PeopleCondition,
  TextCondition,
  TimeCondition,
  whereOf,
} from '../../graphql/where.ts';
import { QuestionPriorityEnum, QuestionStatusEnum } from '../questions/question-enum-schema.ts';
import { ResourceKind } from '../schema.ts';
import { TermStatusEnum } from '../terms/term-status-schema.ts';
import { resourceOrder } from './where.ts';

const CustomPropertyCondition = builder.inputType('CustomPropertyCondition', {
  description: 'What the value of one custom property is to be: `value`, `isSet`, or both.',
  fields: (t) => ({
    propertyId: t.id({ required: true, description: 'Id of the property.' }),
    value: t.field({ type: TextCondition, description: 'What its value, as a text, is to be.' }),
    isSet: t.boolean({ description: 'Whether there is a value that the viewer may know of.' }),
  }),
});

export const ResourceWhere = whereOf('Resource', {
  id: { type: IdCondition, about: 'Its id.' },
  kind: { type: conditionOf('ResourceKind', ResourceKind), about: 'Its kind.' },
  title: { type: TextCondition, about: 'Its title.' },
  titleFull: { type: TextCondition, about: 'Its title with its ancestry, joined with dots.' },
  type: {
    type: TextCondition,
    about: 'Data type of a column or property of an event; the type of a query.',
  },
  nativeType: { type: TextCondition, about: 'Its type in its source, such as `view`.' },
  description: { type: TextCondition, about: 'Its description.' },
  definition: { type: TextCondition, about: 'Its documentation.' },
  databaseName: { type: TextCondition, about: 'Title of the database it lies in.' },
  schemaName: { type: TextCondition, about: 'Title of the schema it lies in.' },
  databuilderId: { type: TextCondition, about: 'Its key in its integration.' },
  parentId: { type: IdCondition, about: 'The resource that holds it.' },
  within: { type: 'ID', about: 'It is this resource, or lies below it at any depth.' },
  integrationId: { type: IdCondition, about: 'The integration it lies in.' },
  describedBy: { type: IdCondition, about: 'One of the integrations that describe it.' },
  describedOnlyBy: {
    type: 'ID',
    about: 'Only this integration describes it: a deletion of that takes it away.',
  },
  owners: { type: PeopleCondition, about: 'Users who own it.' },
  ownerGroups: { type: NamedSetCondition, about: 'Groups that own it.' },
  teams: { type: NamedSetCondition, about: 'Teams that hold it.' },
  tags: { type: NamedSetCondition, about: 'Tags on it.' },
  collections: { type: NamedSetCondition, about: 'Collections it is part of.' },
  customProperties: {
    type: CustomPropertyCondition,
    about: 'Its value of a custom property; several are joined by `and` and `or`.',
  },
  subscribers: { type: PeopleCondition, about: 'Users who are notified of its changes.' },
  published: { type: 'Boolean', about: 'Whether viewers may read it.' },
  verified: { type: 'Boolean', about: 'Whether somebody has verified it.' },
  pii: { type: 'Boolean', about: 'Whether it holds personal information.' },
  stale: { type: 'Boolean', about: 'Whether its source no longer names it.' },
  deprecated: { type: 'Boolean', about: 'Whether people said that it is no longer to be used.' },
  edited: { type: 'Boolean', about: 'Whether people wrote on it what no source says.' },
  archived: { type: 'Boolean', about: 'Whether it was deleted; not unless asked for.' },
  hasOpenIncident: {
    type: 'Boolean',
    about: 'Whether an incident of it or of one of its columns is open.',
  },
  hasFailingTest: {
    type: 'Boolean',
    about: 'Whether a test of it or of one of its columns failed in the latest run.',
  },
  hasMonitor: { type: 'Boolean', about: 'Whether a monitor watches it or one of its columns.' },
  hasUpstream: { type: 'Boolean', about: 'Whether something flows into it: its `upstream`.' },
  hasDownstream: { type: 'Boolean', about: 'Whether it flows into something: its `downstream`.' },
  createdAt: { type: TimeCondition, about: 'When it was added to the catalog.' },
  updatedAt: { type: TimeCondition, about: 'When it last changed in the catalog.' },
  externalUpdatedAt: { type: TimeCondition, about: 'When it last changed in its source.' },
  internalUsage: { type: NumberCondition, about: 'Uses in the catalog.' },
  externalUsage: { type: NumberCondition, about: 'Uses in its source.' },
  totalUsage: { type: NumberCondition, about: 'Uses in the catalog and in the source together.' },
  questionStatus: {
    type: conditionOf('QuestionStatus', QuestionStatusEnum),
    about: 'Of a question: whether it is answered.',
  },
  questionPriority: {
    type: conditionOf('QuestionPriority', QuestionPriorityEnum),
    about: 'Of a question: its priority.',
  },
  termStatus: {
    type: conditionOf('TermStatus', TermStatusEnum),
    about: 'Of a glossary term: how far people agree on it.',
  },
  synonyms: { type: TextCondition, about: 'Of a glossary term: its synonyms, joined with commas.' },
  assignedToId: { type: IdCondition, about: 'Of a question: the user who is asked to answer.' },
});

export const ResourceOrderBy = orderByOf('Resource', resourceOrder);

/** What the resources that somebody holds are narrowed and ordered by. */
export const heldArgs = builder.args((t) => ({
  where: t.field({ type: ResourceWhere, description: 'Only those that it holds for.' }),
  orderBy: t.field({ type: [ResourceOrderBy], description: 'Order; by title if absent.' }),
}));
