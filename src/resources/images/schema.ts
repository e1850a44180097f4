// Images in GraphQL: as our own pages read them, which can't send a key with the address of a picture.

import { builder } from '../../graphql/builder.ts';
import { readImage } from './image.ts';

const ImageRef = builder.prismaObject('Image', {
  fields: (t) => ({
    id: t.exposeID('id'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    mediaType: t.exposeString('mediaType'),
    size: t.exposeInt('size'),
    content: t.string({
      description: 'What it shows, in Base64.',
      resolve: ({ content }) => Buffer.from(content).toString('base64'),
    }),
  }),
});

builder.queryField('image', (t) =>
  t.field({
    type: ImageRef,
    nullable: true,
    description: 'An image in texts, as `POST /api/v1/images` takes them.',
    args: { id: t.arg.id({ required: true, description: 'Id of the image.' }) },
    resolve: (_root, { id }, ctx) => readImage(ctx, id),
  }),
);
