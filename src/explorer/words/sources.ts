// The English words about sources, syncs and uploads.

import { counted, number } from '../words.ts';

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

export const sourceWords = {
  optional: '(optional)',
  remove: 'Delete',
  removeMeans: 'This also deletes its resources, lineage and monitors.',
  title: 'Sources',
  connect: 'New source',
  none: 'No sources yet',
  noneHow: 'Connect a database, a dbt project or files to see their tables, columns and lineage.',
  noneForOthers: 'An admin connects databases, dbt projects or files.',
  hidden: 'You don’t have access to this page.',
  holds: (described: number, owned: number) =>
    described === owned
      ? counted(described, 'resource')
      : `${counted(described, 'resource')}, ${number(owned)} of them its own`,
  fresh: 'Last updated',
  neverRead: 'No data yet',
  fedBy: {
    sync: 'Live connection',
    files: 'CSV or JSON Lines uploads',
    artifacts: 'dbt uploads',
    nothing: 'No metadata',
  },
  late: 'overdue',
  next: 'Next',
  noSchedule: 'No schedule',
  repository: 'Repository URL of the files',
  repositoryLike: 'https://git.example.com/shop/blob/main',
  every: (hours: number) => (hours === 24 ? 'every day' : `every ${number(hours)} h`),

  missing: 'Source not found',
  missingHow: 'It may have been deleted, or you don’t have access.',
  sync: 'Sync now',
  syncing: 'Syncing …',
  settings: 'Settings',
  tabs: { overview: 'Overview', settings: 'Settings' },
  keepsRows: 'Keep rows that fail a check',
  keepsRowsHint: '20 of them, while the incident is open, for those who can write SQL.',
  name: 'Name',
  schedule: 'Sync automatically',
  schedules: {
    0: 'Never',
    1: 'Every hour',
    6: 'Every 6 hours',
    24: 'Every day',
    168: 'Every week',
  },
  otherSchedule: (hours: number) => `Every ${number(hours)} hours`,
  save: 'Save',
  sqlWriters: 'SQL of monitors',
  sqlWritersMeans:
    'Anyone who writes SQL for this source can read everything its login can read. Admins always can; add other people or teams here.',
  sqlWritersChosen: 'People and teams who can write SQL',
  sqlWritersNow: (count: number) => (count === 0 ? 'Only admins' : `${number(count)} added`),
  sqlWritersSave: 'Save access',
  type: 'Type',
  page: (label: string) => `Setup and coverage for ${label}`,
  beta: 'Beta: built from documentation, not yet tested against the source.',
  credentials: 'Credentials',
  credentialsKept: 'Credentials are encrypted and never shown again.',
  credentialsHint: 'Use a read-only login. Credentials are encrypted and never shown again.',
  create: 'Save and test connection',
  createOther: 'Save source',
  creating: 'Saving …',
  live: 'Databases and services',
  upload: 'Uploads',
  mayNot: 'You don’t have access to this page.',

  apply: 'Import',
  wouldChange: 'Changes',
  didChange: 'Imported',
  nothing: 'Already up to date',
  created: 'New',
  updated: 'Changed',
  staled: 'Marked stale',
  unchanged: 'Unchanged',
  oneByOne: 'Details',
  actions: {
    ...{ created: 'new', updated: 'changed', staled: 'stale' },
    ...{ claimed: 'also described', left: 'no longer described', merged: 'merged' },
  },
  moreChanges: (count: number) => `and ${number(count)} more`,
  resources: 'Resources',
  lineage: 'Lineage',
  tests: 'Data tests',
  monitors: 'Monitors',
  problems: 'Problems',
  ignored: (list: string) => `Not imported (not supported): ${list}`,
  taken: (count: number) => counted(count, 'key changes kind', 'keys change kind'),
};
