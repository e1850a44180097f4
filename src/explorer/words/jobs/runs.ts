// The English words about pipeline jobs, their runs and their events.

import { counted, number } from '../../words.ts';

export const runWords = {
  title: 'Runs',
  none: 'No runs yet',
  ofAll: (shown: number, all: number) => `Latest ${number(shown)} of ${number(all)}`,
  states: {
    running: 'running',
    completed: 'completed',
    failed: 'failed',
    aborted: 'stopped',
    other: 'unknown',
  },
  took: (seconds: number) =>
    seconds < 120 ? counted(seconds, 'second') : counted(Math.round(seconds / 60), 'minute'),
  lastWrite: 'Last written by',
  events: {
    title: 'OpenLineage events',
    today: (count: number) => `${counted(count, 'event')} today`,
    week: (count: number) => `${number(count)} in the last 7 days`,
    waiting: (count: number) => `${counted(count, 'event')} waiting`,
    unplaced: 'unknown location',
    refused: (count: number) => `${counted(count, 'rejected event')} in the last 7 days`,
  },
} as const;
