// The English words of what stands around every page.

import { counted, number } from '../words.ts';

export const frameWords = {
  main: 'Main',
  skip: 'Skip to content',
  groups: {
    quality: 'Quality',
    manage: 'Manage',
    bookmarks: 'Bookmarks',
    searches: 'Saved searches',
  },
  places: {
    home: 'Home',
    browse: 'Browse',
    documents: 'Documents',
    terms: 'Glossary',
    questions: 'Questions',
    monitors: 'Monitors',
    incidents: 'Incidents',
    impact: 'Impact analysis',
    sources: 'Sources',
    audit: 'Audit log',
    settings: 'Settings',
  },
  makings: {
    document: 'Document',
    term: 'Term',
    monitor: 'Monitor',
    source: 'Source',
    person: 'Person',
  },
  makes: (what: string) => `New ${what.toLowerCase()}`,
  new: 'New',
  more: 'More',
  search: 'Search',
  collapse: 'Collapse',
  expand: 'Expand',
  open: (count: number) => `${number(count)} open`,

  find: {
    label: 'Search the catalog',
    placeholder: 'Search tables, columns, people, pages',
    results: 'Suggestions',
    best: 'Best match',
    data: 'Data',
    filters: 'Filters',
    goTo: 'Go to',
    commands: 'Commands',
    all: (text: string) => `All results for “${text}”`,
    found: (count: number) => counted(count, 'suggestion'),
    none: 'No suggestions',
    hint: ['for commands', 'for owners', 'for tags'],
    keys: ['move', 'open', 'new tab', 'close'],
  },

  help: 'Help and shortcuts',
  docs: 'Documentation',
  graphiql: 'GraphiQL',
  rest: 'REST API',
  inbox: (count: number) =>
    count === 0 ? 'Notifications' : `Notifications, ${number(count)} unread`,
  profile: 'Profile',
  sessions: 'Sessions',
  theme: 'Theme',
  themes: { auto: 'Auto', light: 'Light', dark: 'Dark' },
  roles: { admin: 'Admin', editor: 'Editor', viewer: 'Viewer', guest: 'Guest' },

  shortcuts: {
    title: 'Keyboard shortcuts',
    close: 'Close',
    search: 'Search',
    help: 'Show shortcuts',
    goTo: (place: string) => `Go to ${place}`,
    and: 'then',
    letters: 'Shortcuts of a single letter',
  },
};
