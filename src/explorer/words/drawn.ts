// The English words of lineage that people draw.

const list = (names: readonly string[]) => new Intl.ListFormat('en').format(names);

export const drawnWords = {
  title: 'Added by hand',
  none: 'No edges added by hand yet',
  find: 'Search by name',
  addUpstream: 'Add upstream',
  addDownstream: 'Add downstream',
  directions: { UPSTREAM: 'upstream', DOWNSTREAM: 'downstream' },
  added: (name: string) => `Added lineage with ${name}`,
  removed: (name: string) => `Removed lineage with ${name}`,
  remove: 'Remove',

  fromSql: 'Add lineage from SQL',
  sql: (table: string) => `SQL that fills ${table}`,
  dialect: 'Dialect',
  replaces: 'Replace the lineage of earlier queries of this table',
  preview: 'Preview lineage',
  save: 'Save lineage',
  saved: (table: string) => `Saved the lineage of ${table}`,
  reads: (names: readonly string[]) =>
    names.length === 0 ? 'Reads no known tables' : `Reads ${list(names)}`,
  unknown: (names: readonly string[]) => `Not in the catalog: ${list(names)}`,
};
