// Painting of large pictures in a thread, so that the page stays responsive.

import { type Drawing, draw, drawingOf, type Order } from './draw.ts';
import type { ForPainter, Painting } from './painter.ts';
import type { Lit } from './sheet.ts';

const canvas = new OffscreenCanvas(1, 1);
const context = canvas.getContext('2d');
let drawing: Drawing | null = null;
let lit: Lit | null = null;

addEventListener('message', ({ data }: MessageEvent<ForPainter>) => {
  if (data.is === 'sheet') drawing = drawingOf(data.sheet);
  else if (data.is === 'lit') lit = data.lit;
  else paint(data.order);
});

function paint(order: Order): void {
  canvas.width = Math.round(order.size.width * order.ratio);
  canvas.height = Math.round(order.size.height * order.ratio);
  if (context && drawing) draw(context, order, drawing, lit);
  const image = canvas.transferToImageBitmap();
  const painting: Painting = { order, image };
  postMessage(painting, { transfer: [image] });
}
