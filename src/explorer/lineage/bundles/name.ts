// Names of bundles: "marts, 41 tables", "24 charts".

import { lineageWords } from '../../words/lineage.ts';
import { kindName } from '../../words.ts';
import type { BundleKind, Card } from '../model.ts';

/** The name of a bundle, and where it lies. */
export function nameOfBundle(of: BundleKind, members: readonly Card[]) {
  const [first] = members;
  const kind = first?.resource.kind ?? '';
  const count = members.length;
  if (of === 'siblings') {
    return { title: lineageWords.siblings(kind, count), place: lineageWords.sameNeighbours };
  }
  const within = first ? withinOf(first) : '';
  // Of what was made by hand the schema is only known from its full name.
  const schema = first?.resource.schemaName ?? within.slice(within.lastIndexOf('.') + 1);
  if (schema === '') return { title: lineageWords.siblings(kind, count), place: '' };
  return {
    title: lineageWords.schema(schema, kind, count),
    place: within.slice(0, -`.${schema}`.length).replaceAll('.', ' › ') || kindName('schema'),
  };
}

/** Where a table lies, by its full name without its own, in which a dot is a dot; empty for what lies in no schema. */
export function withinOf({ resource: { kind, title, titleFull } }: Card): string {
  const own = `.${title}`;
  return kind === 'table' && titleFull.endsWith(own) ? titleFull.slice(0, -own.length) : '';
}
