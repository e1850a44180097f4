// Upload and download of images in texts, over REST.

import { readFile } from 'node:fs/promises';
import type { Context } from '../../context.ts';
import { invalidField } from '../../errors.ts';
import type { Route } from '../../rest/route.ts';
import { receiveUpload } from '../../rest/upload.ts';
import { addImage, maxImageBytes, mustMayAddImages, readImage } from './image.ts';
import { mediaTypes } from './media-type.ts';

/** An image never changes: what has its address may keep it for a year. */
const forGood = 'private, max-age=31536000, immutable';

/** `POST /images` and `GET /images/:image_id`; uploads lie in a folder while they are read. */
export function imageRoutes({ folder }: { readonly folder: string }): Route<Context>[] {
  return [uploadRoute(folder), downloadRoute];
}

const record = {
  type: 'object',
  required: ['id', 'url', 'media_type', 'size'],
  properties: {
    id: { type: 'string', format: 'uuid' },
    url: { type: 'string', description: 'Its address, as a text refers to it.' },
    media_type: { type: 'string', description: 'Media type, by the first bytes.' },
    size: { type: 'integer', description: 'Its bytes.' },
  },
};

function uploadRoute(folder: string): Route<Context> {
  const form = {
    type: 'object',
    required: ['file'],
    properties: {
      file: { type: 'string', format: 'binary', description: 'A PNG, JPEG, GIF or WebP image.' },
    },
  };
  return {
    method: 'POST',
    path: '/images',
    scope: 'WRITE',
    document: {
      operationId: 'UploadImage',
      tag: 'Documents',
      summary: 'Upload an image for a text',
      description:
        `At most ${maxImageBytes / 1_000_000} MB. A text shows it by its address: \`![Revenue by month](url)\`. ` +
        'What no text shows any more is deleted after `RETENTION_IMAGES_DAYS`.',
      requestBody: {
        required: true,
        content: { 'multipart/form-data': { schema: form } },
      },
      responses: {
        201: {
          description: 'The image is kept.',
          content: { 'application/json': { schema: record } },
        },
      },
      errors: [400, 408, 413, 415, 422, 507],
    },
    async handle({ request, context, base, meetUnknown }) {
      mustMayAddImages(context);
      await using upload = await receiveUpload(request, {
        ...{ files: ['file'], maxBytes: maxImageBytes, folder, meetUnknown },
      });
      const [file] = upload.files.get('file') ?? [];
      if (!file) throw invalidField('file', 'The file is missing.');
      const { id, mediaType, size } = await addImage(context, await readFile(file.path));
      const url = `${base}/images/${id}`;
      return { status: 201, body: { id, url, media_type: mediaType, size } };
    },
  };
}

const downloadRoute: Route<Context> = {
  method: 'GET',
  path: '/images/:image_id',
  scope: 'READ',
  isBounded: true,
  document: {
    operationId: 'DownloadImage',
    tag: 'Documents',
    summary: 'Download an image of a text',
    responses: {
      200: {
        description: 'The image, as it was uploaded.',
        content: Object.fromEntries(
          mediaTypes.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]),
        ),
      },
    },
    errors: [429],
  },
  async handle({ context, params, headers }) {
    const { mediaType, content } = await readImage(context, params.image_id ?? '');
    headers.set('cache-control', forGood);
    return { status: 200, file: { type: mediaType, content } };
  },
};
