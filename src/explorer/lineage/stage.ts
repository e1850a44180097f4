// Viewport: moving and zooming, and when cards are made for another part of the picture.

import { readable, seenBy, type View } from './drawing/draw.ts';
import { margin, openSurface } from './drawing/surface.ts';
import type { Point } from './layout/layout.ts';
import { overlap, type Region, type Scene } from './scene.ts';
import type { Trace } from './trace.ts';

/** The elements of the page that show the picture. */
export interface Places {
  readonly frame: HTMLElement;
  readonly canvas: HTMLCanvasElement;
  /** Moves with the picture; cards are in it. */
  readonly layer: HTMLElement;
}

/** The part of the picture for which cards are elements; null where they are too small to be read. */
export type Near = Region | null;

export interface Stage {
  /** Show a picture, with a path lit or none. */
  show(scene: Scene, lit: Trace | null): void;
  /** Bring all of it into sight, or where it is too large, what is at a point. */
  fit(box: { readonly width: number; readonly height: number }, at: Point): void;
  /** Move by pixels of the screen. */
  move(x: number, y: number): void;
  /** Zoom around a point of the frame, or around its middle. */
  zoom(factor: number, at?: Point): void;
  /** Bring a point of the picture into the middle, unless it is in sight. */
  reveal(at: Point): void;
  /** Keep in its place on the screen what moved in the picture. */
  hold(from: Point, to: Point): void;
  close(): void;
}

const zooms = { least: 0.03, most: 1.6, firstLeast: 0.6, firstMost: 1 };
/** After this long without moving, letters are painted sharp again. */
const restMs = 200;
const room = { width: 80, height: 120 };

/** Show a picture in elements of the page; `onNear` is called with which part of it needs cards. */
export function openStage({ frame, canvas, layer }: Places, onNear: (near: Near) => void): Stage {
  const surface = openSurface(canvas);
  let view: View = { x: 40, y: 40, zoom: 1 };
  let size = { width: 0, height: 0 };
  let near: Near | undefined;
  let wanted = 0;
  let resting = 0;
  /** What was to be brought into sight before the frame had a size. */
  let waiting: (() => View) | null = null;

  function paint(): void {
    surface.look(view);
    layer.style.transform = `translate(${view.x}px, ${view.y}px) scale(${view.zoom})`;
    layer.style.willChange = 'transform';
    clearTimeout(resting);
    resting = window.setTimeout(() => {
      layer.style.willChange = '';
      surface.rest(view);
    }, restMs);
    const seen = seenBy(size, view);
    if (view.zoom < readable) setNear(null);
    else if (!near || !holds(near, seen)) setNear(widened(seen));
  }
  function setNear(next: Near): void {
    if (next === near) return;
    near = next;
    onNear(next);
  }
  function later(): void {
    cancelAnimationFrame(wanted);
    wanted = requestAnimationFrame(paint);
  }
  function setView(next: View): void {
    view = next;
    later();
  }
  const observer = new ResizeObserver(() => {
    size = { width: frame.clientWidth, height: frame.clientHeight };
    surface.resize(size);
    if (waiting && size.width > 0) {
      view = waiting();
      waiting = null;
    }
    later();
  });
  observer.observe(frame);
  size = { width: frame.clientWidth, height: frame.clientHeight };
  const middle = () => ({ x: size.width / 2, y: size.height / 2 });

  return {
    show(scene, lit) {
      surface.show(scene, lit);
      later();
    },
    fit(box, at) {
      if (size.width === 0) waiting = () => fitting(size, box, at);
      else setView(fitting(size, box, at));
    },
    move: (x, y) => setView({ ...view, x: view.x + x, y: view.y + y }),
    zoom(factor, at = middle()) {
      const zoom = Math.min(zooms.most, Math.max(zooms.least, view.zoom * factor));
      const grown = zoom / view.zoom;
      setView({ zoom, x: at.x - (at.x - view.x) * grown, y: at.y - (at.y - view.y) * grown });
    },
    reveal({ x, y }) {
      const zoom = Math.max(view.zoom, zooms.firstLeast);
      const point = { left: x - 20, top: y - 20, right: x + 200, bottom: y + 60 };
      if (zoom === view.zoom && overlap(point, shrunk(seenBy(size, view)))) return;
      setView({ zoom, x: size.width / 2 - x * zoom, y: size.height / 2 - y * zoom });
    },
    hold(from, to) {
      const { x, y, zoom } = view;
      setView({ zoom, x: x + (from.x - to.x) * zoom, y: y + (from.y - to.y) * zoom });
    },
    close() {
      observer.disconnect();
      surface.close();
      cancelAnimationFrame(wanted);
      clearTimeout(resting);
    },
  };
}

/** All in the middle, as large as can be read; what does not fit is around the point. */
function fitting(
  size: { readonly width: number; readonly height: number },
  box: { readonly width: number; readonly height: number },
  at: Point,
): View {
  const [width, height] = [size.width - room.width, size.height - room.height];
  const whole = Math.min(width / box.width, height / box.height);
  const zoom = Math.min(zooms.firstMost, Math.max(zooms.firstLeast, whole));
  const [wide, high] = [box.width * zoom, box.height * zoom];
  return {
    zoom,
    x: wide <= width ? (size.width - wide) / 2 : 0.4 * size.width - at.x * zoom,
    y: high <= height ? (size.height - high) / 2 : size.height / 2 - at.y * zoom,
  };
}

function holds(outer: Region, inner: Region): boolean {
  return (
    outer.left <= inner.left &&
    outer.top <= inner.top &&
    outer.right >= inner.right &&
    outer.bottom >= inner.bottom
  );
}

function widened({ left, top, right, bottom }: Region): Region {
  return { left: left - margin, top: top - margin, right: right + margin, bottom: bottom + margin };
}

function shrunk({ left, top, right, bottom }: Region): Region {
  return { left: left + 40, top: top + 40, right: right - 240, bottom: bottom - 80 };
}
