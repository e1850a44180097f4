// The English words of the first page.

import { counted, number } from '../words.ts';

export const homeWords = {
  title: 'Home',
  mine: 'Needs your attention',
  nothingMine: 'You’re all caught up.',
  nothingMineHow: 'Incidents and questions about your data, and changes you follow, appear here.',
  incidents: 'Incidents',
  questions: 'Questions',
  news: 'Notifications',
  readAll: 'Mark all as read',
  watched: 'Changes you follow',
  more: (count: number) => `and ${number(count)} more`,

  continue: 'Continue',
  lists: {
    recent: 'Recent',
    used: 'Most used',
    newest: 'Recently added',
    bookmarks: 'Bookmarks',
    owned: 'Mine',
  },
  nothingListed: {
    recent: 'Nothing viewed yet in this browser',
    bookmarks: 'No bookmarks yet. The star on a page adds one.',
    owned: 'You don’t own anything yet',
  },
  noTables: 'No tables yet',
  empty: 'Your catalog is empty',
  emptyForGuests: 'Your teams have no data yet. Ask an admin to add you to a team.',
  emptyForOthers: 'Tables, columns and lineage appear when an admin connects a source.',
  steps: {
    connect: {
      title: 'Connect a source',
      how: 'A database, a dbt project or files. Its tables, columns and lineage appear in the catalog.',
    },
    watch: {
      title: 'Create a monitor',
      how: 'Monitors measure a table on a schedule and open an incident when a value is unexpected.',
    },
    invite: {
      title: 'Invite people',
      how: 'Owners are notified of incidents in their data, and answer questions about it.',
    },
  },
  sample: 'To explore first, start another server with sample data:',
  lineage: 'Lineage',

  health: 'Catalog health',
  notWatched: 'No monitors yet',
  open: (count: number) => (count === 0 ? 'No open incidents' : counted(count, 'open incident')),
  stale: (count: number) =>
    counted(count, 'stale table or dashboard', 'stale tables and dashboards'),
  covered: (count: number) => counted(count, 'table or dashboard', 'tables and dashboards'),
  owned: 'With owner',
  described: 'Described',
  documented: 'Documented',
  verified: 'Verified',
  share: (part: number, of: number) => `${of === 0 ? 0 : Math.floor((100 * part) / of)}%`,
  without: (count: number) => (count === 0 ? 'none missing' : `${number(count)} missing`),
  sources: 'Source freshness',
  noSources: 'No sources yet',
};
