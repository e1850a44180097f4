// What sources say of a resource beyond its fields, as GraphQL shows it.

import { builder } from '../graphql/builder.ts';
import { TableRef } from './kind-schema.ts';
import { reading } from './shown.ts';
import { scansOf, unknownOwnersOf } from './source-facts.ts';

builder.prismaInterfaceFields('Resource', (t) => ({
  unknownOwners: t.stringList({
    description: 'Owners that its sources name and that are neither users nor groups here.',
    extensions: reading('sourceMetadata'),
    resolve: ({ sourceMetadata }) => unknownOwnersOf(sourceMetadata),
  }),
}));

builder.prismaObjectFields(TableRef, (t) => ({
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
