// The English words about the lineage picture.

import { counted, kindName, number } from '../words.ts';

/** What cuts a picture, as the server calls it. */
type LineageLimit = 'DEPTH' | 'MAX_NODES' | 'SIZE' | 'TIME';

export const lineageWords = {
  title: (name: string) => (name === '' ? 'Lineage' : `Lineage of ${name}`),
  level: 'Level',
  tables: 'Tables',
  columns: 'Columns',
  steps: 'Steps',
  fit: 'Fit',
  uses: 'What decides about rows',
  dashed: 'dashed lines only decide about rows',
  decides: (uses: readonly string[]) =>
    uses.length === 0
      ? 'decides about rows'
      : `decides about rows (${uses.map((use) => use.toLowerCase().replaceAll('_', ' ')).join(', ')})`,
  kinds: 'Kinds',
  asTable: 'Table',
  asPicture: 'Picture',
  view: 'View',
  find: 'Find in the picture',
  found: (count: number) => (count === 0 ? 'none found' : `${number(count)} found`),
  only: 'Only this path',
  all: 'Show all',
  export: 'Export',
  svg: 'SVG',
  png: 'PNG',
  tooLarge: 'The picture is too large for PNG; SVG has no limit.',
  larger: 'Larger',
  smaller: 'Smaller',
  zoom: 'Zoom',
  picture: (count: number) => `Lineage of ${counted(count, 'resource')}`,
  shown: (shown: number, total: number | null) =>
    total !== null && total > shown
      ? `${number(shown)} of ${counted(total, 'resource')}`
      : counted(shown, 'resource'),
  cut: (limit: LineageLimit, at: number) =>
    ({
      DEPTH: `cut after ${counted(at, 'step')}`,
      MAX_NODES: `cut at ${counted(at, 'resource')}`,
      SIZE: `cut, for there are more than ${number(at)} around it`,
      TIME: `cut, for it took more than ${counted(at, 'second')}`,
    })[limit],
  hidden: (count: number) => `${number(count)} that your key may not see`,
  asOf: (day: string) => `as it was on ${day}`,
  now: 'Now',
  when: 'As of',
  columnsOf: (name: string) => `columns of ${name}`,
  moreColumns: (count: number) => `${number(count)} more ${count === 1 ? 'column' : 'columns'}`,
  more: ({ least, most }: { readonly least: number; readonly most: number }) =>
    least === most ? number(most) : `${number(least)}–${number(most)}`,
  fullyGrown: (most: number) =>
    `The neighbours of ${number(most)} resources are shown, which is the most. Show the lineage of another to see its own.`,
  before: (name: string) => `more that ${name} is made from`,
  after: (name: string) => `more that use ${name}`,
  open: 'Open its page',
  start: 'Show its lineage',
  alone: 'Nothing leads to it, and nothing uses it, as far as the catalog knows.',
  from: 'From',
  to: 'To',
  how: 'Known from',
  ofColumns: 'Between columns',
  ofTables: 'Between tables',

  possible: (count: number) =>
    `${number(count)} more may be reached; by which columns is not known`,

  schema: (name: string, kind: string, count: number) =>
    `${name}, ${number(count)} ${kindName(kind, count)}`,
  siblings: (kind: string, count: number) => `${number(count)} ${kindName(kind, count)}`,
  sameNeighbours: 'with the same neighbours',
  openBundle: (name: string) => `Show each of ${name}`,
  closeBundle: (name: string) => `Fold ${name}`,
  grouped: (count: number, cards: number) =>
    `${counted(count, 'resource')} in ${counted(cards, 'card')}, grouped by schema`,
  folded: (count: number, cards: number) =>
    `${counted(count, 'resource')} in ${counted(cards, 'card')}, those that are alike as one`,
  plain: 'Show each on its own',
  bundle: 'Group again',

  time: 'Time',
  endOfDay: 'Or at the end of',
  changesSince: 'Changes since',
  since: (when: string) => `, since ${when}`,
  noChanges: 'not compared',
  noMoments: 'It never changed.',
  came: 'new',
  gone: 'gone',
  cameCount: (count: number) => `${number(count)} new`,
  goneCount: (count: number) => `${number(count)} gone`,
  linesCame: (count: number) => `${counted(count, 'line')} new`,
  linesGone: (count: number) => `${counted(count, 'line')} gone`,
  nothingChanged: 'nothing came or went',
  comparedInPart: 'beyond what is shown nothing was compared',
} as const;
