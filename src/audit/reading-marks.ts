// Which mutations the audit log leaves out, and why: marks of reading, which are no edits.

/** Mutations that write no entry, each with the reason. All others write one. */
export const readingMarks = {
  viewResource: 'Somebody opened a resource; its usage counts that.',
  markNotificationsRead: 'Somebody read what they were notified of; it concerns no one else.',
} as const;
