// Quoting in Markdown: what others wrote, in a page of ours.

import { lineOf } from './text.ts';

/** A name as inline code, whatever characters it has. */
export function code(name: string): string {
  const line = lineOf(name).replace(/\s+/g, ' ');
  const fence = '`'.repeat(1 + longestRun(line));
  const pad = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}

/** A text in which nothing is markup. */
export function plain(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_{}[\]()#+!<>|@-]/g, '\\$&');
}

/** A text between fences that it does not have: nothing in it ends the block. */
export function fenced(text: string): string {
  const fence = '`'.repeat(Math.max(3, 1 + longestRun(text)));
  return `${fence}text\n${text}\n${fence}`;
}

function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}
