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
  const within = kind === 'table' ? (first?.resource.titleFull.split('.').slice(0, -1) ?? []) : [];
  const schema = within.at(-1);
  if (schema === undefined) return { title: lineageWords.siblings(kind, count), place: '' };
  return {
    title: lineageWords.schema(schema, kind, count),
    place: within.slice(0, -1).join(' › ') || kindName('schema'),
  };
}
