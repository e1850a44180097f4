// The English words about what a change would break.

import { counted, number } from '../words.ts';

export const impactWords = {
  title: 'What would break',
  kinds: { sql: 'A query', manifest: 'A project' },
  what: 'What changes',
  hidden: 'Your role may not compare projects.',

  sqlHow: 'Paste the query that will fill a table, and see what else uses the table.',
  sql: 'SQL',
  dialect: 'Dialect',
  target: 'The table that it fills',
  targetFind: 'Find a table',
  targetHint: 'Not needed where the SQL names it.',
  targetChange: 'Change',
  targetNone: 'There is no such table.',
  look: 'Show what it reaches',
  looking: 'Reading …',
  readsOnly: 'This only reads. Nothing is changed by it, so nothing breaks.',
  unknownTarget: (name: string) =>
    `The catalog does not know the table ${name}, so nothing is known to use it.`,
  reads: 'It reads',
  readsNothing: 'It reads nothing that the catalog knows.',
  fills: 'It fills',
  gone: (count: number) => `${counted(count, 'column')} would go`,
  goneReach: 'They are used by this:',
  noneGone: 'It keeps every column of the table.',
  noneGoneReach: 'If what is in them changes, that reaches this:',
  added: (count: number) => `${counted(count, 'column')} would be new`,
  unsure: 'What could not be told',
  skipped: (line: number, reason: string) => `${line}: A statement was skipped. ${reason}`,

  manifestHow:
    'Drop the manifest.json of a changed project, and see how it differs from the catalog and whom that affects.',
  manifest: 'manifest.json',
  drop: 'Drop it here, or choose it',
  noProject: 'No dbt project is connected yet, so there is nothing to compare with.',
  connect: 'Connect one',
  project: 'Compared with',
  anyProject: 'The only project',
  tooLarge: (megabytes: number) =>
    `This file has ${number(megabytes)} MB; a page may send 1 MB. Larger ones are compared over REST:`,
  removed: 'Models that go',
  changed: 'Models that change',
  addedModels: 'Models that are new',
  unchanged: (count: number) => `${counted(count, 'model')} stay as they are.`,
  same: 'Nothing differs from the catalog.',
  columnsGone: 'columns that go',
  columnsNew: 'columns that are new',
  columnsChanged: 'columns that change',
  monitors: 'Monitors on it',
  incidents: 'Open incidents there',
  markdown: 'For the review',
  copy: 'Copy the Markdown',

  summary: {
    title: '### Impact of this query',
    fills: 'It fills',
    /** Nothing is said to be safe while something may use what changes. */
    reached: (sure: number, possible: number) =>
      sure + possible === 0
        ? 'Nothing in the catalog depends on it.'
        : `${counted(sure, 'resource')} downstream ${sure === 1 ? 'is' : 'are'} reached${possible > 0 ? `, ${number(possible)} more may be` : ''}.`,
    gone: 'Columns that would go',
    added: 'Columns that would be new',
    columns: 'Columns that are reached',
    tables: 'Tables that are reached',
    others: 'Charts, dashboards and others that are reached',
    possible: 'May be reached',
    owners: 'Owners to notify',
    more: (count: number) => `and ${number(count)} more`,
  },

  reaches: 'What it reaches',
  nothing: 'Nothing in the catalog depends on it.',
  tell: 'Notify',
  nobody: 'No owners.',
  possible: 'More that may be reached; by which columns is not known',
  cut: 'There is more than this list shows.',
  hiddenNodes: (count: number) => `${number(count)} that you may not see are left out.`,
};
