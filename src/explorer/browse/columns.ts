// Columns of the list: which there are, and which this browser shows.

const names = ['owners', 'tags', 'teams', 'verified', 'freshness', 'uses', 'changed'] as const;

/** A column besides the name. */
export type ColumnName = (typeof names)[number];

export const columnNames: readonly ColumnName[] = names;

const byDefault: readonly ColumnName[] = ['owners', 'tags', 'freshness', 'uses'];
const place = 'headwater:browse-columns';

/** The columns that were chosen in this browser, in their order. */
export function readColumns(): readonly ColumnName[] {
  const kept = localStorage.getItem(place);
  if (kept === null) return byDefault;
  return names.filter((name) => kept.split(',').includes(name));
}

/** Keep the choice in this browser. */
export function keepColumns(chosen: readonly ColumnName[]): void {
  localStorage.setItem(place, chosen.join(','));
}
