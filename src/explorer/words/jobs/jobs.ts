// The English words about syncs, uploads and other jobs.

import { number } from '../../words.ts';

const changed: Readonly<Record<string, string>> = {
  ...{ created: 'new', updated: 'changed', staled: 'stale' },
};

export const jobWords = {
  title: 'Syncs and uploads',
  none: 'No runs yet',
  by: (name: string) => `by ${name}`,
  took: (seconds: number) => (seconds < 1 ? 'in less than a second' : `in ${number(seconds)} s`),
  log: 'Log',
  cancel: 'Cancel',
  cancelling: 'Cancelling …',
  states: {
    queued: 'Queued',
    running: 'Running',
    succeeded: 'Succeeded',
    failed: 'Failed',
    cancelled: 'Cancelled',
  },
  noChanges: 'no changes',
  changed,
  progress: (done: number, total: number | null) =>
    total === null ? number(done) : `${number(done)} of ${number(total)}`,
};
