// The scales and figures of a chart: values on each side of what decides.

import { expect, test } from 'vitest';
import { figure } from '../../../src/explorer/chart/figures.ts';
import {
  areasOf,
  type ChartPoint,
  labelled,
  nearest,
  paper,
  scaleOf,
  ticks,
} from '../../../src/explorer/chart/scale.ts';

const width = 1_000 + paper.left + paper.right;
const tall = paper.height - paper.top - paper.bottom;

/** Measurements a second apart. */
const pointsOf = (values: readonly number[], incidents: readonly number[] = []): ChartPoint[] =>
  values.map((value, at) => ({
    ...{ id: `${at}`, value, createdAt: new Date(at * 1_000).toISOString() },
    ...{ lowerThreshold: null, upperThreshold: null, markedNormal: false },
    incidentId: incidents.includes(at) ? 'incident' : null,
  }));

test('the first measurement stands at the left edge, the last one at the right', () => {
  const scale = scaleOf(pointsOf([1, 2, 3]), [], width);
  expect([scale.first, scale.last]).toEqual([0, 2_000]);
  expect([0, 1_000, 2_000].map(scale.x)).toEqual([
    paper.left,
    paper.left + 500,
    paper.left + 1_000,
  ]);
});

test('there is room below the lowest and above the highest value, and more is at the edge', () => {
  const scale = scaleOf(pointsOf([0, 100]), [], width);
  expect([scale.least, scale.most]).toEqual([-15, 125]);
  expect(scale.y(125)).toBe(paper.top);
  expect(scale.y(-15)).toBe(paper.top + tall);
  expect([1e6, -1e6].map(scale.y)).toEqual([paper.top, paper.top + tall]);
  const beyond = [-15.1, -15, 125, 125.1].map(scale.isBeyond);
  expect(beyond).toEqual([true, false, false, true]);
});

test('what was expected belongs to the scale, and an incident up to four times its height away', () => {
  const band = { at: 0, lower: 0, upper: null };
  const withLast = (value: number) => scaleOf(pointsOf([10, 20, value], [2]), [band], width);
  expect(withLast(100)).toMatchObject({ least: -15, most: 125, breakAt: null });
  expect(withLast(101)).toMatchObject({ least: -3, most: 25 });
  expect(withLast(101).breakAt).not.toBeNull();
  // Where there are only incidents they are all there is to show.
  expect(scaleOf(pointsOf([10, 20], [0, 1]), [], width)).toMatchObject({ least: 8.5, most: 22.5 });
});

test('a course that never changes lies within the scale, also at nought', () => {
  expect(scaleOf(pointsOf([40, 40]), [], width)).toMatchObject({ least: 34, most: 50 });
  expect(scaleOf(pointsOf([0, 0]), [], width)).toMatchObject({ least: -0.15, most: 0.25 });
});

test('a value far away breaks the scale: it lies where it is, and flattens nothing', () => {
  const usual = Array.from({ length: 40 }, (_, at) => at % 11);
  const calm = scaleOf(pointsOf(usual), [], width);
  const up = scaleOf(pointsOf([...usual, 2_000, 2_267], [40, 41]), [], width);
  expect(up).toMatchObject({ least: calm.least, most: calm.most });
  expect([10, 2_000, 2_267].map(up.isFar)).toEqual([false, true, true]);
  expect([10, 2_000, 2_267].map(up.isBeyond)).toEqual([false, false, false]);
  // The range lies in the lower 52 %, the breach in the upper 30 %, and the break between.
  expect(up.y(up.most)).toBeCloseTo(paper.top + tall * 0.48);
  expect(up.y(up.least)).toBeCloseTo(paper.top + tall);
  for (const value of [2_000, 2_267]) expect(up.y(value)).toBeLessThan(paper.top + tall * 0.3);
  expect(up.y(2_267)).toBeLessThan(up.y(2_000));
  expect(up.breakAt).toBeCloseTo(paper.top + tall * 0.39);
  // Far below it is the other way round; what is far on both sides lies at the edge on one of them.
  const down = scaleOf(pointsOf([...usual, -5_000], [40]), [], width);
  expect(down.y(down.least)).toBeCloseTo(paper.top + tall * 0.52);
  expect(down.y(-5_000)).toBeGreaterThan(paper.top + tall * 0.7);
  expect(down.breakAt).toBeCloseTo(paper.top + tall * 0.61);
  const both = scaleOf(pointsOf([...usual, -5_000, 5_000, 5_001]), [], width);
  expect([-5_000, 5_000].map(both.isBeyond)).toEqual([true, false]);
});

