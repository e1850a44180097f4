// The rules that the learner is compared to, as their users know them.

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

/**
 * Additive Holt-Winters with confidence bands from the smoothed absolute error (Brutlag, 2000),
 * at 3.5 sigma; the season is a week of days or a day of hours.
 */
export function holtWinters(cadenceHours: number): Rule {
  const period = cadenceHours >= 24 ? 7 : 24;
  const [alpha, beta, gamma] = [0.3, 0.02, 0.25];
  const phaseOf = (at: number) => Math.round(at / (cadenceHours * 3_600_000)) % period;
  const opening: { value: number; phase: number }[] = [];
  let level = 0;
  let trend = 0;
  let deviation = 0;
  let season: number[] = [];

  const start = () => {
    const mean = (values: number[]) => values.reduce((sum, v) => sum + v, 0) / values.length;
    const values = opening.map(({ value }) => value);
    const first = mean(values.slice(0, period));
    const second = mean(values.slice(period));
    trend = (second - first) / period;
    level = second + (trend * (period - 1)) / 2;
    const straight = (i: number) =>
      (i < period ? first : second) + trend * ((i % period) - (period - 1) / 2);
    const excess = opening.map(({ value, phase }, i) => ({ phase, by: value - straight(i) }));
    season = Array.from({ length: period }, (_, phase) => {
      const own = excess.filter((e) => e.phase === phase);
      return own.length > 0 ? mean(own.map((e) => e.by)) : 0;
    });
    deviation = mean(excess.map((e) => Math.abs(e.by - (season[e.phase] ?? 0)))) + 1e-9;
  };

  return {
    distance(at, value) {
      if (opening.length < 2 * period) return null;
      const expected = level + trend + (season[phaseOf(at)] ?? 0);
      return (value - expected) / (3.5 * 1.2533 * deviation || 1e-9);
    },
    learn(at, value) {
      const phase = phaseOf(at);
      if (opening.length < 2 * period) {
        opening.push({ value, phase });
        if (opening.length === 2 * period) start();
        return;
      }
      const seasonal = season[phase] ?? 0;
      const error = value - (level + trend + seasonal);
      const before = level;
      level = alpha * (value - seasonal) + (1 - alpha) * (level + trend);
      trend = beta * (level - before) + (1 - beta) * trend;
      season[phase] = gamma * (value - level) + (1 - gamma) * seasonal;
      deviation = 0.1 * Math.abs(error) + 0.9 * deviation;
    },
  };
}
