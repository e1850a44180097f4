// The English words about one incident: the sentence it begins with, and how it is resolved.

import { counted, number } from '../words.ts';

/** Good values in a row that end an incident. */
const goodRunsNeeded = 3;

export const sentenceWords = {
  still: (last: string) => `Still at ${last}.`,
  before: (typical: string, day: string) => `Was ${typical} until ${day}.`,
  back: (last: string, runs: number) =>
    `Back at ${last} for ${number(runs)} of ${number(goodRunsNeeded)} runs.`,
  unknown: (time: string) => `No value since ${time}.`,
  was: (value: string) => `Was at ${value}.`,
  times: (factor: number) => `${number(Math.round(factor))} times the usual value`,
  runs: (count: number) => `${counted(count, 'run')} out of range`,
  cents: 'Values may be in cents.',
};

export const resolveWords = {
  title: 'Resolve incident',
  note: 'Note',
  names: {
    fixed: 'Fixed',
    expected: 'New normal',
    false_positive: 'False alarm',
    other: 'Known, no action',
  },
  teaches: (
    reason: 'fixed' | 'expected' | 'false_positive' | 'other',
    value: string,
    day: string,
  ) =>
    ({
      fixed: 'The next 3 runs must be in range, or it opens again.',
      expected: `Expect about ${value} from now on. The range starts fresh from ${day}.`,
      false_positive: 'The values were normal. They widen the range.',
      other: 'Closes without changing the range.',
    })[reason],
  given: 'The range was set manually: until the date below, such values open no incident.',
};
