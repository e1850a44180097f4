// The best width that ranges could have had around given forecasts, known when all is over.

import type { Rule } from '../baselines.ts';
import { FAULTS, faultyPoints, JUDGED_FROM, ordinaryPoints } from './judge.ts';
import type { RealSeries } from './series.ts';
import { meansBy, phaseOfEach, phasesOf } from './two-sided.ts';

/** What is expected of each point of a series, in the metric's unit; null where nothing is. */
export type Forecasts = readonly (number | null)[];

/** How far ranges reach to each side, in multiples of a size that each point has. */
interface Reach {
  readonly below: number;
  readonly above: number;
}

/** A judged point with its forecast, and the size of its range up to a factor. */
interface Judged {
  readonly value: number;
  readonly forecast: number;
  readonly size: number;
  readonly ordinary: boolean;
  readonly faulty: boolean;
}

/** This share of the ordinary points of a series is out of range, in whole points. */
const OUTSIDE = 0.005;
/** The powers of the forecast that widths go by: constant, its root, in proportion to it. */
const POWERS = [0, 0.5, 1] as const;
/** A forecast counts as this share of the series' mean at least. */
const LEAST = 0.02;
/** No phase errs less than this share of the mean error. */
const CALMEST = 0.05;
/** What is to be found: a value times 0, 0.5 and 2. */
const SOUGHT = FAULTS.slice(0, 3);
const TINY = 1e-9;

/**
 * A rule with the best width for a series. Of several forecasts, of widths that are constant, go with the
 * forecast or its root, or with the errors of the points around, all of these also by how much a phase
 * errs, and of all ways to share out between both sides the 0.5% of the ordinary points that are to be
 * outside, those are taken by which most faults are found.
 */
export function inHindsight(series: RealSeries, several: readonly Forecasts[]): Rule {
  const tried = several.flatMap((forecasts) =>
    sizesFor(series, forecasts).map((sizes) => {
      return { forecasts, sizes, ...bestReach(judgedPoints(series, forecasts, sizes)) };
    }),
  );
  const best = tried.reduce((a, b) => (b.found > a.found ? b : a));
  const places = new Map(series.points.map(({ at }, i) => [at, i]));
  return {
    distance(at, value) {
      const place = places.get(at) ?? -1;
      const forecast = best.forecasts[place] ?? null;
      const size = best.sizes[place] ?? 0;
      return forecast === null ? null : distanceOf({ value, forecast, size }, best.reach);
    },
    learn() {},
  };
}

function distanceOf(
  { value, forecast, size }: Pick<Judged, 'value' | 'forecast' | 'size'>,
  { below, above }: Reach,
): number {
  const error = (value - forecast) / size;
  return error < 0 ? error / below : error / above;
}

/** The widths that are tried, up to a factor: a size for each point. */
function sizesFor(series: RealSeries, forecasts: Forecasts): number[][] {
  const values = series.points.map(({ value }) => value);
  const least = LEAST * meanOf(values.map(Math.abs)) + TINY;
  const phases = phaseOfEach(series);
  const byForecast = POWERS.map((power) =>
    forecasts.map((forecast) => Math.max(least, Math.abs(forecast ?? 0)) ** power),
  );
  const errors = values.map((value, i) => Math.abs(value - (forecasts[i] ?? value)));
  return [...byForecast, errorsAround(errors, phasesOf(series))].flatMap((sizes) => {
    const relative = errors.map((error, i) => error / (sizes[i] ?? 1));
    const ofPhase = meansBy(phases, relative);
    const calmest = CALMEST * meanOf(relative) + TINY;
    const byPhase = phases.map((phase) => Math.max(calmest, ofPhase.get(phase) ?? 0));
    return [sizes, sizes.map((size, i) => size * (byPhase[i] ?? 0))];
  });
}

/** The mean error of the points before and after each, and of all points as one more. */
function errorsAround(errors: readonly number[], season: number): number[] {
  const usual = meanOf(errors) + TINY;
  const offsets = [...new Set([1, 2, 3, season - 1, season, season + 1, 2 * season])];
  const around = offsets.filter((offset) => offset > 0).flatMap((offset) => [-offset, offset]);
  return errors.map((_, i) => {
    const known = around.flatMap((offset) => errors[i + offset] ?? []);
    return meanOf([...known, usual]);
  });
}

function judgedPoints(series: RealSeries, forecasts: Forecasts, sizes: readonly number[]) {
  const start = JUDGED_FROM[series.schedule.cadence];
  const ordinary = ordinaryPoints(series);
  const faulty = faultyPoints(series, ordinary, start);
  return series.points.flatMap(({ value }, i): Judged[] => {
    const forecast = forecasts[i] ?? null;
    if (i < start || forecast === null) return [];
    const is = { ordinary: ordinary[i] === true, faulty: faulty.has(i) };
    return [{ value, forecast, size: sizes[i] ?? 1, ...is }];
  });
}

/** Of the reaches that leave the share of the ordinary points outside, that which finds most. */
function bestReach(judged: readonly Judged[]): { reach: Reach; found: number } {
  const errors = judged
    .filter(({ ordinary }) => ordinary)
    .map(({ value, forecast, size }) => (value - forecast) / size)
    .sort((a, b) => a - b);
  const faulty = judged.filter((one) => one.faulty);
  const outside = Math.floor(OUTSIDE * errors.length);
  const tried = Array.from({ length: outside + 1 }, (_, lower) => {
    const below = Math.max(TINY, -(errors[lower] ?? 0));
    const above = Math.max(TINY, errors[errors.length - 1 - (outside - lower)] ?? 0);
    const reach = { below, above };
    const found = SOUGHT.flatMap((times) =>
      faulty.filter((one) => {
        const fault = { ...one, value: times * one.value };
        return Math.abs(distanceOf(fault, reach)) > 1;
      }),
    );
    return { reach, found: found.length };
  });
  return tried.reduce((a, b) => (b.found > a.found ? b : a));
}

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
