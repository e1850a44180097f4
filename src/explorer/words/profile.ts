// The English words of profiles and samples of tables.

import { counted, number } from '../words.ts';

const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });
const figure = (value: number) => value.toLocaleString('en', { maximumSignificantDigits: 6 });

export const profileWords = {
  title: 'Profile',
  none: 'No profile yet. Profiling measures what each column holds.',
  taken: 'Taken',
  rows: (count: number) => counted(count, 'row'),
  every: (hours: number) => (hours === 24 ? 'every day' : `every ${counted(hours, 'hour')}`),
  take: 'Profile now',
  taking: 'Profiling …',
  nightly: 'Profile every day',
  stopNightly: 'Stop profiling every day',
  heads: ['Column', 'Missing', 'Distinct', 'Range', 'Common values'],
  share: (percent: number) => `${figure(percent)}%`,
  count: number,
  range: (minimum: number, maximum: number, mean: number | null) =>
    `${figure(minimum)} to ${figure(maximum)}${mean === null ? '' : `, mean ${figure(mean)}`}`,
  times: (earliest: string, latest: string) =>
    `${day.format(new Date(earliest))} to ${day.format(new Date(latest))}`,
  lengths: (average: number) => `${figure(average)} characters on average`,
  personal: 'personal data',
  sample: 'Sample',
  sampleHow: '20 rows, read from the source now and kept nowhere.',
  look: 'Show rows',
  reading: 'Reading …',
  leftOut: (columns: readonly string[]) => `Personal columns are left out: ${columns.join(', ')}`,
};
