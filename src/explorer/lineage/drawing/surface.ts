// The canvas: painted larger than the viewport, and moved as a whole as long as that suffices.

import type { Scene } from '../scene.ts';
import type { Trace } from '../trace.ts';
import { openBrush } from './brush.ts';
import { type Order, readable, type Size, type View } from './draw.ts';

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
/** What is painted may be shown as much larger or smaller before it is painted again. */
const mostGrown = 1.25;
/** A painting that takes its time is ordered while so much of the margin is left. */
const ahead = margin / 2;

/** Paint on a canvas that is larger than its frame by the margin, on each side. */
export function openSurface(canvas: HTMLCanvasElement): Surface {
  const brush = openBrush(canvas, (order) => {
    painted = order;
    if (view) show(view);
  });
  let size: Size = { width: 0, height: 0 };
  /** Counts what was to be shown. */
  let version = 0;
  let view: View | null = null;
  let painted: Order | null = null;
  let isResting = false;

  function show(next: View): void {
    view = next;
    const order = {
      size: { width: size.width + 2 * margin, height: size.height + 2 * margin },
      view: { ...next, x: next.x + margin, y: next.y + margin },
      ratio: devicePixelRatio,
      version,
    };
    if (brush.isFree && !(painted && suffices(painted, order))) brush.paint(order);
    if (painted) canvas.style.transform = movedBy(painted.view, order.view);
  }
  function suffices(before: Order, order: Order): boolean {
    if (before.version !== version || isResting) return isSame(before, order);
    // Letters and lines that can be read are not to be blurred, where they are painted in time.
    const most = brush.isQuick && order.view.zoom >= readable ? 1 : mostGrown;
    return covers(before, order, { most, left: brush.isQuick ? 0 : ahead });
  }

  return {
    resize(next) {
      size = next;
      version += 1;
    },
    show(scene, lit) {
      brush.show(scene, lit);
      version += 1;
    },
    look(next) {
      isResting = false;
      // A layer of its own while it moves, which is not painted again.
      canvas.style.willChange = 'transform';
      show(next);
    },
    rest(next) {
      isResting = true;
      canvas.style.willChange = '';
      show(next);
    },
    close: () => brush.close(),
  };
}

/** Whether two orders are for the same painting. */
function isSame(a: Order, b: Order): boolean {
  const [one, other] = [a.view, b.view];
  const isThere = one.x === other.x && one.y === other.y && one.zoom === other.zoom;
  return isThere && a.version === b.version;
}

/** How what was painted for a view shows another, as CSS says it. */
function movedBy(painted: View, view: View): string {
  const grown = view.zoom / painted.zoom;
  const [x, y] = [view.x - painted.x * grown, view.y - painted.y * grown];
  return `translate(${x}px, ${y}px) scale(${grown})`;
}

interface Cover {
  /** As how much larger or smaller it may be shown. */
  readonly most: number;
  /** Pixels of the margin that are to be left. */
  readonly left: number;
}

/** Whether what was painted is enough to show the view of another order. */
function covers(painted: Order, { view, size }: Order, { most, left }: Cover): boolean {
  const grown = view.zoom / painted.view.zoom;
  if (grown > most || grown < 1 / most) return false;
  const isWithin = (from: number, length: number) =>
    from <= margin - left && from + length * grown >= length - margin + left;
  return (
    isWithin(view.x - painted.view.x * grown, size.width) &&
    isWithin(view.y - painted.view.y * grown, size.height)
  );
}
