// In charge of painting lines, and boxes that are too small to read, on the canvas.

import type { Point } from './layout/layout.ts';
import {
  kindColor,
  overlap,
  type Placed,
  type Region,
  regionOf,
  type Scene,
  type Way,
} from './scene.ts';
import type { Trace } from './trace.ts';

/** Where the picture is, and how large. */
export interface View {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

/** Below it boxes are painted; above it they are elements that can be read and reached. */
export const readable = 0.42;
/** Below it nobody sees a bend. */
const bent = 0.15;
/** Of what only decides about rows: a line and a gap, in pixels of the screen. */
export const dashes = [5, 4];
/** How strong boxes off the path are. */
const fadedAlpha = 0.3;

interface Paint {
  readonly context: CanvasRenderingContext2D;
  readonly scene: Scene;
  readonly zoom: number;
  readonly seen: Region;
}

/** Paint what is in sight. `size` is that of the canvas in pixels of the page. */
export function draw(
  context: CanvasRenderingContext2D,
  size: { readonly width: number; readonly height: number },
  { x, y, zoom }: View,
  scene: Scene,
  lit: Trace | null,
): void {
  const ratio = devicePixelRatio;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, size.width, size.height);
  context.setTransform(ratio * zoom, 0, 0, ratio * zoom, ratio * x, ratio * y);
  const seen = seenBy(size, { x, y, zoom });
  const paint = { context, scene, zoom, seen };
  const isLit = ({ id }: Way) => lit?.lines.has(id) ?? false;
  // Up to one pixel of the screen a line costs software rendering a fraction of a wider one.
  const hair = 1 / (zoom * ratio);
  if (zoom < bent) strokeFar(paint, lit ? 'line-faded' : 'line', hair);
  const isFar = zoom < bent;
  const near =
    isFar && !lit && !scene.isCompared ? [] : scene.ways.filter((way) => overlap(way, seen));
  if (!isFar) {
    const plain = near.filter((way) => way.change === '' && !isLit(way));
    stroke(paint, plain, lit ? 'line-faded' : 'line', hair);
  }
  for (const change of ['new', 'gone'] as const) {
    const some = near.filter((way) => way.change === change && !isLit(way));
    stroke(paint, some, lit ? 'line-faded' : `line-${change}`, hair);
  }
  if (lit) stroke(paint, near.filter(isLit), 'flow', 2 / zoom);
  if (zoom < readable) fill(paint, lit);
}

/** The part of the picture that a view of some size shows. */
export function seenBy(
  { width, height }: { readonly width: number; readonly height: number },
  { x, y, zoom }: View,
): Region {
  return {
    left: -x / zoom,
    top: -y / zoom,
    right: (width - x) / zoom,
    bottom: (height - y) / zoom,
  };
}

function stroke(paint: Paint, ways: readonly Way[], color: string, width: number): void {
  const { context, scene, zoom } = paint;
  context.strokeStyle = scene.colors.get(color) ?? 'gray';
  context.fillStyle = context.strokeStyle;
  context.lineWidth = width;
  for (const isDashed of [false, true]) {
    const some = ways.filter(({ isIndirect }) => isIndirect === isDashed);
    if (some.length === 0) continue;
    context.beginPath();
    for (const { points } of some) follow(context, points, zoom >= bent);
    context.setLineDash(isDashed ? dashes.map((length) => length / zoom) : []);
    context.stroke();
  }
  context.setLineDash([]);
  if (zoom < readable) return;
  context.beginPath();
  for (const { points } of ways) arrowhead(context, points.at(-1));
  context.fill();
}

/** All lines at once, straight, by paths that were made with the scene. */
function strokeFar({ context, scene, zoom }: Paint, color: string, width: number): void {
  context.strokeStyle = scene.colors.get(color) ?? 'gray';
  context.lineWidth = width;
  context.stroke(scene.far.direct);
  context.setLineDash(dashes.map((length) => length / zoom));
  context.stroke(scene.far.indirect);
  context.setLineDash([]);
}

function fill({ context, scene, seen }: Paint, lit: Trace | null): void {
  const inSight = scene.cards.filter((placed) => overlap(regionOf(placed), seen));
  let last = '';
  for (const { card, x, y } of inSight) {
    if (card.resource.kind !== last) context.fillStyle = kindColor(scene, card.resource.kind);
    last = card.resource.kind;
    context.globalAlpha = isOff(card.id, lit) ? fadedAlpha : 1;
    // Of many rectangles in one path software rendering makes much more work.
    context.fillRect(x, y, card.width, card.height);
  }
  context.globalAlpha = 1;
}

function isOff(id: Placed['card']['id'], lit: Trace | null): boolean {
  return lit !== null && !lit.ids.has(id);
}

function follow(context: CanvasRenderingContext2D, points: readonly Point[], isBent: boolean) {
  let from: Point | undefined;
  for (const to of points) {
    if (!from) context.moveTo(to.x, to.y);
    else if (!isBent || from.y === to.y) context.lineTo(to.x, to.y);
    else {
      const bend = bendOf(from, to);
      context.bezierCurveTo(from.x + bend, from.y, to.x - bend, to.y, to.x, to.y);
    }
    from = to;
  }
}

/** How far a line leaves its start before it turns to its end. */
export function bendOf(from: Point, to: Point): number {
  return Math.max(36, Math.abs(to.x - from.x) / 2);
}

function arrowhead(context: CanvasRenderingContext2D, tip: Point | undefined): void {
  if (!tip) return;
  context.moveTo(tip.x + 5, tip.y);
  context.lineTo(tip.x - 3, tip.y - 4);
  context.lineTo(tip.x - 3, tip.y + 4);
}
