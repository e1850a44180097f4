// Summary of a query's impact: Markdown for a comment.

import { impactWords as words } from '../words/impact.ts';

/** Something that is reached, or may be, and why. */
interface Reached {
  readonly reason: string;
  /** Null where the viewer may not see it. */
  readonly resource: { readonly titleFull: string } | null;
}

/** What a summary says. */
export interface SqlSummary {
  /** The full title of the table that the query fills. */
  readonly table: string;
  /** Names of columns. */
  readonly gone: readonly string[];
  readonly added: readonly string[];
  readonly reach: Readonly<
    Record<'columns' | 'tables' | 'others' | 'possible', readonly Reached[]>
  > | null;
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
    nodes.flatMap(({ resource, reason }) =>
      resource ? [`${code(resource.titleFull)}: ${plain(reason)}`] : [],
    );
  const reached = [reach?.columns, reach?.tables, reach?.others].flatMap((nodes) => nodes ?? []);
  return [
    summary.title,
    `${summary.fills} ${code(table)}. ${gone.length > 0 ? `${words.gone(gone.length)}.` : words.noneGone} ${summary.reached(reached.length, reach?.possible.length ?? 0)}`,
    ...section(summary.gone, gone.map(code)),
    ...section(summary.added, added.map(code)),
    ...section(summary.columns, because(reach?.columns)),
    ...section(summary.tables, because(reach?.tables)),
    ...section(summary.others, because(reach?.others)),
    ...section(summary.possible, because(reach?.possible)),
    ...section(summary.owners, owners.map(plain)),
    ...section(words.unsure, unsure.map(plain)),
  ].join('\n\n');
}

function section(title: string, items: readonly string[]): readonly string[] {
  if (items.length === 0) return [];
  const more = items.length - longest;
  const lines = items.slice(0, longest).map((item) => `- ${item}`);
  if (more > 0) lines.push(`- ${words.summary.more(more)}`);
  return [`**${title}** (${items.length})`, lines.join('\n')];
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
