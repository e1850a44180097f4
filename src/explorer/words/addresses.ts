// The English words about where things lie, who describes them, and what is one.

import { counted } from '../words.ts';

const list = (names: readonly string[]) => names.join(', ');

export const describerWords = {
  title: 'Described by',
  person: 'A person',
  owner: 'lies here',
  roles: {
    person: 'made by hand',
    sync: 'synced from the source',
    file: 'named by a file',
    model: 'model of the project',
    source: 'read by the project',
    openlineage: 'named by runs',
    implied: 'holds what is named',
  },
  gone: 'no longer, since',
  gives: (fields: readonly string[]) => `gives ${list(fields)}`,
  madeBy: (name: string) => `Built by ${name}.`,
  missingFrom: (names: readonly string[]) => `No longer in ${list(names)}.`,
  same: 'Same as another …',
  sameLabel: 'The other one',
  samePlaceholder: 'Name of the other one',
  sameHint: 'All that hangs on it hangs on this one afterwards, and its address leads here.',
  sameNone: 'No database, schema or table is called that.',
  merge: 'Merge into this one',
  mergeMeans: (title: string) => `${title} will be part of this one. This can’t be undone.`,
  merged: 'They are one now.',
};

export const addressWords = {
  title: 'Where it writes to',
  database: (name: string | null) =>
    name === null ? 'Tables without a database:' : name === '*' ? 'All databases:' : `${name}:`,
  becomes: (name: string) => `in the database ${name}`,
  origins: {
    set: 'set by a person',
    credentials: 'from its credentials',
    matched: 'by its schemas',
  },
  undecided: (names: readonly string[]) =>
    `Not decided: ${list(names)}. Until then they are kept apart from those of other sources.`,
  undecidedCount: (count: number) => counted(count, 'undecided database'),
  choose: 'It is this one',
  shares: (schemas: number, tables: number) =>
    `${counted(schemas, 'schema')} and ${counted(tables, 'table')} of the same names`,
  takeBack: 'Take back what people said',
  doubles: 'Doubles',
  doublesMean: 'Two of one name in one place. The first is what its name means.',
  double: 'the double',
  merge: 'Merge',
  mergeMeans: 'All that hangs on the double moves to the first. This can’t be undone.',
  written: (count: number) =>
    `People wrote on ${counted(count, 'resource')} that only this source describes. A deletion takes that away.`,
  keepTexts: 'Save these texts as Markdown',
};
