// Summary of a query's impact: Markdown for a comment.

import { impactWords as words } from '../words/impact.ts';

/** Something that is reached, or may be, and why. */
interface Reached {
  readonly ways: readonly { readonly reason: string }[];
  /** Null where the viewer may not see it. */
  readonly resource: { readonly titleFull: string } | null;
}

/** The nearest of what is reached or may be, and how much there is in all. */
interface ReachedInAll
  extends Readonly<Record<'columns' | 'tables' | 'others' | 'possible', readonly Reached[]>> {
  readonly counts: readonly { readonly kind: string; readonly count: number }[];
  readonly possibleCount: number;
}

/** What a summary says. */
export interface SqlSummary {
  /** The full title of the table that the query fills. */
  readonly table: string;
  /** Names of columns. */
  readonly gone: readonly string[];
  readonly added: readonly string[];
  readonly reach: ReachedInAll | null;
  /** Names of whom to notify. */
  readonly owners: readonly string[];
  /** What could not be told, in sentences. */
  readonly unsure: readonly string[];
}

/** Longer lists are cut and say by how much: a comment on a change is read, not searched. */
const longest = 25;

/** Write the summary. Names come from the catalog and are shown as code, so that none is markup. */
export function summaryOf({ table, gone, added, reach, owners, unsure }: SqlSummary): string {
  const { summary } = words;
  const because = (nodes: readonly Reached[] = []) =>
    nodes.flatMap(({ resource, ways }) => {
      const reasons = plain(ways.map(({ reason }) => reason).join(' '));
      return resource ? [`${code(resource.titleFull)}: ${reasons}`] : [];
    });
  const countOf = (fits: (kind: string) => boolean) =>
    (reach?.counts ?? []).reduce((sum, { kind, count }) => sum + (fits(kind) ? count : 0), 0);
  const [columns, tables] = [countOf(isColumn), countOf(isTable)];
  const all = countOf(() => true);
  return [
    summary.title,
    `${summary.fills} ${code(table)}. ${summary.removes(gone.length)} ${summary.reached(all, reach?.possibleCount ?? 0)}`,
    ...section(summary.gone, gone.map(code)),
    ...section(summary.added, added.map(code)),
    ...section(summary.columns, because(reach?.columns), columns),
    ...section(summary.tables, because(reach?.tables), tables),
    ...section(summary.others, because(reach?.others), all - columns - tables),
    ...section(summary.possible, because(reach?.possible), reach?.possibleCount),
    ...section(summary.owners, owners.map(plain)),
    ...section(words.unsure, unsure.map(plain)),
  ].join('\n\n');
}

const isColumn = (kind: string) => kind === 'column';
const isTable = (kind: string) => kind === 'table';

/** The first of the items, of which there may be more than are given. */
function section(title: string, items: readonly string[], count = items.length): readonly string[] {
  if (items.length === 0) return [];
  const more = count - Math.min(items.length, longest);
  const lines = items.slice(0, longest).map((item) => `- ${item}`);
  if (more > 0) lines.push(`- ${words.summary.more(more)}`);
  return [`**${title}** (${count})`, lines.join('\n')];
}

/** A name as code in a line, whatever characters it has. */
function code(name: string): string {
  const line = name.replaceAll(/\s+/g, ' ');
  const longestRun = Math.max(0, ...(line.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(1 + longestRun);
  const pad = /^`|`$/.test(line) ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}

/** A text in which nothing is markup. */
function plain(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/[\\`*_{}[\]()#+!<>|@-]/g, '\\$&');
}
