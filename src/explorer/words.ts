// In charge of the English words of the explorer, all in one place so that others can be put in theirs.

const plurals: Readonly<Record<string, string>> = {
  category: 'categories',
  event_property: 'event properties',
  glossary: 'glossary terms',
  query: 'queries',
  question_reply: 'replies',
};

/** What a kind of resource is called, one of it or several. */
export function kindName(kind: string, count = 1): string {
  const one =
    { glossary: 'glossary term', question_reply: 'reply' }[kind] ?? kind.replaceAll('_', ' ');
  return count === 1 ? one : (plurals[kind] ?? `${one}s`);
}

/** A number as people write it. */
export function number(value: number): string {
  return value.toLocaleString('en');
}

export function counted(count: number, one: string, several = `${one}s`): string {
  return `${number(count)} ${count === 1 ? one : several}`;
}

export const words = {
  add: 'Add …',
  archived: 'deleted',
  copied: 'Copied',
  diff: { before: 'gone: ', after: 'new: ' },
  failed: 'That did not work.',
  forbidden: 'Your role may not do this.',
  home: 'Home',
  incidents: (count: number) => counted(count, 'open incident'),
  loading: 'Loading …',
  notCopied: 'The browser does not allow it',
  passing: 'The server is asked again in a moment.',
  pii: 'personal data',
  no: 'No',
  skip: 'Skip to the content',
  stale: 'stale',
  staleMeans: 'Its source no longer names it.',
  sure: 'Really?',
  tryAgain: 'Try again',
  unreachable: 'The server does not answer. This page tries again until it does.',
  verified: 'verified',

  frame: {
    graphiql: 'GraphiQL',
    admin: 'Admin',
    audit: 'Audit',
    impact: 'What would break',
    main: 'Main',
    incidents: 'Incidents',
    monitors: 'Monitors',
    questions: 'Questions',
    sources: 'Sources',
    rest: 'REST',
    search: 'Search tables, columns, dashboards …',
    searchName: 'Search the catalog',
    sessions: 'Sessions',
    signOut: 'Sign out',
    signOutEverywhere: 'Sign out everywhere',
  },

  key: {
    title: 'Sign in',
    providers: 'Providers',
    continueWith: (name: string) => `Continue with ${name}`,
    or: 'or with a key',
    label: 'API key',
    use: 'Sign in',
    checking: 'Checking …',
    remember: 'Stay signed in on this device',
    where:
      'The first admin’s key is printed in the terminal when the server starts; without a terminal it is in the file admin-api-key of the data folder. Others get theirs from an admin.',
    kept: 'It stays in this browser, and is sent to this server only.',
    wrong: 'The server does not know this key: it is wrong, expired or was revoked.',
  },

  search: {
    title: 'Search',
    begin: 'Type a few words: a name, a part of it, or what it is about.',
    none: (query: string) => `Nothing matches “${query}”.`,
    noneHow: 'Fewer or other words may; letters that differ are forgiven in titles.',
    noneFilters: 'Nothing matches with these filters.',
    clear: 'Clear the filters',
    count: (count: number, isCapped: boolean) =>
      `${isCapped ? 'More than ' : ''}${counted(count, 'result')}`,
    near: 'nearly this name',
    more: 'Show more',
    filters: 'Filters',
    facets: { kinds: 'Kind', sources: 'Source', teams: 'Team', owners: 'Owner', tags: 'Tag' },
    uses: (count: number) => counted(count, 'use'),
  },

  resource: {
    missing: 'There is no such thing here',
    missingHow: 'It was deleted for good, its address is wrong, or your key may not see it.',
    about: 'About',
    where: 'Where it is',
    documentation: 'Documentation',
    undocumented: 'Nobody has written about it yet.',
    write: 'Write about it',
    edit: 'Edit',
    columns: (count: number) => counted(count, 'column'),
    columnsCut: (shown: number) => `The first ${number(shown)} are shown.`,
    columnName: 'Name',
    columnType: 'Type',
    columnText: 'What it holds',
    findColumn: 'Find a column',
    keyColumn: 'key',
    contents: (count: number) => `Holds ${counted(count, 'thing')}`,
    upstream: 'Made from',
    downstream: 'Used by',
    nothingUpstream: 'Nothing that the catalog knows.',
    nothingDownstream: 'Nothing that the catalog knows.',
    history: 'History',
    versions: 'Versions of the documentation',
    version: (at: number) => `Version ${number(at)}`,
    whatChanged: 'What changed',
    noVersions: 'Nobody has changed its documentation yet.',
    deeds: 'What was done with it',
    noDeeds: 'Nothing was done with it by hand.',
    addOwner: 'Add an owner',
    addTag: 'Add a tag',
    takeAway: (name: string) => `Take away ${name}`,
    moreLinks: (count: number) => `and ${number(count)} more`,
    picture: 'Show the picture',
    lineage: 'Lineage',
    monitors: 'Monitors',
    noMonitors: 'Nobody watches it.',
    watch: 'Watch it',
    incidents: 'Open incidents',
    tests: 'Data tests',
    notRun: 'not run yet',
    subscribe: 'Subscribe',
    unsubscribe: 'Unsubscribe',
    columnLineage: 'Lineage',
    madeFrom: (count: number, names: string) => `made from ${counted(count, 'column')}: ${names}`,
    usedBy: (count: number, names: string) => `used by ${counted(count, 'column')}: ${names}`,
    owners: 'Owners',
    noOwners: 'Nobody owns it.',
    teams: 'Teams',
    tags: 'Tags',
    noTags: 'None.',
    source: 'Source',
    usage: 'Usage',
    in30Days: (count: number) => `${number(count)} of the last 30 days`,
    rows: 'Rows',
    changed: 'Changed',
    sql: 'SQL',
    copy: 'Copy as',
    copyName: 'SQL name',
    copyLink: 'Link',
    copyGraphql: 'GraphQL',
    copyCurl: 'curl',
  },

  edit: {
    title: 'Edit the documentation',
    description: 'In one sentence',
    text: 'Documentation',
    hint: 'Markdown. Ctrl+B bold, Ctrl+I italic, Ctrl+K link, Ctrl+Enter saves.',
    write: 'Write',
    preview: 'Preview',
    save: 'Save',
    saving: 'Saving …',
    cancel: 'Cancel',
    nothing: 'Nothing to show yet.',
    conflict: 'Somebody changed this page while you wrote.',
    conflictHow:
      'Your words are still here and nothing was overwritten. Take over from theirs what you want to keep, then save.',
    theirs: 'As it is now',
    saveAnyway: 'Save mine in its place',
    insertTheirs: 'Put theirs below mine',
    draft: 'This is what you wrote last time and did not save.',
    discard: 'Discard it',
  },

  impact: {
    title: 'If this changes',
    looking: 'Looking for what depends on it …',
    nothing: 'Nothing that the catalog knows depends on it.',
    notify: 'Notify first:',
    nobody: 'nobody owns it',
    columns: (count: number) => counted(count, 'column'),
    more: 'There is more than this list shows.',
    steps: (count: number) => `${counted(count, 'step')} away`,
  },

  missing: {
    title: 'There is no such page',
    how: 'Search for what you were looking for, or begin at',
  },
} as const;
