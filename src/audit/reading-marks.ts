// Which mutations the audit log leaves out, and why: marks of reading, which are no edits of the catalog.

/** Mutations that write no entry, each with the reason. All others write one. */
export const readingMarks = {
  viewResource: 'Somebody opened a resource; its usage counts that.',
  markNotificationsRead: 'Somebody read what they were notified of; it concerns no one else.',
  saveSearch: 'Somebody keeps a search for themselves.',
  deleteSavedSearch: 'Somebody keeps a search of their own no longer.',
} as const;
