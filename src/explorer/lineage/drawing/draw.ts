// Painting lines, and boxes that are too small to read, on a canvas: of the page or of a thread.

import type { Point } from '../layout/layout.ts';
import { leadsBack, overlap, type Region } from '../scene.ts';
import { changes, type Lit, regionAt, type Sheet } from './sheet.ts';

/** Where the picture is, and how large. */
export interface View {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

/** In pixels of the page. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** What to paint: a view of a sheet on a canvas of some size. */
export interface Order {
  readonly size: Size;
  readonly view: View;
  /** Pixels of the canvas for one of the page. */
  readonly ratio: number;
  /** Of what is shown, by which one sees that a painting is of something else. */
  readonly version: number;
}

/** A sheet with what is worked out once for all of its views. */
export interface Drawing {
  readonly sheet: Sheet;
  /** The room that each line takes, as `regionAt` reads it. */
  readonly bounds: Float32Array;
  /** Of each line, 1 where it leads back around the cards that it comes from. */
  readonly back: Uint8Array;
  /** All lines as straight ones, each part of them once however many share it. */
  readonly far: { readonly direct: Path2D; readonly indirect: Path2D };
}

/** What a canvas of the page and one of a thread have in common. */
type Context = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

/** Below it boxes are painted; above it they are elements that can be read and reached. */
export const readable = 0.42;
/** Below it no one sees a bend. */
const bent = 0.15;
/** Of what only decides about rows: a line and a gap, in pixels of the screen. */
export const dashes = [5, 4];
/** How strong boxes off the path are. */
const fadedAlpha = 0.3;

interface Paint {
  readonly context: Context;
  readonly drawing: Drawing;
  readonly zoom: number;
}

/** A sheet, ready to be painted. */
export function drawingOf(sheet: Sheet): Drawing {
  const far = { direct: straight(sheet, 0), indirect: straight(sheet, 1) };
  const back = new Uint8Array(sheet.starts.length - 1).map((_, line) =>
    Number(leadsBack(pointsOf(sheet, line))),
  );
  return { sheet, bounds: boundsOf(sheet), back, far };
}

/** Paint what is in sight. */
export function draw(context: Context, order: Order, drawing: Drawing, lit: Lit | null): void {
  const { size, view, ratio } = order;
  const { zoom } = view;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, size.width, size.height);
  context.setTransform(ratio * zoom, 0, 0, ratio * zoom, ratio * view.x, ratio * view.y);
  const paint = { context, drawing, zoom };
  const seen = seenBy(size, view);
  // Up to one pixel of the screen a line costs software rendering a fraction of a wider one.
  const hair = 1 / (zoom * ratio);
  const isFar = zoom < bent;
  if (isFar) strokeFar(paint, lit ? 'line-faded' : 'line', hair);
  const near = linesIn(drawing, seen);
  const { changed } = drawing.sheet;
  const isLit = (line: number) => lit?.lines[line] === 1;
  for (const [at, change] of changes.entries()) {
    // Far out those that did not change are painted already.
    if (isFar && change === '') continue;
    const some = near.filter((line) => changed[line] === at && !isLit(line));
    const name = change === '' ? 'line' : `line-${change}`;
    stroke(paint, some, lit ? 'line-faded' : name, hair);
  }
  // What closes a circle is seen as such.
  const circles = near.filter((line) => drawing.back[line] === 1 && !isLit(line));
  if (!lit) stroke(paint, circles, 'warning', 1.5 / zoom);
  if (lit) stroke(paint, near.filter(isLit), 'flow', 2 / zoom);
  if (zoom < readable) fill(paint, seen, lit);
}

/** The part of the picture that a view of some size shows. */
export function seenBy({ width, height }: Size, { x, y, zoom }: View): Region {
  return {
    left: -x / zoom,
    top: -y / zoom,
    right: (width - x) / zoom,
    bottom: (height - y) / zoom,
  };
}

/** How far a line leaves its start before it turns to its end. */
export function bendOf(from: Point, to: Point): number {
  return Math.max(36, Math.abs(to.x - from.x) / 2);
}

function linesIn({ bounds, sheet }: Drawing, seen: Region): number[] {
  const found: number[] = [];
  for (let line = 0; line < sheet.starts.length - 1; line += 1) {
    if (overlap(regionAt(bounds, line), seen)) found.push(line);
  }
  return found;
}

function stroke(paint: Paint, lines: readonly number[], color: string, width: number): void {
  const { context, drawing, zoom } = paint;
  const { sheet } = drawing;
  context.strokeStyle = sheet.colors.get(color) ?? 'gray';
  context.fillStyle = context.strokeStyle;
  for (const own of new Set(lines.map((line) => sheet.widths[line] ?? 0))) {
    context.lineWidth = Math.max(width, own);
    for (const isDashed of [0, 1]) {
      const some = lines.filter(
        (line) => sheet.indirect[line] === isDashed && sheet.widths[line] === own,
      );
      if (some.length === 0) continue;
      context.beginPath();
      for (const line of some) follow(context, pointsOf(sheet, line), zoom >= bent);
      context.setLineDash(isDashed === 1 ? dashes.map((length) => length / zoom) : []);
      context.stroke();
    }
  }
  context.setLineDash([]);
  if (zoom < readable) return;
  context.beginPath();
  for (const line of lines) arrowhead(context, pointsOf(sheet, line), sheet.widths[line] ?? 0);
  context.fill();
}

