// Rules of others, which the learner is compared with, as their users know them.

/** What one rule says of one value: over 1 is an alarm; null while it can't tell. */
export interface Rule {
  /** The value's distance from what is expected, in half-widths of the range; signed. */
  distance(at: number, value: number): number | null;
  learn(at: number, value: number): void;
}

/**
 * The z-score of Elementary's anomaly tests with their defaults: 14 days of training, at least
 * seven points, an alarm beyond 3. The tested value is itself part of the training window.
 */
export function elementary(cadenceHours: number): Rule {
  const span = Math.round((14 * 24) / cadenceHours);
  const window: number[] = [];
  return {
    distance(_at, value) {
      if (window.length + 1 < 7) return null;
      const all = [...window, value];
      const mean = all.reduce((sum, v) => sum + v, 0) / all.length;
      const squares = all.reduce((sum, v) => sum + (v - mean) ** 2, 0);
      const deviation = Math.sqrt(squares / (all.length - 1));
      return deviation === 0 ? 0 : (value - mean) / deviation / 3;
    },
    learn(_at, value) {
      window.push(value);
      if (window.length >= span) window.shift();
    },
  };
}

/**
 * The value of one season before, give or take what 99.5% of the last 300 such forecasts were off by
 * (split conformal prediction); the season is a week of days or of hours, or the last value.
 */
export function seasonalNaive(season: number, span = 300, rate = 0.005): Rule {
  const values: number[] = [];
  const errors: number[] = [];
  const expected = () => values[values.length - season];
  return {
    distance(_at, value) {
      const forecast = expected();
      if (forecast === undefined || errors.length < 8) return null;
      const sorted = [...errors].sort((a, b) => a - b);
      const place = Math.ceil((1 - rate) * (sorted.length + 1)) - 1;
      const width = sorted[Math.min(place, sorted.length - 1)] ?? 0;
      return (value - forecast) / Math.max(width, 1e-9);
    },
    learn(_at, value) {
      const forecast = expected();
      if (forecast !== undefined) errors.push(Math.abs(value - forecast));
      if (errors.length > span) errors.shift();
      values.push(value);
    },
  };
}
