// The English words about where things lie, who describes them, and what is one.

import { counted } from '../words.ts';

const list = (names: readonly string[]) => names.join(', ');

export const describerWords = {
  title: 'Described by',
  person: 'A person',
  owner: 'main source',
  roles: {
    person: 'created by hand',
    sync: 'synced',
    file: 'uploaded file',
    model: 'project model',
    source: 'project source',
    openlineage: 'run events',
    implied: 'contains its resources',
  },
  gone: 'until',
  gives: (fields: readonly string[]) => `provides ${list(fields)}`,
  madeBy: (name: string) => `Built by ${name}`,
  missingFrom: (names: readonly string[]) => `No longer in ${list(names)}`,
  same: 'Merge a duplicate …',
  sameLabel: 'Duplicate',
  samePlaceholder: 'Search by name',
  sameHint: 'Everything attached to the duplicate moves here, and its address redirects here.',
  merge: 'Merge into this one',
  mergeMeans: (title: string) => `${title} becomes part of this one. This can’t be undone.`,
  merged: 'Merged',
};

export const addressWords = {
  title: 'Target databases',
  database: (name: string | null) =>
    name === null ? 'Tables without a database:' : name === '*' ? 'All databases:' : `${name}:`,
  becomes: (name: string) => `in database ${name}`,
  origins: {
    set: 'set manually',
    credentials: 'from credentials',
    matched: 'matched by schemas',
  },
  undecided: (names: readonly string[]) =>
    `Undecided: ${list(names)}. Until you choose, they stay separate from the databases of other sources.`,
  undecidedCount: (count: number) => counted(count, 'undecided database'),
  choose: 'Use this database',
  shares: (schemas: number, tables: number) =>
    `${counted(schemas, 'schema')} and ${counted(tables, 'table')} with the same names`,
  takeBack: 'Reset manual choices',
  doubles: 'Duplicates',
  doublesMean:
    'Two resources with the same name in the same place. Merge the second into the first.',
  double: 'duplicate',
  merge: 'Merge',
  mergeMeans: 'Everything attached to the duplicate moves to the first. This can’t be undone.',
  written: (count: number) =>
    `${counted(count, 'resource')} found only in this source ${count === 1 ? 'has' : 'have'} text written by people. Deleting the source deletes that text.`,
  keepTexts: 'Download texts as Markdown',
};
