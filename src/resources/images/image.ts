// Images in texts: uploaded, never changed, and shown to everyone of the workspace.

import { record } from '../../audit/audit.ts';
import { mustBeAllowed } from '../../auth/permission.ts';
import type { Context } from '../../context.ts';
import { columnsOf } from '../../database/columns.ts';
import { rows } from '../../database/rows.ts';
import { transaction } from '../../database/transaction.ts';
import { CatalogError, notFound, tooLarge } from '../../errors.ts';
import { type Image, Prisma } from '../../generated/prisma/client.ts';
import { mustHaveStorage } from '../../limits/workspace-limits.ts';
import { isUuid } from '../../text/uuid.ts';
import { mediaTypeOf } from './media-type.ts';

/** Bytes of an image at most. */
export const maxImageBytes = 2_000_000;

const columns = columnsOf(Prisma.ImageScalarFieldEnum, 'i');

/** Throws FORBIDDEN for those who write no texts. */
export function mustMayAddImages(ctx: Pick<Context, 'viewer'>): void {
  mustBeAllowed(ctx, 'ask questions');
}

/**
 * Keep an image for texts. Who may write a text may. Throws UNSUPPORTED_MEDIA_TYPE for what is no PNG, JPEG, GIF or
 * WebP, PAYLOAD_TOO_LARGE, and UNPROCESSABLE where the workspace may have no more storage.
 */
export async function addImage(ctx: Context, content: Uint8Array): Promise<Image> {
  mustMayAddImages(ctx);
  const mediaType = mediaTypeOf(content);
  if (mediaType === null) {
    throw new CatalogError('UNSUPPORTED_MEDIA_TYPE', 'Use a PNG, JPEG, GIF or WebP image.');
  }
  const size = content.byteLength;
  if (size > maxImageBytes)
    throw tooLarge(`An image may have ${maxImageBytes / 1_000_000} MB at most.`);
  await mustHaveStorage(ctx);
  return transaction(ctx, async (tx) => {
    const image = await tx.db.image.create({
      data: {
        ...{ workspaceId: tx.workspaceId, authorId: tx.viewer.id, createdAt: tx.now() },
        ...{ mediaType, size, content: new Uint8Array(content) },
      },
    });
    const title = `of ${size.toLocaleString('en')} bytes (${mediaType})`;
    const subject = { id: image.id, kind: 'image', title };
    await record(tx, { activity: 'image_created', subject });
    return image;
  });
}

/** An image of the workspace. Throws NOT_FOUND. */
export async function readImage(ctx: Context, id: string): Promise<Image> {
  const [image] = isUuid(id)
    ? await rows<Image>(
        ctx,
        Prisma.sql`select ${columns} from image i
          where i.workspace_id = ${ctx.workspaceId}::uuid and i.id = ${id}::uuid`,
      )
    : [];
  if (!image) throw notFound('Image', id);
  return image;
}
