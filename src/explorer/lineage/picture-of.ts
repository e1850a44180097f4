// Builds the picture from the server's answer.

import { type Compared, unchanged } from './history/compared.ts';
import {
  type Card,
  type Change,
  type Line,
  type Model,
  type More,
  type Row,
  size,
} from './model.ts';
import type { LineagePictureData, PictureColumn, PictureResource } from './page.graphql';

/** What a person opened. */
export interface Opened {
  /** Cards whose columns show. */
  readonly cards: ReadonlySet<string>;
  /** Of them those that show all of their columns. */
  readonly whole: ReadonlySet<string>;
  /** Whether kinds are left out: then a neighbour that is not shown may be meant not to be. */
  readonly isFiltered: boolean;
  /** All columns of cards for which they were asked; of others those with lines are known. */
  readonly columns: ReadonlyMap<string, readonly PictureColumn[]>;
}

/** The picture of an answer: rows on open cards only, those with lines first. */
export function pictureOf(
  answer: LineagePictureData,
  opened: Opened,
  compared: Compared = unchanged,
): Model {
  const nodes = new Map(
    [...compared.goneNodes, ...(answer.grown?.nodes ?? []), ...(answer.tables?.nodes ?? [])].map(
      (node) => [node.resource.id, node],
    ),
  );
  const edges = new Map(
    [...compared.goneEdges, ...(answer.tables?.edges ?? []), ...(answer.grown?.edges ?? [])].map(
      (edge) => [edge.id, edge],
    ),
  );
  const begun = new Set(answer.tables?.nodes.map(({ resource }) => resource.id));
  const columnEdges = (answer.columns?.edges ?? []).map(({ id, sourceId, targetId }) => ({
    id,
    from: sourceId,
    to: targetId,
  }));
  const columns = columnsOf(answer, opened);
  const hidden = opened.isFiltered ? () => nothingHidden : hiddenAround([...edges.values()]);
  const cards = new Map(
    [...nodes.values()].map((node) => [
      node.resource.id,
      // What was fetched around another card is no beginning.
      cardOf(node.resource, placeOf(node, begun.has(node.resource.id)), {
        ...{ columns, opened, change: compared.ofNode(node.resource.id) },
        ...hidden(node.resource.id, node),
      }),
    ]),
  );
  const cardsOfColumns = new Map(
    [...columns].flatMap(([card, rows]) => rows.map(({ id }) => [id, card] as const)),
  );
  const rows = new Set([...cards.values()].flatMap((card) => card.rows.map(({ id }) => id)));
  const drawn = (answer.columns?.edges ?? []).flatMap((edge) =>
    columnLine(edge, { cards, cardsOfColumns, rows }),
  );
  const finer = new Set(drawn.filter(({ isIndirect }) => !isIndirect).map(({ pair }) => pair));
  const lines = [...edges.values()].flatMap(({ id, sourceId, targetId, origin }) => {
    const pair = `${sourceId} ${targetId}`;
    // Where columns have lines, the one between their cards says nothing more.
    if (finer.has(pair)) return [];
    const ends = { from: sourceId, to: targetId, fromRow: null, toRow: null };
    const change = compared.ofEdge(pair);
    return [{ id, ...ends, origin, isIndirect: false, uses: [], change, count: 1, pair }];
  });
  return {
    ...{ cards, lines: [...lines, ...drawn], columnEdges, columns, cardOf: cardsOfColumns },
    ...{ all: cards, within: new Map(), opened: [] },
  };
}

type Hidden = Pick<Card, 'before' | 'after'>;

interface Counted {
  readonly upstreamCount: number;
  readonly downstreamCount: number;
}

interface Ends {
  readonly sourceId: string;
  readonly targetId: string;
}

/** How many neighbours of each are not in the picture: those that the server counts, less those that lines lead to. */
function hiddenAround(edges: readonly Ends[]): (id: string, counted: Counted) => Hidden {
  const before = neighbours(edges, 'targetId', 'sourceId');
  const after = neighbours(edges, 'sourceId', 'targetId');
  return (id, { upstreamCount, downstreamCount }) => ({
    before: moreOf(id, upstreamCount - (before.get(id)?.size ?? 0)),
    after: moreOf(id, downstreamCount - (after.get(id)?.size ?? 0)),
  });
}

const none: More = { least: 0, most: 0, around: [] };
const nothingHidden: Hidden = { before: none, after: none };

function moreOf(id: string, count: number): More {
  const known = Math.max(0, count);
  return { least: known, most: known, around: [id] };
}

