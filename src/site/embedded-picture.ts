// Pictures of lineage in the frames of other pages: the only pages of ours that show in one.

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Context } from '../context.ts';
import type { Database } from '../database/database.ts';
import { CatalogError, statusOf } from '../errors.ts';
import { framedHeaders } from '../http/strict-headers.ts';
import type { RequestBounds } from '../limits/bounds.ts';
import {
  openPicture,
  picturePath,
  type SignedPicture,
} from '../lineage/embedding/picture-address.ts';
import { pictureSvg } from '../lineage/embedding/picture-svg.ts';
import { lineage } from '../lineage/graph.ts';
import { readShown } from '../resources/loaders.ts';
import { getResource } from '../resources/resource.ts';
import { escapedText } from '../text/html.ts';

/** More boxes make no picture. */
const maxBoxes = 100;

/** What pictures are drawn from. */
export interface PictureParts {
  readonly database: Database;
  readonly bounds: RequestBounds;
  readonly now: () => Date;
  readonly onUnexpected: (error: unknown) => void;
}

/** Whether a request is for a picture. */
export function isForPicture({ method }: IncomingMessage, path: string): boolean {
  return path === picturePath && (method === 'GET' || method === 'HEAD');
}

/** Answers requests for pictures. */
export function createPictures({
  database,
  bounds,
  now,
  onUnexpected,
}: PictureParts): RequestListener {
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const token = new URL(request.url ?? '', 'http://here').searchParams.get('of') ?? '';
    try {
      const opened = await openPicture(database, token, now());
      if (!opened) return send(response, 404, 'This picture has ended, or never was.');
      const { ctx, picture } = opened;
      send(response, 200, await bounds.run(ctx, (within) => draw(within, picture)));
    } catch (error) {
      if (!(error instanceof CatalogError)) throw error;
      send(response, statusOf(error.code), 'This picture cannot be shown now.');
    }
  };
  return (request, response) => {
    answer(request, response).catch((error: unknown) => {
      onUnexpected(error);
      if (!response.headersSent) send(response, 500, 'This picture cannot be shown now.');
    });
  };
}

async function draw(ctx: Context, { resourceId, depth, direction }: SignedPicture) {
  // It may have been merged into another since.
  const { id, titleFull } = await getResource(ctx, resourceId);
  const graph = await lineage(ctx, { from: [id], depth, direction, maxNodes: maxBoxes });
  const shown = await readShown(
    ctx,
    graph.nodes.map((node) => node.id),
    null,
  );
  const boxes = graph.nodes.flatMap((node) => {
    const resource = shown.get(node.id);
    if (!resource) return [];
    const column = node.direction === 'UPSTREAM' ? -node.depth : node.depth;
    return { id: resource.id, title: resource.title, kind: resource.kind, column };
  });
  const more = graph.truncated ? '<p>There is more than this picture shows.</p>' : '';
  const svg = pictureSvg(boxes, await graph.edges());
  return { title: `Lineage of ${titleFull}`, body: svg + more };
}

function send(
  response: ServerResponse,
  status: number,
  said: string | { readonly title: string; readonly body: string },
): void {
  const { title, body } =
    typeof said === 'string' ? { title: said, body: `<p role="alert">${said}</p>` } : said;
  response.writeHead(status, {
    ...framedHeaders,
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
  });
  response.end(`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escapedText(title)}</title></head>
<body>
${body}
</body>
</html>
`);
}
