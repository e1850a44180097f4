// Figures as people read them: short, and in the unit of what was measured.

const short = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 });
const plain = new Intl.NumberFormat('en', { maximumSignificantDigits: 4 });
const plainFrom = 100_000;

const units: readonly [string, number][] = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
];

/** A value of a metric, such as 2 h, 3.1% or 44.6. */
export function figure(metric: string, value: number): string {
  if (metric === 'freshness' || metric.endsWith('_age') || metric === 'job_duration') {
    return duration(value);
  }
  const text = Math.abs(value) >= plainFrom ? short.format(value) : plain.format(value);
  return /percentage|rate$/.test(metric) ? `${text}%` : text;
}

function duration(seconds: number): string {
  const [unit, size] = units.find(([, length]) => Math.abs(seconds) >= length) ?? ['s', 1];
  return `${plain.format(Math.round((seconds / size) * 10) / 10)} ${unit}`;
}