function neighbours(edges: readonly Ends[], here: keyof Ends, there: keyof Ends) {
  const found = new Map<string, Set<string>>();
  for (const edge of edges) {
    const known = found.get(edge[here]);
    if (known) known.add(edge[there]);
    else found.set(edge[here], new Set([edge[there]]));
  }
  return found;
}

interface Surroundings extends Hidden {
  readonly columns: ReadonlyMap<string, readonly Row[]>;
  readonly opened: Opened;
  readonly change: Change;
}

type Place = Pick<Card, 'depth' | 'direction'>;

function placeOf({ depth, direction }: Place, isBegun: boolean): Place {
  return isBegun ? { depth, direction } : { depth: depth + 1, direction: null };
}

function cardOf(resource: PictureResource, place: Place, around: Surroundings): Card {
  const { columns, opened, change, before, after } = around;
  const { id } = resource;
  const known = columns.get(id) ?? [];
  const count = Math.max(known.length, 'childrenCount' in resource ? resource.childrenCount : 0);
  const isWhole = opened.whole.has(id);
  const sorted = [...known.filter((row) => row.isLinked), ...known.filter((row) => !row.isLinked)];
  const rows = opened.cards.has(id) ? sorted.slice(0, isWhole ? undefined : size.rows) : [];
  const isOpen = rows.length > 0;
  const moreRows = isOpen ? count - rows.length : 0;
  const body = rows.length * size.row + size.inset + (moreRows > 0 ? size.foot : 0);
  return {
    id,
    resource,
    bundle: null,
    ...place,
    change,
    columns: count,
    rows,
    moreRows,
    width: size.width,
    height: size.head + (isOpen ? body : 0),
    before,
    after,
  };
}

/** What is known of each card's columns: all where they were asked for, else those with lines. */
function columnsOf({ columns }: LineagePictureData, opened: Opened): Map<string, Row[]> {
  const linked = new Set(columns?.edges.flatMap(({ sourceId, targetId }) => [sourceId, targetId]));
  const rowOf = (column: PictureColumn): Row => ({
    id: column.id,
    title: titleIn(column),
    type: typeOf(column),
    isLinked: linked.has(column.id),
  });
  const found = new Map<string, Row[]>();
  for (const { resource } of columns?.nodes ?? []) {
    // What decides about rows leads to a table, which is a card of its own.
    if (!('type' in resource) || !resource.table || !linked.has(resource.id)) continue;
    const rows = found.get(resource.table.id) ?? [];
    rows.push(rowOf(resource));
    found.set(resource.table.id, rows);
  }
  for (const [card, all] of opened.columns) {
    const listed = new Set(all.map(({ id }) => id));
    // A list may be cut, and a line still lead to a column beyond it.
    const beyond = (found.get(card) ?? []).filter(({ id }) => !listed.has(id));
    found.set(card, [...all.map(rowOf), ...beyond]);
  }
  return found;
}

/** The name of a column on the card of its table: that of a field says in what it lies, `place.city`. */
function titleIn(column: PictureColumn): string {
  const { title, titleFull, parentId } = column;
  if (!('table' in column) || !column.table || column.table.id === parentId) return title;
  const start = `${column.table.titleFull}.`;
  return titleFull.startsWith(start) ? titleFull.slice(start.length) : title;
}

function typeOf(column: PictureColumn): string {
  if (!('type' in column)) return '';
  return column.isPk ? 'key' : (column.type ?? '').toLowerCase();
}

interface Places {
  readonly cards: ReadonlyMap<string, Card>;
  readonly cardsOfColumns: ReadonlyMap<string, string>;
  readonly rows: ReadonlySet<string>;
}

/** A line from row to row; a row that does not show lends the head of its card. */
function columnLine(
  edge: NonNullable<LineagePictureData['columns']>['edges'][number],
  { cards, cardsOfColumns, rows }: Places,
): Line[] {
  const { id, sourceId, targetId, origin, strength, uses } = edge;
  const from = cardsOfColumns.get(sourceId) ?? sourceId;
  const to = cardsOfColumns.get(targetId) ?? targetId;
  const fromRow = rows.has(sourceId) ? sourceId : null;
  const toRow = rows.has(targetId) ? targetId : null;
  if (!cards.has(from) || !cards.has(to) || (fromRow === null && toRow === null)) return [];
  const isIndirect = strength === 'INDIRECT';
  const ends = { from, to, fromRow, toRow, pair: `${from} ${to}` };
  return [{ id, ...ends, origin, isIndirect, uses, change: '', count: 1 }];
}
