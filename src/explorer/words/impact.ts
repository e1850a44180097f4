// In charge of the English words about what a change would break.

import { counted, number } from '../words.ts';

export const impactWords = {
  title: 'What would break',
  kinds: { sql: 'A query', manifest: 'A project' },
  what: 'What changes',
  hidden: 'Your role may not compare projects.',

  sqlHow: 'Paste the query that is to fill a table, and see what of that table is used elsewhere.',
  sql: 'SQL',
  dialect: 'Dialect',
  target: 'The table that it fills',
  targetFind: 'Find a table; not needed where the SQL names it',
  targetChange: 'Another one',
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

  manifestHow:
    'Drop the manifest.json that a change makes, and see how it differs from the catalog and whom that concerns.',
  manifest: 'manifest.json',
  drop: 'Drop it here, or choose it',
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

  reaches: 'What it reaches',
  nothing: 'Nothing that the catalog knows depends on it.',
  tell: 'Tell',
  nobody: 'Nobody owns any of it.',
  possible: 'What may use it: not known for sure',
  cut: 'There is more than this list shows.',
  hiddenNodes: (count: number) => `${number(count)} that you may not see are left out.`,
};
