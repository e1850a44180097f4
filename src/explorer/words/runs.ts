// Words about jobs of pipelines, their runs and the events that say of them.

import { counted, number } from '../words.ts';

export const runWords = {
  title: 'Runs',
  none: 'No runs yet.',
  ofAll: (shown: number, all: number) => `The latest ${number(shown)} of ${number(all)}.`,
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
    title: 'Events of OpenLineage',
    today: (count: number) => `${counted(count, 'event')} today`,
    week: (count: number) => `${number(count)} in seven days`,
    waiting: (count: number) => `${counted(count, 'event')} waiting to be read`,
    unplaced: 'place unknown',
    refused: (count: number) => `${counted(count, 'refused event')} in seven days`,
  },
} as const;
