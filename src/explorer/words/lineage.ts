// The English words about the lineage picture.

import { counted, kindName, number } from '../words.ts';

/** What cuts a picture, as the server calls it. */
type LineageLimit = 'DEPTH' | 'MAX_NODES' | 'SIZE' | 'TIME';

export const lineageWords = {
  nothing: 'No lineage found',
  title: (name: string) => (name === '' ? 'Lineage' : `Lineage of ${name}`),
  level: 'Level',
  tables: 'Tables',
  columns: 'Columns',
  steps: 'Steps',
  fit: 'Fit',
  uses: 'Show filters and joins',
  dashed: 'dashed: filters and joins only',
  wide: 'wider lines: more connections',
  connections: (count: number) => counted(count, 'connection'),
  decides: (uses: readonly string[]) =>
    uses.length === 0
      ? 'used in filters and joins'
      : `used in ${uses.map((use) => use.toLowerCase().replaceAll('_', ' ')).join(', ')}`,
  kinds: 'Kinds',
  forms: { picture: 'Picture', steps: 'Steps', table: 'Table' },
  upstream: 'Upstream',
  downstream: 'Downstream',
  noneThere: 'None',
  stepsAway: (count: number) => counted(count, 'step'),
  view: 'View',
  find: 'Find in the picture',
  found: (count: number) => (count === 0 ? 'none found' : `${number(count)} found`),
  only: 'Show path only',
  all: 'Show all',
  export: 'Export',
  files: { svg: 'SVG', png: 'PNG', csv: 'CSV of its lines' },
  print: 'Print',
  fullScreen: 'Full screen',
  direction: 'Direction',
  directions: { '': 'both ways', upstream: 'upstream', downstream: 'downstream' },
  away: (steps: number, direction: 'UPSTREAM' | 'DOWNSTREAM' | 'BOTH') =>
    steps === 0
      ? 'shown here'
      : `${counted(steps, 'step')} ${direction === 'BOTH' ? 'on a cycle' : direction.toLowerCase()}`,
  tooLarge: 'Too large for PNG. Export SVG instead.',
  larger: 'Zoom in',
  smaller: 'Zoom out',
  zoom: 'Zoom',
  picture: (count: number) => `Lineage of ${counted(count, 'resource')}`,
  shown: (shown: number, total: number | null) =>
    total !== null && total > shown
      ? `${number(shown)} of ${counted(total, 'resource')}`
      : counted(shown, 'resource'),
  cut: (limit: LineageLimit, at: number) =>
    ({
      DEPTH: `within ${counted(at, 'step')}`,
      MAX_NODES: `partial: limited to ${counted(at, 'resource')}`,
      SIZE: `partial: more than ${counted(at, 'resource')} around`,
      TIME: `partial: took longer than ${counted(at, 'second')}`,
    })[limit],
  hidden: (count: number) => `${number(count)} hidden by permissions`,
  asOf: (day: string) => `as it was on ${day}`,
  now: 'Now',
  when: 'As of',
  columnsOf: (name: string) => `columns of ${name}`,
  moreColumns: (count: number) => `${number(count)} more ${count === 1 ? 'column' : 'columns'}`,
  more: ({ least, most }: { readonly least: number; readonly most: number }) =>
    least === most ? number(most) : `${number(least)}–${number(most)}`,
  fullyGrown: (most: number) =>
    `You’ve expanded the maximum of ${number(most)}. Focus lineage on another resource to see more.`,
  before: (name: string) => `show more upstream of ${name}`,
  after: (name: string) => `show more downstream of ${name}`,
  open: 'Open page',
  start: 'Focus lineage here',
  alone: 'No lineage found',
  from: 'From',
  to: 'To',
  how: 'Origin',

  possible: (count: number) => `${number(count)} more may be affected (no column lineage)`,

  schema: (name: string, kind: string, count: number) =>
    `${name}, ${number(count)} ${kindName(kind, count)}`,
  siblings: (kind: string, count: number) => `${number(count)} ${kindName(kind, count)}`,
  sameNeighbours: 'with the same connections',
  openBundle: (name: string) => `Ungroup ${name}`,
  closeBundle: (name: string) => `Group ${name}`,
  owned: (name: string, count: number) => `${name}, ${counted(count, 'resource')}`,
  noOwner: 'No owner',
  groupBy: 'Group by',
  groupings: { database: 'Database', schema: 'Schema', owner: 'Owner', kind: 'Kind' },
  ungrouped: 'None',
  grouped: (count: number, cards: number, by: string) =>
    `${counted(count, 'resource')} in ${counted(cards, 'card')}, grouped by ${by}`,
  folded: (count: number, cards: number) =>
    `${counted(count, 'resource')} in ${counted(cards, 'card')}, similar ones grouped`,
  plain: 'Ungroup',
  bundle: 'Group',

  time: 'Time',
  endOfDay: 'Pick a date',
  changesSince: 'Changes since',
  since: (when: string) => `, since ${when}`,
  noChanges: 'None',
  noMoments: 'No changes recorded',
  came: 'added',
  gone: 'removed',
  cameCount: (count: number) => `${number(count)} added`,
  goneCount: (count: number) => `${number(count)} removed`,
  linesCame: (count: number) => `${counted(count, 'line')} added`,
  linesGone: (count: number) => `${counted(count, 'line')} removed`,
  nothingChanged: 'no changes',
  comparedInPart: 'comparison covers the visible part only',
} as const;
