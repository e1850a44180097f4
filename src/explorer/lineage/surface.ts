// In charge of the canvas: painted for more than is in sight, it moves as a whole for as long as that will do.

import { draw, readable, type View } from './draw.ts';
import type { Scene } from './scene.ts';
import type { Trace } from './trace.ts';

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The canvas below the cards. */
export interface Surface {
  resize(size: Size): void;
  show(scene: Scene, lit: Trace | null): void;
  /** Show a view: by moving what is painted where that will do. */
  look(view: View): void;
  /** Show the view sharply, once nothing moves. */
  rest(view: View): void;
}

/** Cards are made, and lines painted, for so much more than what is in sight: within it moving makes none. */
export const margin = 240;
/** Far out what is painted may be shown as much larger or smaller before it is painted anew. */
const mostGrown = 1.25;

/** Paint on a canvas that is larger than its frame by the margin on each side. */
export function openSurface(canvas: HTMLCanvasElement): Surface {
  const context = canvas.getContext('2d');
  let size: Size = { width: 0, height: 0 };
  let shown: { scene: Scene; lit: Trace | null } | null = null;
  /** How the picture lay when the canvas was painted; null where that shows something else. */
  let painted: View | null = null;

  function paint(view: View): void {
    if (!context || !shown) return;
    const wide = { width: size.width + 2 * margin, height: size.height + 2 * margin };
    const within = { ...view, x: view.x + margin, y: view.y + margin };
    draw(context, wide, within, shown.scene, shown.lit);
    painted = view;
    canvas.style.transform = '';
  }

  return {
    resize(next) {
      size = next;
      canvas.width = (size.width + 2 * margin) * devicePixelRatio;
      canvas.height = (size.height + 2 * margin) * devicePixelRatio;
      painted = null;
    },
    show(scene, lit) {
      shown = { scene, lit };
      painted = null;
    },
    look(view) {
      const moved = painted && movedBy(painted, view, size);
      if (moved) canvas.style.transform = moved;
      else paint(view);
      // A layer of its own while it moves, which is not painted anew.
      canvas.style.willChange = 'transform';
    },
    rest(view) {
      canvas.style.willChange = '';
      if (painted !== view) paint(view);
    },
  };
}

/** How what was painted for a view shows another, as CSS says it; null where it must be painted anew. */
function movedBy(painted: View, view: View, size: Size): string | null {
  const grown = view.zoom / painted.zoom;
  // Letters and lines that can be read are not to be blurred.
  const most = view.zoom < readable ? mostGrown : 1;
  if (grown > most || grown < 1 / most) return null;
  const [x, y] = [view.x - painted.x * grown, view.y - painted.y * grown];
  const covers = (from: number, length: number) =>
    from - margin * grown <= 0 && from + (length + margin) * grown >= length;
  if (!covers(x, size.width) || !covers(y, size.height)) return null;
  return `translate(${x}px, ${y}px) scale(${grown})`;
}
