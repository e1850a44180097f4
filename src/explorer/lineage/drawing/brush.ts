// Painting on the canvas: within a frame where there is little to paint, else by a thread.

import type { Scene } from '../scene.ts';
import type { Trace } from '../trace.ts';
import { type Drawing, draw, drawingOf, type Order } from './draw.ts';
import { openPainter, type Painter, type Painting } from './painter.ts';
import { type Lit, litOf, sheetOf } from './sheet.ts';

export interface Brush {
  /** Whether an order is taken: a thread has one at a time. */
  readonly isFree: boolean;
  /** Whether an order is painted before `paint` returns. */
  readonly isQuick: boolean;
  /** What is painted from the next order on. */
  show(scene: Scene, trace: Trace | null): void;
  paint(order: Order): void;
  close(): void;
}

/** Lines that the page paints by itself; more are painted on a thread. */
const mostLines = 400;

/** Paint on a canvas; `onPainted` is called with each order once the canvas shows it. */
export function openBrush(canvas: HTMLCanvasElement, onPainted: (order: Order) => void): Brush {
  const context = canvas.getContext('2d');
  let scene: Scene | null = null;
  /** Null where the thread has it. */
  let drawing: Drawing | null = null;
  let lit: Lit | null = null;
  let painter: Painter | null = null;
  let isLost = false;
  let last: Order | null = null;

  function receive({ order, image }: Painting): void {
    stretch(canvas, order);
    context?.setTransform(1, 0, 0, 1, 0, 0);
    context?.clearRect(0, 0, canvas.width, canvas.height);
    context?.drawImage(image, 0, 0);
    image.close();
    onPainted(order);
  }
  function take(next: Scene): void {
    scene = next;
    const sheet = sheetOf(next);
    if (isLost || next.ways.length <= mostLines) {
      drawing = drawingOf(sheet);
      return;
    }
    drawing = null;
    painter ??= openPainter(receive, lose);
    painter.show(sheet);
  }
  function paint(order: Order): void {
    last = order;
    if (!drawing) {
      painter?.paint(order);
      return;
    }
    stretch(canvas, order);
    if (context) draw(context, order, drawing, lit);
    onPainted(order);
  }
  /** Without a thread the page paints by itself, however long that takes. */
  function lose(): void {
    painter?.close();
    painter = null;
    isLost = true;
    if (scene) take(scene);
    if (last) paint(last);
  }

  return {
    get isFree() {
      return drawing !== null || (painter !== null && !painter.isBusy);
    },
    get isQuick() {
      return drawing !== null;
    },
    show(next, trace) {
      if (next !== scene) take(next);
      lit = litOf(next, trace);
      if (!drawing) painter?.light(lit);
    },
    paint,
    close: () => painter?.close(),
  };
}

/** Give a canvas the size of what is painted on it; it is emptied where it had another. */
function stretch(canvas: HTMLCanvasElement, { size, ratio }: Order): void {
  const [width, height] = [Math.round(size.width * ratio), Math.round(size.height * ratio)];
  if (canvas.width === width && canvas.height === height) return;
  canvas.width = width;
  canvas.height = height;
  canvas.style.width = `${size.width}px`;
  canvas.style.height = `${size.height}px`;
}