/** All lines at once, straight, by paths that were made with the drawing. */
function strokeFar({ context, drawing, zoom }: Paint, color: string, width: number): void {
  context.strokeStyle = drawing.sheet.colors.get(color) ?? 'gray';
  context.lineWidth = width;
  context.stroke(drawing.far.direct);
  context.setLineDash(dashes.map((length) => length / zoom));
  context.stroke(drawing.far.indirect);
  context.setLineDash([]);
}

function fill({ context, drawing }: Paint, seen: Region, lit: Lit | null): void {
  const { boxes, fills } = drawing.sheet;
  let last = '';
  for (const [at, color] of fills.entries()) {
    const box = regionAt(boxes, at);
    if (!overlap(box, seen)) continue;
    if (color !== last) context.fillStyle = color;
    last = color;
    context.globalAlpha = lit?.cards[at] === 0 ? fadedAlpha : 1;
    // Of many rectangles in one path software rendering makes much more work.
    context.fillRect(box.left, box.top, box.right - box.left, box.bottom - box.top);
  }
  context.globalAlpha = 1;
}

function pointsOf({ points, starts }: Sheet, line: number): Point[] {
  const found: Point[] = [];
  const end = starts[line + 1] ?? 0;
  for (let at = starts[line] ?? 0; at < end; at += 1) {
    found.push({ x: points[2 * at] ?? 0, y: points[2 * at + 1] ?? 0 });
  }
  return found;
}

function boundsOf(sheet: Sheet): Float32Array {
  const count = sheet.starts.length - 1;
  const bounds = new Float32Array(4 * count);
  for (let line = 0; line < count; line += 1) {
    const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
    for (const { x, y } of pointsOf(sheet, line)) {
      box.left = Math.min(box.left, x);
      box.top = Math.min(box.top, y);
      box.right = Math.max(box.right, x);
      box.bottom = Math.max(box.bottom, y);
    }
    bounds.set([box.left, box.top, box.right, box.bottom], 4 * line);
  }
  return bounds;
}

/** The lines of a source share most of their way: drawn once, a tenth of the length is left. */
function straight(sheet: Sheet, indirect: 0 | 1): Path2D {
  const path = new Path2D();
  const drawn = new Set<string>();
  for (let line = 0; line < sheet.starts.length - 1; line += 1) {
    if (sheet.indirect[line] !== indirect) continue;
    let from: Point | undefined;
    for (const to of pointsOf(sheet, line)) {
      const part = from && `${from.x} ${from.y} ${to.x} ${to.y}`;
      if (from && part && !drawn.has(part)) {
        drawn.add(part);
        path.moveTo(from.x, from.y);
        path.lineTo(to.x, to.y);
      }
      from = to;
    }
  }
  return path;
}

function follow(context: Context, points: readonly Point[], isBent: boolean) {
  if (isBent && leadsBack(points)) return followCorners(context, points);
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

/** Straight lines with a round turn at each corner. */
function followCorners(context: Context, points: readonly Point[]): void {
  const [first, ...rest] = points;
  if (!first) return;
  context.moveTo(first.x, first.y);
  for (const [at, corner] of rest.entries()) {
    const next = rest[at + 1];
    if (next) context.arcTo(corner.x, corner.y, next.x, next.y, roundness(first, rest, at));
    else context.lineTo(corner.x, corner.y);
  }
}

/** The radius at a corner: as the design has it, and less where the parts that meet there are short. */
function roundness(first: Point, rest: readonly Point[], at: number): number {
  const [before, corner, next] = [rest[at - 1] ?? first, rest[at], rest[at + 1]];
  if (!corner || !next) return 0;
  const length = (a: Point, b: Point) => Math.abs(a.x - b.x) + Math.abs(a.y - b.y);
  return Math.min(36, length(before, corner) / 2, length(corner, next) / 2);
}

function arrowhead(context: Context, points: readonly Point[], width: number): void {
  const [before, tip] = points.slice(-2);
  if (!before || !tip) return;
  // The line ends within it, however wide.
  const half = Math.max(4, 0.8 * width);
  if (before.x === tip.x) {
    context.moveTo(tip.x, tip.y + 5);
    context.lineTo(tip.x - half, tip.y - 3);
    context.lineTo(tip.x + half, tip.y - 3);
    return;
  }
  context.moveTo(tip.x + 5, tip.y);
  context.lineTo(tip.x - 3, tip.y - half);
  context.lineTo(tip.x - 3, tip.y + half);
}
