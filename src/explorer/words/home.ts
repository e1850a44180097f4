// In charge of the English words of the first page.

import { counted, number } from '../words.ts';

export const homeWords = {
  title: 'What do you want to know?',
  mine: 'Needs you',
  nothingMine: 'Nothing waits for you.',
  nothingMineHow:
    'Incidents and questions on what you own, and changes of what you subscribe to, are shown here.',
  incidents: 'Incidents',
  questions: 'Questions',
  news: 'News',
  readAll: 'Mark all as read',
  watched: 'Changed of what you subscribe to',
  more: (count: number) => `and ${number(count)} more`,

  used: 'Used most',
  newest: 'New',
  empty: 'Nothing is here yet.',
  emptyHow: 'Connect a source or upload a file over REST; the README of the project shows how.',
  lineage: 'Lineage',

  health: 'How the catalog is',
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
    `${of === 0 ? 0 : Math.floor((100 * part) / of)} % (${number(part)})`,
  sources: 'When sources were read last',
  noSources: 'No source is connected yet.',
};
