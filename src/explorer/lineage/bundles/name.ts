// Names of bundles: "marts, 41 tables", "24 charts", and the groups that cards are of.

import { lineageWords } from '../../words/lineage.ts';
import { counted, kindName } from '../../words.ts';
import type { BundleKind, Card, Grouping } from '../model.ts';

/** The name of a bundle, and where it lies. */
export function nameOfBundle(of: BundleKind, members: readonly Card[]) {
  const [first] = members;
  const kind = first?.resource.kind ?? '';
  const count = members.length;
  if (of === 'siblings') {
    return { title: lineageWords.siblings(kind, count), place: lineageWords.sameNeighbours };
  }
  if (!first || of === 'kind') return { title: lineageWords.siblings(kind, count), place: '' };
  if (of === 'owner') {
    const owner = groupOf(first, 'owner') || lineageWords.noOwner;
    return { title: lineageWords.owned(owner, count), place: lineageWords.groupings.owner };
  }
  const within = withinOf(first);
  const schema = schemaOf(first);
  const database = databaseOf(first);
  if (schema === '') return { title: lineageWords.siblings(kind, count), place: '' };
  if (of === 'schema') {
    const place = database.replaceAll('.', ' › ') || kindName('schema');
    return { title: lineageWords.schema(schema, kind, count), place };
  }
  const schemas = new Set(members.map(withinOf)).size;
  const place = within === database ? '' : counted(schemas, 'schema');
  return { title: lineageWords.schema(database, kind, count), place };
}

/** The group of a card, by its name; empty for a card that is of none. */
export function groupOf(card: Card, by: Grouping): string {
  const { owners = [], ownerGroups = [] } = card.resource;
  if (by === 'schema') return withinOf(card);
  if (by === 'database') return databaseOf(card);
  if (by === 'owner') {
    const names = [...ownerGroups, ...owners].map(({ name }) => name);
    return names.toSorted().join(', ') || lineageWords.noOwner;
  }
  return '';
}

/** Where a table lies, by its full name without its own, in which a dot is a dot; empty for what lies in no schema. */
function withinOf({ resource: { kind, title, titleFull } }: Card): string {
  const own = `.${title}`;
  return kind === 'table' && titleFull.endsWith(own) ? titleFull.slice(0, -own.length) : '';
}

/** Of what was made by hand the schema is only known from its full name. */
function schemaOf(card: Card): string {
  const within = withinOf(card);
  return card.resource.schemaName ?? within.slice(within.lastIndexOf('.') + 1);
}

function databaseOf(card: Card): string {
  return withinOf(card).slice(0, -`.${schemaOf(card)}`.length);
}
