// Reads what a template engine fills in (`${catalog}`, `{{ ref('x') }}`) as names of equal length.

import type { Lexical } from './lexical.ts';
import { blanks, withoutBlocks } from './template-block.ts';
import { type Token, tokenize } from './tokens.ts';

// Letters of a script that SQL is not written in stand for the marks of a template, one for one: so
// names hold them, places in the text stay right, and they can be put back.
const MARKS = `\${} .:-'"(),=[]/|`;
const LETTERS = [...MARKS].map((_mark, i) => String.fromCharCode(0xa500 + i));
const toLetter = new Map([...MARKS].map((mark, i) => [mark, LETTERS[i] ?? '']));
const toMark = new Map([...MARKS].map((mark, i) => [LETTERS[i] ?? '', mark]));
const OTHER = String.fromCharCode(0xa500 + MARKS.length);
const ANY_LETTER = new RegExp(`[${LETTERS.join('')}${OTHER}]`, 'g');
const SOME_LETTER = new RegExp(ANY_LETTER.source);

/** A part of a name that may be anything: where `ref('x')` lies is for the project to say. */
const ANYWHERE = `${OTHER}${OTHER}`;

const HINTS = /\$\{|\{\{|\{%|\{#/;

/** The text with its templates as names, or the text itself where it has none. */
export function readTemplates(sql: string, lexical: Lexical): string {
  if (!HINTS.test(sql)) return sql;
  const plain = withoutBlocks(sql);
  const tokens = tokenize(plain, lexical);
  let text = '';
  let at = 0;
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i];
    if (!token || token.start < at) continue;
    const found = templateAt(plain, tokens, i);
    if (found) {
      text += plain.slice(at, found.start) + filled(plain, found, tokens[i - 1]);
      at = found.end;
    } else if (token.kind === 'name') {
      text += plain.slice(at, token.start);
      text += token.text.replace(/\$\{[^}]*\}|\{\{.*?\}\}/g, encoded);
      at = token.end;
    }
  }
  const read = text + plain.slice(at);
  // A text of templates alone is none that could be read.
  return read.trim() === '' && plain.trim() !== '' ? encoded(plain.trim()) : read;
}

interface Place {
  readonly start: number;
  readonly end: number;
}

/** The template that begins at a token, with the parts of a name that touch it: `gold_${env}`. */
function templateAt(sql: string, tokens: readonly Token[], at: number): Place | null {
  const token = tokens[at];
  if (!token) return null;
  const head = /^\w*\$?$/.test(token.text) && token.kind === 'word' ? token.end : token.start;
  const open = /\{\{|\$?\{/y;
  open.lastIndex = token.text.endsWith('$') ? token.end - 1 : head;
  const opened = open.exec(sql)?.[0];
  if (opened === undefined || opened === '{') return null;
  const close = opened === '{{' ? '}}' : '}';
  const closed = closeOf(sql, open.lastIndex, close);
  if (closed < 0) return null;
  let end = closed + close.length;
  const tail = /\w+/y;
  tail.lastIndex = end;
  if (tail.test(sql)) end = tail.lastIndex;
  return { start: token.start, end };
}

/** Where a template closes: what stands in its texts doesn't, as in `{{ config(hook="{{ x }}") }}`. */
function closeOf(sql: string, from: number, close: string): number {
  const plain = sql.indexOf(close, from);
  const whole = /(?:[^'"{}]|"[^"]*"|'[^']*'|\{[^{}]*\})*/y;
  whole.lastIndex = from;
  whole.test(sql);
  return sql.startsWith(close, whole.lastIndex) ? whole.lastIndex : plain;
}

/** What stands in the place of a template, as long as it is. */
function filled(sql: string, { start, end }: Place, before: Token | undefined): string {
  const text = sql.slice(start, end);
  const padded = (name: string) => name.padEnd(text.length, ' ');
  const call = /^\{\{-?\s*(?:ref|source)\s*\(([^()]*)\)\s*-?\}\}$/.exec(text);
  const table = tableOfCall(call?.[1] ?? '');
  if (table && /^\w+$/.test(table)) return padded(`${ANYWHERE}.${table}`);
  const isAlone = text.startsWith('{{') && (before === undefined || before.word === ';');
  return isAlone ? blanks(text) : encoded(text);
}

/** The table of `'x'`, `'project', 'x'` and `'x', v=2`, which dbt calls `x_v2`. */
function tableOfCall(list: string): string | undefined {
  const args = list.split(',').map((arg) => arg.trim());
  const version = args.map((arg) => /^v(?:ersion)?\s*=\s*['"]?(\w+)['"]?$/.exec(arg)?.[1]);
  const name = args
    .filter((arg) => !arg.includes('='))
    .at(-1)
    ?.replace(/^['"]|['"]$/g, '');
  const number = version.find((each) => each !== undefined);
  return number === undefined || !name ? name : `${name}_v${number}`;
}

function encoded(text: string): string {
  return text.replace(/[^\w\p{L}]/gu, (mark) => toLetter.get(mark) ?? OTHER.repeat(mark.length));
}

/** Whether a name, or a part of it, is to be filled in. */
export function isTemplate(name: string): boolean {
  return SOME_LETTER.test(name);
}

/** Whether the part of a name only says that the rest may lie anywhere. */
export function isAnywhere(name: string): boolean {
  return name === ANYWHERE;
}

/** A name as it was written. */
export function asWritten(name: string): string {
  if (!isTemplate(name)) return name;
  return name
    .replaceAll(ANYWHERE, '{{ ref }}')
    .replace(ANY_LETTER, (letter) => toMark.get(letter) ?? '.');
}

/** Whether a name may be what a template with literal parts makes: `gold_${env}` may be `gold_eu`. */
export function mayBe(template: string, name: string): boolean {
  const parts = asWritten(template)
    .split(/\$\{.*?\}|\{\{.*?\}\}/)
    .map((part) => part.toLowerCase());
  const [first = '', last = ''] = [parts[0], parts.at(-1)];
  const lower = name.toLowerCase();
  return (
    lower.length >= first.length + last.length && lower.startsWith(first) && lower.endsWith(last)
  );
}

/** Whether a name is dbt's `{{ this }}`: the table that the text itself makes. */
export function isThis(name: string): boolean {
  return /^\{\{-?\s*this\s*-?\}\}$/.test(asWritten(name));
}
