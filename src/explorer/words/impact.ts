// The English words about what a change would break.

import { counted, number } from '../words.ts';

export const impactWords = {
  title: 'Impact analysis',
  kinds: { sql: 'Query', manifest: 'Project' },
  what: 'Changes',
  hidden: 'You don’t have access to project comparisons.',

  sqlHow: 'Paste the new SQL of a table to see what it affects.',
  sql: 'SQL',
  dialect: 'Dialect',
  target: 'Target table',
  targetFind: 'Find a table',
  targetHint: 'Optional if the SQL names it',
  look: 'Analyze impact',
  looking: 'Analyzing …',
  readsOnly: 'Read-only query: no impact',
  unknownTarget: (name: string) => `Table ${name} is not in the catalog`,
  reads: 'Reads from',
  readsNothing: 'Reads no known tables',
  fills: (table: string) => `Writes to ${table}`,
  gone: (count: number) => `Removed columns (${number(count)})`,
  goneReach: 'Used by',
  noneGone: 'No removed columns',
  noneGoneReach: 'Affected by changed values',
  added: (count: number) => `Added columns (${number(count)})`,
  unsure: 'Not analyzed',
  skipped: (line: number, reason: string) => `Line ${line}: Statement skipped. ${reason}`,

  manifestHow: 'Upload a changed manifest.json to see what it affects.',
  manifest: 'manifest.json',
  drop: 'drop the file here, or choose one',
  noProject: 'No dbt project yet',
  connect: 'Connect a project',
  project: 'Compared with',
  anyProject: 'Only project',
  tooLarge: (megabytes: number) =>
    `This file is ${number(megabytes)} MB. This page sends up to 1 MB. Compare larger files over REST:`,
  removed: 'Removed models',
  changed: 'Changed models',
  addedModels: 'Added models',
  unchanged: (count: number) => counted(count, 'unchanged model'),
  same: 'No differences',
  columnsGone: 'Removed columns',
  columnsNew: 'Added columns',
  columnsChanged: 'Changed columns',
  monitors: 'Monitors',
  incidents: 'Open incidents',
  markdown: 'Markdown for your pull request',
  copy: 'Copy Markdown',

  summary: {
    title: '### Impact of this query',
    fills: 'Writes to',
    removes: (count: number) =>
      count === 0 ? 'Keeps all columns.' : `Removes ${counted(count, 'column')}.`,
    /** Nothing is said to be safe while something may use what changes. */
    reached: (sure: number, possible: number) =>
      sure + possible === 0
        ? 'No downstream resources.'
        : `Affects ${counted(sure, 'downstream resource')}${possible > 0 ? `; ${number(possible)} more may be affected` : ''}.`,
    gone: 'Removed columns',
    added: 'Added columns',
    columns: 'Affected columns',
    tables: 'Affected tables',
    others: 'Affected charts, dashboards and others',
    possible: 'May be affected',
    owners: 'Owners to notify',
    more: (count: number) => `and ${number(count)} more`,
  },

  reaches: 'Affected',
  nothing: 'No downstream resources',
  tell: 'Owners to notify:',
  noOwner: 'No owners',
  possible: 'May be affected (no column lineage)',
  cut: 'Partial list',
  hiddenNodes: (count: number) => `${number(count)} hidden by permissions`,
};
