// Addresses of pictures of lineage, in GraphQL.

import { builder } from '../../graphql/builder.ts';
import { createArgs } from '../../graphql/mutation-args.ts';
import { LineageDirection } from '../picture-schema.ts';
import { makePictureAddress, type PictureAddress } from './picture-address.ts';

const AddressRef = builder.objectRef<PictureAddress>('LineagePicture').implement({
  description: 'The picture of the lineage of a resource, for the frame of another page.',
  fields: (t) => ({
    url: t.exposeString('url', {
      description:
        'Its address, for the `src` of an `iframe`. Everybody who has it sees the picture. From `/` on where the server does not know its own address.',
    }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'When it ends.' }),
  }),
});

const EmbedLineageInput = builder.inputType('EmbedLineageInput', {
  description: 'Which picture of lineage to show, and until when.',
  fields: (t) => ({
    resourceId: t.id({ required: true, description: 'The resource in the middle of it.' }),
    depth: t.int({ description: 'Steps from it, 1 to 10; 2 where absent.' }),
    direction: t.field({
      type: LineageDirection,
      description: 'Where to look from it; both ways where absent.',
    }),
    expiresAt: t.field({
      type: 'DateTime',
      description: 'When it ends, within the next 366 days; after 30 days where absent.',
    }),
  }),
});

builder.mutationField('embedLineage', (t) =>
  t.field({
    type: AddressRef,
    description:
      'Make a signed address of the picture of lineage around a resource, to embed. It shows what you may see when it is looked at, and ends with its time, with the key that made it, and with your account. Everybody may.',
    args: createArgs(EmbedLineageInput),
    resolve: (_root, { input }, ctx) => makePictureAddress(ctx, input),
  }),
);
