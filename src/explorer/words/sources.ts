// In charge of the English words about sources, syncs and uploads.

import { counted, number } from '../words.ts';

const types: Readonly<Record<string, string>> = {
  clickhouse: 'ClickHouse',
  custom: 'files',
  dbt_core: 'dbt project',
  duckdb: 'DuckDB',
  mariadb: 'MariaDB',
  mysql: 'MySQL',
  postgres: 'PostgreSQL',
  redshift: 'Redshift',
  trino: 'Trino',
};

/** What a type of source is called. */
export function typeName(type: string): string {
  return types[type] ?? type.replaceAll('_', ' ');
}

const fields: Readonly<Record<string, string>> = {
  ca: 'CA certificate (PEM)',
  catalog: 'Catalog',
  database: 'Database',
  host: 'Host',
  password: 'Password',
  path: 'File path, relative to FILES_DIR',
  port: 'Port',
  schema: 'Schema',
  ssl: 'Encryption',
  user: 'User',
};

/** What a field of credentials is called. */
export function fieldName(name: string): string {
  return fields[name] ?? name;
}

const encryptions: Readonly<Record<string, string>> = {
  prefer: 'where it is offered',
  require: 'always',
  'verify-ca': 'always, with a certificate that can be checked',
  'verify-full': 'always, with a certificate for this host',
  disable: 'never',
};

/** What a way of encrypting is called, and what it means. */
export function encryptionName(name: string): string {
  return `${name}: ${encryptions[name] ?? name}`;
}

export const jobWords = {
  title: 'Syncs and uploads',
  none: 'Nothing ran yet.',
  by: (name: string) => `by ${name}`,
  took: (seconds: number) => (seconds < 1 ? 'in less than a second' : `in ${number(seconds)} s`),
  log: 'Log',
  cancel: 'Cancel',
  cancelling: 'Being cancelled …',
  progress: (done: number, total: number | null) =>
    total === null ? number(done) : `${number(done)} of ${number(total)}`,
};

export const sourceWords = {
  optional: '(optional)',
  remove: 'Delete',
  removeMeans:
    'All that came from it goes with it: its resources, their lineage and their monitors.',
  title: 'Sources',
  connect: 'New source',
  none: 'No source is connected yet.',
  noneHow:
    'Connect a database, a dbt project or files: their tables, columns and lineage come into the catalog.',
  noneForOthers: 'An admin connects databases, dbt projects or files.',
  hidden: 'Your role may not see sources.',
  holds: (count: number) => counted(count, 'resource'),
  fresh: 'Last updated',
  neverRead: 'no data yet',
  fedBy: {
    sync: 'a live source',
    files: 'fed by uploads of CSV or JSON lines',
    artifacts: 'fed by uploads of dbt artifacts',
    nothing: 'brings no resources',
  },
  late: 'overdue',
  next: 'Next',
  noSchedule: 'no schedule',
  every: (hours: number) => (hours === 24 ? 'every day' : `every ${number(hours)} h`),

  missing: 'There is no such source',
  missingHow: 'It was deleted, its address is wrong, or your role may not see sources.',
  sync: 'Sync now',
  syncing: 'Syncing …',
  test: 'Test the connection',
  testing: 'Asking the source …',
  testOk: 'Nothing is missing.',
  testWrong: 'Something is missing.',
  fix: 'How to fix it',
  states: { ok: 'ok', limited: 'limited', missing: 'missing' },
  settings: 'Settings',
  name: 'Name',
  schedule: 'Sync automatically',
  schedules: { 0: 'No', 1: 'Every hour', 6: 'Every 6 hours', 24: 'Every day', 168: 'Every week' },
  otherSchedule: (hours: number) => `Every ${number(hours)} hours`,
  save: 'Save',
  teams: 'Teams',
  type: 'Type',
  credentials: 'Credentials',
  credentialsKept: 'Its credentials are kept sealed, and are never shown again.',
  credentialsHint:
    'Use a login that only reads. What you enter is sealed before it is stored, and never shown again.',
  isNeeded: 'needed',
  create: 'Save and test the connection',
  createOther: 'Save',
  creating: 'Saving …',
  live: 'A database to connect to',
  upload: 'Files to upload',
  mayNot: 'Your role may not connect sources.',

  uploadTitle: 'Upload',
  uploadKinds: { csv: 'CSV', jsonl: 'JSON lines', artifacts: 'Artifacts of the project' },
  uploadFiles: {
    content: 'File of tables and columns (CSV)',
    resources: 'Resources (JSON lines)',
    lineages: 'Lineage (JSON lines)',
    manifest: 'manifest.json',
    runResults: 'run_results.json',
    catalog: 'catalog.json',
  },
  uploadFormat: 'Format',
  tooLarge: (megabytes: number) =>
    `Together these files have ${number(megabytes)} MB; a page may send 1 MB. Send larger ones over REST, which takes files of any size:`,
  stale: 'Mark as stale what the files no longer name',
  look: 'Show what it would change',
  looking: 'Reading …',
  apply: 'Apply',
  applyAnyway: 'Apply anyway',
  applying: 'Applying …',
  applied: 'It is applied.',
  wouldChange: 'It would change this',
  didChange: 'It changed this',
  nothing: 'Nothing: the catalog already says what the files say.',
  created: 'New',
  updated: 'Changed',
  staled: 'Stale from now on',
  unchanged: 'As it was',
  oneByOne: 'One by one',
  actions: { created: 'new', updated: 'changed', staled: 'stale' },
  moreChanges: (count: number) => `and ${number(count)} more`,
  resources: 'Resources',
  lineage: 'Lineage',
  tests: 'Data tests',
  monitors: 'Monitors',
  problems: 'Problems',
  taken: (count: number) =>
    `${counted(count, 'key')} will name something of another kind than before.`,
};
