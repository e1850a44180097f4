// What the pages of documents and of the glossary say.

import { counted, number } from '../words.ts';

export const shelfWords = {
  archive: 'Delete',
  archivedOn: 'deleted',
  archivedWhat: (title: string) => `Deleted ${title}`,
  changedBy: (name: string) => `by ${name}`,
  comments: 'Comments',
  contents: 'Contents',
  createIn: (title: string) => `In ${title}`,
  current: 'current',
  compared: (version: number) => `Version ${number(version)} compared with the current text`,
  details: 'Owners, tags, properties and activity',
  dropHere: 'Drag to move. Drop here for the top level.',
  edit: 'Edit',
  fullText: 'Full text',
  changes: 'Changes',
  linkedFrom: 'Linked from',
  lines: (count: number) => `${counted(count, 'line')} changed`,
  created: 'Created',
  missing: 'Not found',
  missingHow: 'It may have been deleted, or you don’t have access. Go back to:',
  more: 'More',
  hidden: 'You don’t have access to this page.',
  move: 'Move to …',
  moved: (title: string, into: string | null) => `Moved ${title} to ${into ?? 'the top level'}`,
  moveTitle: (title: string) => `Move ${title}`,
  findPlace: 'Find a place by name',
  topLevel: 'Top level',
  noMatch: 'No matches',
  noLinks: 'No links to it yet',
  noLinksHow: 'Type [[ in a text to link to it.',
  noText: 'No text yet',
  noVersions: 'No versions yet',
  noVersionsHow: 'Each change of the text keeps the one before.',
  restore: 'Restore',
  restored: (title: string) => `Restored ${title}`,
  restoreVersion: (version: number) => `Restore version ${number(version)}`,
  restoredVersion: (version: number, as: number) =>
    `Restored the text of version ${number(version)} as version ${number(as)}`,
  restoreHow: (version: number, next: number) =>
    `Restoring makes version ${number(next)} with the text of version ${number(version)}. Nothing is lost.`,
  sections: 'Sections',
  summary: 'Summary',
  titleMissing: 'Enter a title.',
  updated: 'Changed',
  version: (version: number) => `Version ${number(version)}`,
  versions: 'Versions',
  cancel: 'Cancel',
  owners: 'Owners',
  tags: 'Tags',
} as const;

/** Of documents, and the collections that they are in. */
export const documentWords = {
  title: 'Documents',
  filter: 'Filter documents',
  none: 'No documents yet',
  noneHow: 'Write down how your data is laid out, and link it to tables with [[.',
  noneChosen: 'Choose a document, or write a new one.',
  text: 'Document',
  archived: 'Deleted documents',
  create: { document: 'New document', collection: 'New collection' },
} as const;

/** Of the terms of the glossary. */
export const glossaryWords = {
  title: 'Glossary',
  filter: 'Filter terms',
  none: 'No terms yet',
  noneHow: 'Say what the words mean that your team works with.',
  noneChosen: 'Choose a term, or define a new one.',
  text: 'Definition',
  archived: 'Deleted terms',
  create: { glossary: 'New term' },
  uses: 'Used on',
  usedOn: 'Used on',
  noUses: 'No resources use it yet',
  noUsesHow: 'Set a property of the type resource to this term on a table, column or chart.',
} as const;

// A day of the calendar, wherever one is.
const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });

/** What only glossary terms say. */
export const termWords = {
  synonyms: 'Synonyms',
  addSynonym: 'Add synonym',
  newSynonym: (text: string) => `Add “${text}”`,
  related: 'Related terms',
  addRelated: 'Add related term',
  statusName: 'Status',
  anyStatus: 'Any status',
  status: { draft: 'Draft', in_review: 'In review', approved: 'Approved' },
  step: { draft: 'Back to draft', in_review: 'Send to review', approved: 'Approve' },
  changed: { draft: 'Set to draft', in_review: 'Sent to review', approved: 'Approved' },
  approvedBy: (name: string | undefined) => (name ? `Approved by ${name}` : 'Approved'),
  formula: 'Formula',
  addFormula: 'Add formula',
  editFormula: 'Edit formula',
  saveFormula: 'Save formula',
  formulaChanged: 'Formula saved',
  nextReview: 'Next review',
  reviewOn: (at: string) => `Next review on ${day.format(new Date(at))}`,
  reviewEnded: 'Next review removed',
  reviewDue: 'review due',
  day: (at: string) => day.format(new Date(at)),
} as const;
