// Cards that stand for many: all of a group where a picture is large or a person asks for it, and siblings that are alike.

import {
  type BundleKind,
  type Card,
  type Grouping,
  type Line,
  type Model,
  type More,
  size,
} from '../model.ts';
import { groupOf, nameOfBundle } from './name.ts';

/** Above so many cards a picture is first shown by schemas. */
export const mostCards = 300;
/** More siblings than this fold into one card. */
export const mostSiblings = 12;

/** What a person opened, by the ids of bundles. */
export interface Unbundled {
  readonly opened: ReadonlySet<string>;
  /** Whether each card is wanted on its own, however many there are. */
  readonly isPlain: boolean;
  /** What a person groups by; null where no one chose: then a large picture is grouped by schema. */
  readonly by: Grouping | null;
}

/** The picture with bundles in place of what they hold. */
export function bundled(model: Model, { opened, isPlain, by }: Unbundled): Model {
  const isGrouped = !isPlain && (by !== null || model.cards.size > mostCards);
  const grouped = isGrouped ? merged(model, groupsOf(model, by ?? 'schema'), opened) : model;
  return isPlain ? grouped : merged(grouped, siblingsOf(grouped, model.lines), opened);
}

/** Cards that one card is to stand for. */
interface Parcel {
  readonly id: string;
  readonly of: BundleKind;
  readonly members: readonly Card[];
}

/** The cards of each group; those that are of none by their kind. What the picture is of stands alone. */
function groupsOf({ cards }: Model, by: Grouping): Parcel[] {
  const found = new Map<string, Card[]>();
  for (const card of cards.values()) {
    if (card.depth === 0) continue;
    const group = groupOf(card, by);
    const id = group === '' ? `kind:${card.resource.kind}` : `${by}:${encodeURIComponent(group)}`;
    put(found, id, card);
  }
  return [...found]
    .filter(([, members]) => members.length > 1)
    .map(([id, members]) => ({ id, of: id.startsWith('kind:') ? 'kind' : by, members }));
}

/**
 * Cards of one kind that lead to the same and are led to by the same, where they are many. The lines are those of the
 * picture without bundles: who opens a schema sees which of its tables are alike.
 */
function siblingsOf({ cards }: Model, lines: readonly Line[]): Parcel[] {
  const before = new Map<string, Set<string>>();
  const after = new Map<string, Set<string>>();
  for (const { from, to } of lines) {
    before.set(to, (before.get(to) ?? new Set()).add(from));
    after.set(from, (after.get(from) ?? new Set()).add(to));
  }
  const list = (ids: Set<string> | undefined) => [...(ids ?? [])].sort().join(' ');
  const found = new Map<string, Card[]>();
  for (const card of cards.values()) {
    const neighbours = `${list(before.get(card.id))} > ${list(after.get(card.id))}`;
    // Anyone who opened a card, or began with it, wants to see it.
    const isAlone = card.depth === 0 || card.rows.length > 0 || card.bundle !== null;
    if (isAlone || neighbours === ' > ') continue;
    put(found, `${card.resource.kind} ${card.change} ${neighbours}`, card);
  }
  return [...found.values()]
    .filter((members) => members.length > mostSiblings)
    .map((members) => ({ id: idOfSiblings(members), of: 'siblings', members }));
}

/** The same for the same siblings, in whatever order they come. */
function idOfSiblings(members: readonly Card[]): string {
  const [first = ''] = members.map(({ id }) => id).sort();
  return `like:${first}`;
}

function put<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

/** The picture with one card for each parcel that is not opened, and one line where several were the same. */
function merged(model: Model, parcels: readonly Parcel[], opened: ReadonlySet<string>): Model {
  const closed = parcels.filter(({ id }) => !opened.has(id));
  const openedHere = parcels.filter(({ id }) => opened.has(id));
  const standing = new Map(
    closed.flatMap(({ id, members }) => members.map((member) => [member.id, id] as const)),
  );
  const cardOf = (id: string) => standing.get(id) ?? id;
  const cards = [...model.cards.values()].filter(({ id }) => !standing.has(id));
  return {
    ...model,
    cards: new Map([...cards, ...closed.map(cardFor)].map((card) => [card.id, card])),
    lines: linesBetween(model.lines, cardOf),
    cardOf: new Map([...model.cardOf].map(([column, card]) => [column, cardOf(card)])),
    within: new Map([
      ...[...model.within].map(([id, bundle]) => [id, cardOf(bundle)] as const),
      ...standing,
    ]),
    opened: [
      ...model.opened,
      ...openedHere.map(({ id, of, members }) => ({ id, name: nameOfBundle(of, members).title })),
    ],
  };
}

function cardFor({ id, of, members }: Parcel): Card {
  const { title, place } = nameOfBundle(of, members);
  const [first] = members;
  return {
    id,
    resource: {
      ...{ id, title, titleFull: title },
      kind: of === 'schema' || of === 'database' ? of : (first?.resource.kind ?? ''),
      openIncidents: members.flatMap(({ resource }) => resource.openIncidents),
      deprecation: null,
    },
    bundle: { of, count: members.length, place },
    depth: members.reduce((least, { depth }) => Math.min(least, depth), Number.POSITIVE_INFINITY),
    direction: null,
    change: members.every(({ change }) => change === first?.change) ? (first?.change ?? '') : '',
    ...{ columns: 0, rows: [], moreRows: 0 },
    before: moreOf(members.map(({ before }) => before)),
    after: moreOf(members.map(({ after }) => after)),
    ...{ width: size.width, height: size.head },
  };
}

/** The neighbours that all have together: as many as one of them has, and all of theirs where they share none. */
function moreOf(each: readonly More[]): More {
  const some = each.filter(({ most }) => most > 0);
  return {
    least: some.reduce((most, { least }) => Math.max(most, least), 0),
    most: some.reduce((sum, { most }) => sum + most, 0),
    around: some.flatMap(({ around }) => around),
  };
}

function linesBetween(lines: readonly Line[], cardOf: (id: string) => string): Line[] {
  const found = new Map<string, Line>();
  // The columns of two resources have several lines, and are one connection.
  const counted = new Set<string>();
  for (const line of lines) {
    const [from, to] = [cardOf(line.from), cardOf(line.to)];
    if (from === line.from && to === line.to) {
      found.set(line.id, line);
      continue;
    }
    if (from === to) continue;
    const fromRow = from === line.from ? line.fromRow : null;
    const toRow = to === line.to ? line.toRow : null;
    const id = `${from} ${fromRow ?? ''} ${to} ${toRow ?? ''}`;
    const known = found.get(id);
    const more = counted.has(`${id} ${line.pair}`) ? 0 : line.count;
    counted.add(`${id} ${line.pair}`);
    found.set(id, {
      ...line,
      ...{ id, from, to, fromRow, toRow, pair: `${from} ${to}` },
      count: (known?.count ?? 0) + more,
      // It only decides where all do, and is new or gone where all are.
      isIndirect: line.isIndirect && (known?.isIndirect ?? true),
      change: known && known.change !== line.change ? '' : line.change,
      uses: known ? [...new Set([...known.uses, ...line.uses])] : line.uses,
    });
  }
  return [...found.values()];
}
