// The English words of the first page.

import { counted, number } from '../words.ts';

export const homeWords = {
  title: 'What do you want to know?',
  mine: 'Needs you',
  nothingMine: 'Nothing needs you right now.',
  nothingMineHow:
    'Incidents and questions on what you own, and changes of what you subscribe to, are shown here.',
  incidents: 'Incidents',
  questions: 'Questions',
  news: 'News',
  readAll: 'Mark all as read',
  watched: 'Changes in what you subscribe to',
  more: (count: number) => `and ${number(count)} more`,

  used: 'Used most',
  newest: 'New',
  noTables: 'No table is in the catalog yet.',
  empty: 'Nothing is in the catalog yet',
  emptyForGuests:
    'You see what your teams hold, and they hold nothing yet. Ask an admin to add you to a team.',
  emptyForOthers: 'Tables, columns and lineage come here when an admin connects a source.',
  steps: {
    connect: {
      title: 'Connect a source',
      how: 'A database, a dbt project or files. Its tables, columns and lineage come into the catalog.',
    },
    watch: {
      title: 'Create a monitor',
      how: 'It measures a table again and again, and opens an incident when a value is unexpected.',
    },
    invite: {
      title: 'Add people',
      how: 'Owners are notified of incidents on what they own, and answer questions about it.',
    },
  },
  sample: 'To look around first, start another server with sample data:',
  lineage: 'Lineage',

  health: 'How healthy the catalog is',
  notWatched: 'No monitor watches anything yet.',
  open: (count: number) =>
    count === 0
      ? 'No incident is open: every monitor is within its range.'
      : counted(count, 'incident is open', 'incidents are open'),
  stale: (count: number) =>
    `${counted(count, 'table or dashboard', 'tables and dashboards')} that no source names any more`,
  covered: (count: number) =>
    `Of ${counted(count, 'table and dashboard', 'tables and dashboards')}`,
  owned: 'owned',
  described: 'described',
  documented: 'documented',
  verified: 'verified',
  share: (part: number, of: number) =>
    `${of === 0 ? 0 : Math.floor((100 * part) / of)}% (${number(part)})`,
  sources: 'When sources were last updated',
  noSources: 'No source is connected yet.',
};
