// Model of the picture: cards with columns as rows, and the lines between them.

import type { Box } from './layout/layout.ts';

/** A column on a card. */
export interface Row {
  readonly id: string;
  readonly title: string;
  readonly type: string;
  /** Whether a line leads to or from it. */
  readonly isLinked: boolean;
}

/** What became of a card or a line: it is there now alone, or was there then alone, or is there in both. */
export type Change = 'new' | 'gone' | '';

/** Where the flow of data leads. */
export type Direction = 'UPSTREAM' | 'DOWNSTREAM' | 'BOTH';

/** What a person can group a picture by. */
export const groupings = ['database', 'schema', 'owner', 'kind'] as const;
export type Grouping = (typeof groupings)[number];

/** Why cards stand together: they are of one group, or have the same neighbours. */
export type BundleKind = Grouping | 'siblings';

/** What a card says of a resource. */
export interface CardResource {
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  readonly titleFull: string;
  /** The schema of a table. */
  readonly schemaName?: string | null;
  /** People and groups; absent where no one asked for them. */
  readonly owners?: readonly { readonly name: string }[];
  readonly ownerGroups?: readonly { readonly name: string }[];
  readonly openIncidents: readonly { readonly id: string }[];
  readonly deprecation: { readonly successor: { readonly title: string } | null } | null;
}

/** What a card stands for that stands for many. */
export interface Bundle {
  readonly of: BundleKind;
  readonly count: number;
  readonly place: string;
}

/** How many neighbours there are more. Those of several resources may be the same ones, which only fetching them tells. */
export interface More {
  readonly least: number;
  readonly most: number;
  /** The resources that they are neighbours of. */
  readonly around: readonly string[];
}

/** A resource in the picture, or several. */
export interface Card extends Box {
  readonly resource: CardResource;
  /** Null on a card of one resource. */
  readonly bundle: Bundle | null;
  /** Steps from where the picture begins. */
  readonly depth: number;
  /** Where it lies as seen from there: both on a cycle; null where it was fetched around another card. */
  readonly direction: Direction | null;
  /** What became of it since the time that is compared with. */
  readonly change: Change;
  readonly columns: number;
  readonly rows: readonly Row[];
  readonly moreRows: number;
  /** Neighbours that are not in the picture. */
  readonly before: More;
  readonly after: More;
}

/** A line between two cards, or between rows of theirs. */
export interface Line {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly fromRow: string | null;
  readonly toRow: string | null;
  readonly origin: string;
  /** Whether what flows along it only decides about rows. */
  readonly isIndirect: boolean;
  /** What its source is used for; empty where no SQL says it. */
  readonly uses: readonly string[];
  readonly change: Change;
  /** How many connections between two resources it stands for: one, except between cards of several. */
  readonly count: number;
  /** The same for all lines between two cards. */
  readonly pair: string;
}

/** Which column is made from which, whether its card is open or not. */
export interface ColumnEdge {
  readonly id: string;
  readonly from: string;
  readonly to: string;
}

export interface Model {
  readonly cards: ReadonlyMap<string, Card>;
  readonly lines: readonly Line[];
  readonly columnEdges: readonly ColumnEdge[];
  /** What is known of the columns of each card, open or not. */
  readonly columns: ReadonlyMap<string, readonly Row[]>;
  /** The card that a column is on. */
  readonly cardOf: ReadonlyMap<string, string>;
  /** The cards of single resources, also of those that stand in a bundle. */
  readonly all: ReadonlyMap<string, Card>;
  /** The bundle that a resource stands in. */
  readonly within: ReadonlyMap<string, string>;
  /** Bundles that somebody opened. */
  readonly opened: readonly { readonly id: string; readonly name: string }[];
}

/** How large the parts of a card are, in pixels. */
export const size = { width: 244, head: 58, row: 25, rows: 8, foot: 26, inset: 8 } as const;

/** The height at which a line meets a card: the middle of its row, or of the head. */
export function meets({ rows }: Card, row: string | null): number {
  const at = row === null ? -1 : rows.findIndex(({ id }) => id === row);
  return at < 0 ? size.head / 2 : size.head + size.inset / 2 + (at + 0.5) * size.row;
}

/** Whether a card or a column is in the picture, also within a bundle or on a card that is closed. */
export function holds({ cards, within, cardOf }: Model, id: string): boolean {
  return cards.has(cardOf.get(id) ?? within.get(id) ?? id);
}

/** An end of a line: a card, or a column on it. */
export interface NamedEnd {
  readonly id: string;
  readonly name: string;
}

/** The lines, with the whole names of what they lead from and to. */
export function namedLines({ cards, lines }: Model) {
  const columns = new Map(
    [...cards.values()].flatMap(({ rows }) => rows.map(({ id, title }) => [id, title] as const)),
  );
  const end = (card: string, row: string | null): NamedEnd => {
    const full = cards.get(card)?.resource.titleFull ?? '';
    return row === null
      ? { id: card, name: full }
      : { id: row, name: `${full}.${columns.get(row) ?? ''}` };
  };
  return lines.map((line) => ({
    line,
    from: end(line.from, line.fromRow),
    to: end(line.to, line.toRow),
  }));
}
