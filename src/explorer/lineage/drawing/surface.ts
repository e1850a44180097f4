// In charge of the canvas: painted for more than is in sight, it moves as a whole for as long as that will do.

import type { Scene } from '../scene.ts';
import type { Trace } from '../trace.ts';
import {
  type Drawing,
  draw,
  drawingOf,
  type Order,
  readable,
  type Size,
  type View,
} from './draw.ts';
import { openPainter, type Painter, type Painting } from './painter.ts';
import { type Lit, litOf, type Sheet, sheetOf } from './sheet.ts';

/** The canvas below the cards. */
export interface Surface {
  resize(size: Size): void;
  show(scene: Scene, lit: Trace | null): void;
  /** Show a view: by moving what is painted where that will do. */
  look(view: View): void;
  /** Show the view sharply, once nothing moves. */
  rest(view: View): void;
  close(): void;
}

/** Cards are made, and lines painted, for so much more than what is in sight: within it moving makes none. */
export const margin = 240;
/** Lines that the page paints by itself, within a frame; more are painted on a thread. */
const mostLines = 400;
/** What is painted may be shown as much larger or smaller before it is painted anew. */
const mostGrown = 1.25;
/** A painting is ordered from the thread while so much of the margin is left. */
const ahead = margin / 2;

/** What is shown; the thread has the drawing where it is large. */
interface Shown {
  readonly scene: Scene;
  readonly drawing: Drawing | null;
  readonly lit: Lit | null;
}

/** Of a painting: how the picture lay, and what it shows by the count of what was to be shown. */
interface Painted {
  readonly view: View;
  readonly version: number;
}

/** Paint on a canvas that is as much larger than its frame as the margin says, on each side. */
export function openSurface(canvas: HTMLCanvasElement): Surface {
  const context = canvas.getContext('2d');
  let size: Size = { width: 0, height: 0 };
  let shown: Shown | null = null;
  let painter: Painter | null = null;
  /** Counts what was to be shown: a painting of what was before is of no use. */
  let version = 0;
  let ordered: Painted | null = null;
  let painted: Painted | null = null;
  let view: View | null = null;
  let isResting = false;

  function show(next: View): void {
    view = next;
    if (shown && isDue(next, shown)) paint(next, shown);
    if (painted) canvas.style.transform = movedBy(painted.view, next);
  }
  function isDue(next: View, { drawing }: Shown): boolean {
    if (!painted || painted.version !== version) return true;
    if (isResting && painted.view !== next) return true;
    // Letters and lines that can be read are not to be blurred, where the page paints them in time.
    const most = drawing && next.zoom >= readable ? 1 : mostGrown;
    return !covers(painted.view, next, { size, most, left: drawing ? 0 : ahead });
  }
  function paint(next: View, { drawing, lit }: Shown): void {
    const order = {
      size: { width: size.width + 2 * margin, height: size.height + 2 * margin },
      view: { ...next, x: next.x + margin, y: next.y + margin },
      ratio: devicePixelRatio,
    };
    if (drawing && context) {
      stretch(canvas, order);
      draw(context, order, drawing, lit);
      painted = { view: next, version };
    } else if (painter && !painter.isBusy) {
      painter.paint(order);
      ordered = { view: next, version };
    }
  }
  function receive({ order, image }: Painting): void {
    if (ordered?.version === version && context) {
      stretch(canvas, order);
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.clearRect(0, 0, canvas.width, canvas.height);
      context.drawImage(image, 0, 0);
      painted = ordered;
    }
    image.close();
    if (view) show(view);
  }
  function hand(sheet: Sheet): void {
    painter ??= openPainter(receive);
    painter.show(sheet);
  }

  return {
    resize(next) {
      size = next;
      version += 1;
    },
    show(scene, trace) {
      const isLarge = scene.ways.length > mostLines;
      const lit = litOf(scene, trace);
      if (scene === shown?.scene) shown = { ...shown, lit };
      else {
        const sheet = sheetOf(scene);
        shown = { scene, lit, drawing: isLarge ? null : drawingOf(sheet) };
        if (isLarge) hand(sheet);
      }
      if (isLarge) painter?.light(lit);
      version += 1;
    },
    look(next) {
      isResting = false;
      // A layer of its own while it moves, which is not painted anew.
      canvas.style.willChange = 'transform';
      show(next);
    },
    rest(next) {
      isResting = true;
      canvas.style.willChange = '';
      show(next);
    },
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

/** How what was painted for a view shows another, as CSS says it. */
function movedBy(painted: View, view: View): string {
  const grown = view.zoom / painted.zoom;
  const [x, y] = [view.x - painted.x * grown, view.y - painted.y * grown];
  return `translate(${x}px, ${y}px) scale(${grown})`;
}

interface Cover {
  readonly size: Size;
  /** As how much larger or smaller it may be shown. */
  readonly most: number;
  /** Pixels of the margin that are to be left. */
  readonly left: number;
}

/** Whether what was painted for a view is enough to show another. */
function covers(painted: View, view: View, { size, most, left }: Cover): boolean {
  const grown = view.zoom / painted.zoom;
  if (grown > most || grown < 1 / most) return false;
  const isWithin = (from: number, length: number) =>
    from - margin * grown <= -left && from + (length + margin) * grown >= length + left;
  return (
    isWithin(view.x - painted.x * grown, size.width) &&
    isWithin(view.y - painted.y * grown, size.height)
  );
}
