// The chart of a monitor's latest values as a picture, for mail: which shows no SVG.

import { type Colour, pngOf } from './png.ts';

/** A value, and the range that was expected of it; null for an end that there was not. */
export interface ChartPoint {
  readonly value: number;
  readonly lower: number | null;
  readonly upper: number | null;
}

export const chartWidth = 560;
export const chartHeight = 160;
const margin = 10;
/** Half the width of a value's mark. */
const mark = 2;

const paper = 0;
const band = 1;
const line = 2;
const outside = 3;
const colours: readonly Colour[] = [
  [255, 255, 255],
  [214, 236, 221],
  [52, 84, 140],
  [192, 40, 40],
];

/** The chart as a PNG file; null of fewer than two values, which are none. */
export function chartPicture(points: readonly ChartPoint[]): Buffer | null {
  if (points.length < 2) return null;
  const sheet = new Sheet();
  const scale = scaleOf(points);
  const step = (chartWidth - 2 * margin - 1) / (points.length - 1);
  const placeOf = (place: number) => Math.round(margin + place * step);
  for (const [place, { lower, upper }] of points.entries()) {
    // A range without an end reaches to the edge.
    if (lower === null && upper === null) continue;
    const top = upper === null ? margin : scale(upper);
    const bottom = lower === null ? chartHeight - margin : scale(lower);
    const half = Math.ceil(step / 2);
    sheet.fill(placeOf(place) - half, top, placeOf(place) + half, bottom, band);
  }
  for (const [place, { value }] of points.entries()) {
    const before = points[place - 1];
    if (before) sheet.stroke(placeOf(place - 1), scale(before.value), placeOf(place), scale(value));
  }
  for (const [place, point] of points.entries()) {
    const [x, y] = [placeOf(place), scale(point.value)];
    sheet.fill(x - mark, y - mark, x + mark, y + mark, isOutside(point) ? outside : line);
  }
  return pngOf({ width: chartWidth, height: chartHeight, points: sheet.points, colours });
}

const isOutside = ({ value, lower, upper }: ChartPoint): boolean =>
  (lower !== null && value < lower) || (upper !== null && value > upper);

/** Where a value stands from above. Values decide: a range that is much wider than they vary is cut. */
function scaleOf(points: readonly ChartPoint[]): (value: number) => number {
  const values = points.map(({ value }) => value);
  const ends = points.flatMap(({ lower, upper }) => [lower ?? [], upper ?? []].flat());
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const room = high - low || Math.abs(high) || 1;
  const least = Math.max(Math.min(low, ...ends), low - room);
  const most = Math.min(Math.max(high, ...ends), high + room);
  const height = chartHeight - 2 * margin - 1;
  return (value) => {
    const share = (value - least) / (most - least || 1);
    return Math.round(margin + height * (1 - Math.min(1, Math.max(0, share))));
  };
}

/** A sheet to draw on. What lies beyond its edges is cut. */
class Sheet {
  readonly points = new Uint8Array(chartWidth * chartHeight).fill(paper);

  fill(left: number, top: number, right: number, bottom: number, colour: number): void {
    for (let y = Math.max(0, top); y <= Math.min(chartHeight - 1, bottom); y++) {
      const [from, to] = [Math.max(0, left), Math.min(chartWidth - 1, right)];
      this.points.fill(colour, y * chartWidth + from, y * chartWidth + to + 1);
    }
  }

  stroke(fromX: number, fromY: number, toX: number, toY: number): void {
    const steps = Math.max(Math.abs(toX - fromX), Math.abs(toY - fromY), 1);
    for (let at = 0; at <= steps; at++) {
      const x = Math.round(fromX + ((toX - fromX) * at) / steps);
      const y = Math.round(fromY + ((toY - fromY) * at) / steps);
      this.fill(x, y, x + 1, y + 1, line);
    }
  }
}
