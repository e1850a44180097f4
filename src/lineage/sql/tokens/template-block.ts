// Decides which parts between the tags of a template engine (`{% if %}`) are read.

const TAG =
  /\{#[\s\S]*?#\}|\{%[-+]?\s*(\w+)([\s\S]*?)[-+]?%\}|\{\{-?\s*(?:"[^"]*"|'[^']*')\s+if\s[^{}]*\}\}/g;

/** Parts that are no text of the statement around them. */
const APART = /^(?:macro|call|test|docs|materialization)$/;

interface Open {
  /** What closes it. */
  readonly end: string;
  /** Whether the part under way is read, as far as this tag decides. */
  shown: boolean;
  /** Whether a branch of it was read. */
  taken: boolean;
}

/**
 * The text without tags, comments and what is not read: macros, variables that are set, and all
 * branches but one. A loop is read as if it went round once. Every other character keeps its place.
 */
export function withoutBlocks(sql: string): string {
  const open: Open[] = [];
  let text = '';
  let at = 0;
  const show = (end: number) => {
    const part = sql.slice(at, end);
    text += open.every(({ shown }) => shown) ? part : blanks(part);
  };
  for (const match of sql.matchAll(TAG)) {
    show(match.index);
    const [tag, name = '', rest = ''] = match;
    turn(open, name, rest.trim());
    text += blanks(tag);
    at = match.index + tag.length;
  }
  show(sql.length);
  return text;
}

/** Takes in a tag. */
function turn(open: Open[], name: string, rest: string): void {
  const last = open.at(-1);
  if (name === 'if') {
    const shown = !isOfFurtherRounds(rest);
    open.push({ end: 'endif', shown, taken: shown });
  } else if ((name === 'elif' || name === 'else') && last?.end === 'endif') {
    last.shown = !last.taken && !isOfFurtherRounds(rest);
    last.taken ||= last.shown;
  } else if (APART.test(name) || (name === 'set' && !rest.includes('='))) {
    open.push({ end: `end${name}`, shown: false, taken: false });
  } else if (last && name === last.end) open.pop();
}

/** Whether a condition holds in no loop that goes round once. */
function isOfFurtherRounds(condition: string): boolean {
  return /^not\s+\(?\s*loop\.(?:last|first)\b/.test(condition);
}

/** Whether a text has branches, of which only one is read. */
export function hasBranches(sql: string): boolean {
  return /\{%[-+]?\s*(?:else|elif)\b/.test(sql);
}

/** Blanks instead of a text, on as many lines. */
export function blanks(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}
