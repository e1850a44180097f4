// The English words of the page of a resource: its head, its summary and its sections.

import { counted, number } from '../words.ts';

export const resourceWords = {
  viewLineage: 'View lineage',
  follow: 'Follow',
  following: 'Following',
  followMeans: 'Notify me of changes',
  addBookmark: 'Add bookmark',
  removeBookmark: 'Remove bookmark',
  verify: 'Mark as verified',
  unverify: 'Remove verification',
  verified: (name: string) => `Verified ${name}`,
  unverified: (name: string) => `Removed verification of ${name}`,
  archive: 'Archive',
  archivedWhat: (name: string) => `Archived ${name}`,
  restore: 'Restore',
  archived: 'Archived. Searches and lists no longer show this.',

  summary: 'Summary',
  freshness: 'Freshness',
  rows: 'Rows',
  tests: 'Tests',
  passing: (passing: number, all: number) => `${number(passing)} of ${number(all)} pass`,
  monitors: 'Monitors',
  monitorsNormal: (normal: number, all: number) =>
    normal === all ? `${number(all)} normal` : `${number(normal)} of ${number(all)} normal`,
  lastRun: 'Last run',
  incidents: 'Incidents',
  noneOpen: 'None open',
  open: (count: number) => `${number(count)} open`,
  since: 'Since',
  owners: 'Owners',
  lastChange: 'Last change',
  by: (name: string) => `by ${name}`,
  usedBy: 'Used by',
  resources: (count: number) => counted(count, 'resource'),
  uses: (count: number) => counted(count, 'use'),
  states: { good: 'On time', warning: 'Not measured', alarm: 'Late' },

  sections: 'Sections',
  tabs: {
    overview: 'Overview',
    lineage: 'Lineage',
    quality: 'Quality',
    profile: 'Profile',
    sql: 'SQL',
    questions: 'Questions',
    comments: 'Comments',
    activity: 'Activity',
  },

  columnDescription: (name: string) => `Description of ${name}`,
  addDescription: 'Add description',
  ofColumn: (name: string) => ` of ${name}`,
  editDescription: (name: string) => ` Edit the description of ${name}`,
  takeDescription: (text: string) => `Use “${text}” from`,
  save: 'Save',
  cancel: 'Cancel',
  editAll: 'Edit all',
  saveAll: 'Save descriptions',
  describedAll: (count: number) => `Saved ${counted(count, 'description')}`,
  discardedAll: (count: number) => `Discarded ${counted(count, 'description')}`,
  editKeys: 'Enter saves and moves down, Esc cancels',
};

// A day of the calendar, wherever one is.
const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });

/** Of resources that are no longer to be used. */
export const deprecationWords = {
  mark: 'deprecated',
  replacedBy: (successor: string | undefined) =>
    successor === undefined ? 'No successor' : `Use ${successor} instead`,
  name: (title: string) => `${title}, deprecated`,
  since: (at: string) => `Deprecated since ${day.format(new Date(at))}`,
  use: ': use',
  edit: 'Edit deprecation',
  end: 'End deprecation',
  deprecate: 'Deprecate',
  open: 'Deprecate …',
  save: 'Save changes',
  title: (title: string) => `Deprecate ${title}`,
  editTitle: (title: string) => `Deprecation of ${title}`,
  successor: 'Successor',
  successorPlaceholder: 'What to use instead, by name',
  note: 'Note',
  day: 'Deprecated since',
  deprecated: (title: string) => `Deprecated ${title}`,
  ended: (title: string) => `${title} is no longer deprecated`,
} as const;

const moment = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });

export const announcementWords = {
  open: 'Announce …',
  openToEveryone: 'Announce to everyone …',
  title: (about: string) => `Announcement on ${about}`,
  editTitle: (about: string) => `Edit announcement on ${about}`,
  everyone: 'the workspace',
  labels: { INFO: 'Announcement', WARNING: 'Warning' },
  text: 'Text',
  severity: 'Severity',
  severities: { INFO: 'Information', WARNING: 'Warning' },
  startsAt: 'Start',
  startsHint: 'Now if empty',
  endsAt: 'End',
  endsHint: 'Until it is deleted if empty',
  announce: 'Announce',
  save: 'Save changes',
  edit: 'Edit announcement',
  delete: 'Delete announcement',
  announced: 'Announced',
  changed: 'Announcement changed',
  deleted: 'Announcement deleted',
  until: (at: string) => `until ${moment.format(new Date(at))}`,
  on: 'on',
} as const;
