// The types of integrations in GraphQL, with the forms of their credentials.

import { builder } from '../graphql/builder.ts';
import { closedSet } from '../graphql/views/closed-set.ts';
import type { Capability } from './connectors/manifest.ts';
import { type Feed, type IntegrationType, integrationTypes } from './integration-type.ts';

export const FeedEnum = closedSet<Feed>('IntegrationFeed', {
  description: 'What feeds an integration.',
  values: {
    sync: 'Its source, which syncs connect to and read.',
    files: 'CSV or JSONL files that are uploaded: this server connects to no such source.',
    artifacts: 'The artifacts of a project, which are uploaded.',
    nothing: 'It brings no resources.',
  },
});

type CredentialField = IntegrationType['fields'][number];

const CapabilityEnum = closedSet<Capability>('SourceCapability', {
  description: 'What is read of a source besides its schemas, tables and columns, or done with it.',
  values: {
    comments: 'Comments of schemas, tables and columns.',
    sizes: 'Row counts and sizes, without counting.',
    keys: 'Primary and other keys.',
    tags: 'Tags of tables and columns.',
    views: 'The SQL of views, and the lineage in it.',
    lineage: 'Lineage that it records itself, or tables of others that it shows.',
    history: 'The queries that ran, and the lineage in them.',
    usage: 'How often tables are read.',
    measure: 'Monitors measure there.',
    freshness: 'When a table last changed, without reading it.',
    estimate: 'How many bytes a query would read, before it runs.',
    dashboards: 'Dashboards and charts, and the lineage to them.',
  },
});

const FieldConditionRef = builder
  .objectRef<CredentialField['when'][number]>('CredentialCondition')
  .implement({
    description: 'A value of another field with which a field of credentials is asked for.',
    fields: (t) => ({
      field: t.exposeString('field', { description: 'Name of the other field.' }),
      values: t.exposeStringList('values', { description: 'One of these is its value.' }),
    }),
  });

const CredentialChoiceRef = builder
  .objectRef<CredentialField['choices'][number]>('CredentialChoice')
  .implement({
    description: 'A value that a field of credentials may have.',
    fields: (t) => ({
      value: t.exposeString('value', { description: 'What to send.' }),
      label: t.exposeString('label', { description: 'What a form calls it.' }),
    }),
  });

const CredentialFieldRef = builder.objectRef<CredentialField>('CredentialField').implement({
  description: 'A field of the credentials that a source is connected to with.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Its name in `credentials`.' }),
    label: t.exposeString('label', { description: 'What a form calls it.' }),
    help: t.exposeString('help', {
      nullable: true,
      description: 'What to enter, in a sentence or two; null where the label says it.',
    }),
    isRequired: t.exposeBoolean('isRequired', {
      description: 'Whether there is no connection without it, where it is asked for.',
    }),
    isSecret: t.exposeBoolean('isSecret', { description: 'Whether a form hides what is typed.' }),
    isMultiline: t.exposeBoolean('isMultiline', {
      description: 'Whether a value has several lines, such as a key.',
    }),
    when: t.field({
      type: [FieldConditionRef],
      description: 'It is asked for only where all of these hold. Empty where always.',
      resolve: ({ when }) => [...when],
    }),
    choices: t.field({
      type: [CredentialChoiceRef],
      description: 'What it may be, the default first. Empty where it is free text.',
      resolve: ({ choices }) => [...choices],
    }),
  }),
});

const IntegrationTypeRef = builder.objectRef<IntegrationType>('IntegrationManifest').implement({
  description: 'A type of integration that this server knows.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The `type` of its integrations.' }),
    label: t.exposeString('label', { description: 'What people call it.' }),
    fedBy: t.field({
      type: FeedEnum,
      description: 'What feeds its integrations.',
      resolve: ({ fedBy }) => fedBy,
    }),
    isBeta: t.exposeBoolean('isBeta', {
      description:
        'Whether it was built against documentation, and not yet tried against the source.',
    }),
    capabilities: t.field({
      type: [CapabilityEnum],
      description: 'What is read of such a source besides its schemas, tables and columns.',
      resolve: ({ capabilities }) => [...capabilities],
    }),
    page: t.exposeString('page', {
      nullable: true,
      description: 'Its page below `/docs/sources`; null where there is none.',
    }),
    fields: t.field({
      type: [CredentialFieldRef],
      description: 'The form of its credentials. Empty where it takes none.',
      resolve: ({ fields }) => [...fields],
    }),
  }),
});

builder.queryFields((t) => ({
  integrationTypes: t.field({
    type: [IntegrationTypeRef],
    description:
      'The types of integrations that this server knows, with the forms of their credentials.',
    resolve: () => [...integrationTypes],
  }),
}));
