// What sources say of a resource beyond its fields, as GraphQL shows it.

import { builder } from '../graphql/builder.ts';
import { ColumnRef, TableRef } from './kind-schema.ts';
import { reading } from './shown.ts';
import {
  columnFactsOf,
  keyKinds,
  keysOf,
  scansOf,
  type TableKey,
  unknownOwnersOf,
} from './source-facts.ts';

builder.prismaInterfaceFields('Resource', (t) => ({
  unknownOwners: t.stringList({
    description: 'Owners that its sources name and that are neither users nor groups here.',
    extensions: reading('sourceMetadata'),
    resolve: ({ sourceMetadata }) => unknownOwnersOf(sourceMetadata),
  }),
}));

const KeyKind = builder.enumType('TableKeyKind', {
  description: 'What a key of a table says.',
  values: {
    primary: { description: keyKinds.primary },
    unique: { description: keyKinds.unique },
    foreign: { description: keyKinds.foreign },
  } satisfies Record<keyof typeof keyKinds, object>,
});

const KeyTargetRef = builder
  .objectRef<NonNullable<TableKey['refersTo']>>('TableKeyTarget')
  .implement({
    description: 'To what a foreign key refers.',
    fields: (t) => ({
      table: t.exposeString('table', { description: 'The table, with its schema.' }),
      columns: t.exposeStringList('columns', {
        description: 'Its columns, in the order of those of the key.',
      }),
    }),
  });

const KeyRef = builder.objectRef<TableKey>('TableKey').implement({
  description: 'A key of a table, as its source says it.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Its name; empty where its source says none.' }),
    kind: t.expose('kind', { type: KeyKind, description: 'What it says.' }),
    columns: t.exposeStringList('columns', { description: 'Its columns, in their order.' }),
    refersTo: t.expose('refersTo', {
      type: KeyTargetRef,
      nullable: true,
      description: 'To what a foreign key refers.',
    }),
  }),
});

builder.prismaObjectFields(ColumnRef, (t) => ({
  isNullable: t.boolean({
    nullable: true,
    description: 'Whether it may be null; null where its source does not say.',
    extensions: reading('sourceMetadata'),
    resolve: ({ sourceMetadata }) => columnFactsOf(sourceMetadata).isNullable,
  }),
  defaultValue: t.string({
    nullable: true,
    description: 'What a row gets that says nothing of it, in SQL of its source.',
    extensions: reading('sourceMetadata'),
    resolve: ({ sourceMetadata }) => columnFactsOf(sourceMetadata).defaultValue,
  }),
  generatedAs: t.string({
    nullable: true,
    description: 'The expression that makes it, where it is made of other columns.',
    extensions: reading('sourceMetadata'),
    resolve: ({ sourceMetadata }) => columnFactsOf(sourceMetadata).generatedAs,
  }),
}));

builder.prismaObjectFields(TableRef, (t) => ({
  keys: t.field({
    type: [KeyRef],
    description: 'Its keys, as its source says them.',
    extensions: reading('sourceMetadata'),
    resolve: ({ sourceMetadata }) => keysOf(sourceMetadata),
  }),
  scans: t.field({
    type: 'SafeInt',
    nullable: true,
    description:
      'How often the server of its source scanned it, where that counts no statements, which are its uses. Checks of ' +
      'foreign keys scan as well, and so does each row of a join.',
    extensions: reading('sourceMetadata'),
    resolve: ({ sourceMetadata }) => scansOf(sourceMetadata),
  }),
}));
