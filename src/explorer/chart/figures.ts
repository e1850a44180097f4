// Figures as people read them: short, and in the unit of what was measured.

const short = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 });
const plain = new Intl.NumberFormat('en', { maximumSignificantDigits: 4 });
const plainFrom = 100_000;

/** Units with their seconds, and from how many on people count in them: 30 h rather than 1.3 d. */
const units: readonly [string, number, number][] = [
  ['d', 86_400, 172_800],
  ['h', 3_600, 3_600],
  ['min', 60, 60],
  ['s', 1, 1],
];

/** A value of a metric, such as 2 h, 3.1% or 44.6. */
export function figure(metric: string, value: number): string {
  if (isTime(metric)) return duration(value);
  const text = Math.abs(value) >= plainFrom ? short.format(value) : plain.format(value);
  return isPercent(metric) ? `${text}%` : text;
}

/** Whether a metric is measured in hundredths of all. */
export function isPercent(metric: string): boolean {
  return /percentage|rate$/.test(metric);
}

/** Whether a metric is measured in seconds. */
export function isTime(metric: string): boolean {
  return metric === 'freshness' || metric.endsWith('_age') || metric === 'job_duration';
}

function duration(seconds: number): string {
  const [unit, size] = units.find(([, , from]) => Math.abs(seconds) >= from) ?? ['s', 1];
  return `${plain.format(Math.round((seconds / size) * 10) / 10)} ${unit}`;
}