test('of a few measurements each has its label, of many the last and the last before a break', () => {
  const of = (values: readonly number[], wide = width, incidents: readonly number[] = []) => {
    const points = pointsOf(values, incidents);
    return labelled(points, scaleOf(points, [], wide));
  };
  expect(of([1, 2, 3, 4, 5])).toEqual([4, 3, 2, 1, 0]);
  expect(of([1, 2, 3, 4, 5, 6])).toEqual([5]);
  // Never two within 48 pixels.
  expect(of([1, 2, 3], paper.left + paper.right + 95)).toEqual([2, 0]);
  expect(of([1, 2, 3], paper.left + paper.right + 96)).toEqual([2, 1, 0]);
  const jumped = [...Array.from({ length: 20 }, (_, at) => at % 3), 900, 901];
  expect(of(jumped, width, [20, 21])).toEqual([21, 19]);
});

test('the time that is shown begins where it was chosen, also before the first measurement', () => {
  const scale = scaleOf(pointsOf([1, 2]), [], width, -1_000);
  expect([scale.first, scale.x(0)]).toEqual([-1_000, paper.left + 500]);
  expect(scaleOf(pointsOf([1, 2]), [], width, 500).first).toBe(0);
});

test('the lines of a scale are 1, 2 or 5 times a power of ten apart, and none is outside', () => {
  expect(ticks(0, 10, 5)).toEqual([0, 2, 4, 6, 8, 10]);
  expect(ticks(1, 9.9, 5)).toEqual([2, 4, 6, 8]);
  expect(ticks(0, 10, 2)).toEqual([0, 5, 10]);
  expect(ticks(0, 100, 10)).toEqual([0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100]);
  expect(ticks(7, 7, 4)).toEqual([7]);
  const hours = (least: number, most: number) =>
    ticks(least * 3_600, most * 3_600, 5, true).map((second) => second / 3_600);
  expect(hours(0, 24)).toEqual([0, 6, 12, 18, 24]);
  expect(hours(0, 36)).toEqual([0, 12, 24, 36]);
  expect(hours(0, 8)).toEqual([0, 2, 4, 6, 8]);
});

test('a stretch without a range divides the area of what was expected', () => {
  const scale = scaleOf(pointsOf([0, 100]), [], width);
  const band = (at: number, lower: number | null, upper: number | null) => ({ at, lower, upper });
  const whole = areasOf([band(0, 0, 50), band(500, 0, 60)], scale);
  expect(whole).toHaveLength(1);
  expect(whole[0]?.split(' ')).toHaveLength(4);
  const parted = [
    band(0, 0, 50),
    band(1, 0, 60),
    band(2, null, null),
    band(3, 1, 2),
    band(4, 1, 2),
  ];
  expect(areasOf(parted, scale)).toHaveLength(2);
  // Of one moment there is no area; an open end reaches to the edge.
  expect(areasOf([band(0, 0, 50)], scale)).toEqual([]);
  const [open] = areasOf([band(0, null, 50), band(1, 0, null)], scale);
  expect(open?.split(' ')[1]).toBe(`${scale.x(1)},${scale.y(scale.most)}`);
  expect(open?.split(' ').at(-1)).toBe(`${scale.x(0)},${scale.y(scale.least)}`);
});

test('a pointer means the measurement that is nearest, the later one of two', () => {
  const points = pointsOf([1, 2, 3]);
  const scale = scaleOf(points, [], width);
  const at = (left: number) => nearest(points, scale, paper.left + left);
  expect([-100, 0, 249, 251, 749, 751, 5_000].map(at)).toEqual([0, 0, 0, 1, 1, 2, 2]);
  expect(at(250)).toBe(1);
});

test.each([
  ['freshness', 108_000, '30 h'],
  ['freshness', 172_799, '48 h'],
  ['freshness', 172_800, '2 d'],
  ['freshness', 86_399, '24 h'],
  ['freshness', 3_600, '1 h'],
  ['freshness', 60, '1 min'],
  ['freshness', 59.94, '59.9 s'],
  ['freshness', 0.5, '0.5 s'],
  ['job_duration', -7_200, '-2 h'],
  ['row_count', 99_999, '100,000'],
  ['row_count', 12_345.6, '12,350'],
  ['row_count', 100_000, '100K'],
  ['row_count', -1_234_567, '-1.23M'],
  ['null_percentage', 2.34567, '2.346%'],
  ['failure_rate', 5, '5%'],
  ['rate_of_rows', 5, '5'],
])('%s of %d reads %s', (metric, value, text) => {
  expect(figure(metric, value)).toBe(text);
});
