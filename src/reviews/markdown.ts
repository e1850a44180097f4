// Summary of a review: Markdown for a comment.

import { code, plain } from '../text/quoted.ts';
import type { ModelChange } from './compare.ts';

/** Something that is reached, or may be. */
export interface ReachedName {
  /** Its full title. */
  readonly name: string;
  /** Why, in a sentence. */
  readonly reason: string;
}

/** What a summary says. */
export interface ReviewSummary {
  readonly added: readonly ModelChange[];
  readonly removed: readonly ModelChange[];
  readonly changed: readonly ModelChange[];
  readonly columns: readonly ReachedName[];
  readonly tables: readonly ReachedName[];
  readonly others: readonly ReachedName[];
  readonly possible: readonly ReachedName[];
  /** Names of whom to notify. */
  readonly owners: readonly string[];
  readonly monitors: readonly string[];
  readonly incidents: readonly string[];
  /** What could not be determined, in sentences. */
  readonly unknown: readonly string[];
}

/** Longer lists are cut and say by how much: a comment on a change is read, not searched. */
const longest = 25;

/** Write the summary. Names come from the catalog and are shown as code, so that none is markup. */
export function summaryOf(review: ReviewSummary): string {
  const { added, removed, changed } = review;
  const reached = [review.columns, review.tables, review.others].flat().length;
  return [
    '### Impact of this change',
    '',
    `${counted(changed.length, 'model')} changed, ${added.length} added, ${removed.length} removed; ${reachedInAll(reached, review.possible.length)}.`,
    section('Removed', removed.map(described)),
    section('Changed', changed.map(described)),
    section(
      'Added',
      added.map(({ name }) => code(name)),
    ),
    section('Affected columns', review.columns.map(because)),
    section('Affected tables', review.tables.map(because)),
    section('Affected charts, dashboards and others', review.others.map(because)),
    section('May be affected', review.possible.map(because)),
    section('Owners to notify', review.owners.map(plain)),
    section('Affected monitors', review.monitors.map(plain)),
    section('Open incidents', review.incidents.map(plain)),
    section('Not analyzed', review.unknown.map(plain)),
  ]
    .filter((part) => part !== null)
    .join('\n');
}

/** How much is reached; nothing is said to be safe while something reads a table that changes. */
function reachedInAll(reached: number, possible: number): string {
  const sure = `affects ${counted(reached, 'downstream resource')}`;
  if (possible === 0) return sure;
  return reached > 0
    ? `${sure}; ${possible} more may be affected`
    : `${counted(possible, 'downstream resource')} may be affected`;
}

function because({ name, reason }: ReachedName): string {
  return `${code(name)}: ${plain(reason)}`;
}

function section(title: string, items: readonly string[]): string | null {
  if (items.length === 0) return null;
  const more = items.length - longest;
  const lines = items.slice(0, longest).map((item) => `- ${item}`);
  if (more > 0) lines.push(`- and ${more} more`);
  return `\n**${title}** (${items.length})\n\n${lines.join('\n')}`;
}

function described({ name, reasons, added, removed, changed }: ModelChange): string {
  const parts = [
    ...reasons,
    ...listed('removes', removed),
    ...listed(
      'changes',
      changed.map((column) => column.name),
    ),
    ...listed('adds', added),
  ];
  return parts.length > 0 ? `${code(name)}: ${parts.join('; ')}` : code(name);
}

function listed(verb: string, names: readonly string[]): string[] {
  const distinct = [...new Set(names)];
  return distinct.length > 0 ? [`${verb} ${distinct.slice(0, longest).map(code).join(', ')}`] : [];
}

function counted(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}
