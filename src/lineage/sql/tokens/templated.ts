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
  const plain = masked(withoutBlocks(sql));
  const tokens = tokenize(plain, lexical);
  const inList = listPlaces(tokens);
  let text = '';
  let at = 0;
  let before: Token | undefined;
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i];
    if (!token || token.start < at) continue;
    const found = templateAt(plain, tokens, i);
    const next = tokens.findIndex(({ start }, j) => j > i && start >= (found?.end ?? token.end));
    if (found) {
      const around = { before, behind: tokens[next], isInList: inList.has(i) };
      const name = filled(plain.slice(found.start, found.end), around);
      text += plain.slice(at, found.start);
      // The blank before it becomes the comma of the list that it goes on with.
      text = name.goesOn && /\s$/.test(text) ? `${text.slice(0, -1)},` : text;
      text += name.goesOn && !text.endsWith(',') ? `,${name.text.slice(1)}` : name.text;
      at = found.end;
      if (name.text.trim() === '') continue;
    } else if (token.kind === 'name') {
      text += plain.slice(at, token.start);
      text += token.text.replace(/\$\{[^}]*\}/g, encoded);
      at = token.end;
    }
    before = token;
  }
  const read = text + plain.slice(at);
  // A text of templates alone is none that could be read.
  return read.trim() === '' && plain.trim() !== '' ? encoded(plain.trim()) : read;
}

/** The text with each `{{ ... }}` in letters: their quotes are none of the SQL around them. */
function masked(sql: string): string {
  let text = '';
  let at = 0;
  for (let open = sql.indexOf('{{'); open >= 0; open = sql.indexOf('{{', at)) {
    const close = closeOf(sql, open + 2);
    if (close < 0) break;
    text += sql.slice(at, open) + encoded(sql.slice(open, close));
    at = close;
  }
  return text + sql.slice(at);
}

/** Where a template that opened before an offset ends: braces and texts within it are its own. */
function closeOf(sql: string, from: number): number {
  let depth = 0;
  for (let i = from; i < sql.length; i++) {
    const char = sql.charAt(i);
    if (char === "'" || char === '"') {
      const end = sql.indexOf(char, i + 1);
      if (end < 0) break;
      i = end;
    } else if (char === '{') depth++;
    else if (char === '}' && depth > 0) depth--;
    else if (char === '}' && sql.charAt(i + 1) === '}') return i + 2;
  }
  const plain = sql.indexOf('}}', from);
  return plain < 0 ? -1 : plain + 2;
}

/** The places of tokens in select lists. */
function listPlaces(tokens: readonly Token[]): ReadonlySet<number> {
  const places = new Set<number>();
  const outer: boolean[] = [];
  let isList = false;
  tokens.forEach(({ word }, i) => {
    if (word === '(') {
      outer.push(isList);
      isList = false;
    } else if (word === ')') isList = outer.pop() ?? false;
    else if (word === 'SELECT') isList = true;
    else if (/^(?:FROM|WHERE|GROUP|ORDER|HAVING|UNION|QUALIFY|LIMIT|INTO|;)$/.test(word))
      isList = false;
    if (isList) places.add(i);
  });
  return places;
}

interface Place {
  readonly start: number;
  readonly end: number;
}

/** The template that begins at a token, with the parts of a name that touch it: `gold_${env}`. */
function templateAt(sql: string, tokens: readonly Token[], at: number): Place | null {
  const token = tokens[at];
  if (!token) return null;
  if (token.kind === 'word' && isTemplate(token.text)) return token;
  const head = /^\w*\$?$/.test(token.text) && token.kind === 'word' ? token.end : token.start;
  const open = /\$\{/y;
  open.lastIndex = token.text.endsWith('$') ? token.end - 1 : head;
  if (!open.test(sql)) return null;
  const close = sql.indexOf('}', open.lastIndex);
  if (close < 0) return null;
  const tail = /\w+/y;
  tail.lastIndex = close + 1;
  return { start: token.start, end: tail.test(sql) ? tail.lastIndex : close + 1 };
}

/** What stands next to a template. */
interface Around {
  readonly before: Token | undefined;
  readonly behind: Token | undefined;
  readonly isInList: boolean;
}

/** What stands in the place of a template, as long as it is, and whether it goes on with a list. */
function filled(text: string, around: Around): { readonly text: string; readonly goesOn: boolean } {
  const written = asWritten(text);
  const call = /^\{\{-?\s*(?:ref|source)\s*\(([^()]*)\)\s*-?\}\}$/.exec(written);
  const table = tableOfCall(call?.[1] ?? '');
  if (table && /^\w+$/.test(table)) {
    return { text: `${ANYWHERE}.${table}`.padEnd(text.length, ' '), goesOn: false };
  }
  const { before, behind, isInList } = around;
  const isWhole = /^\{\{[\s\S]*\}\}$/.test(written);
  const isFirst = before === undefined || before.word === ';';
  const isAlone = behind === undefined || behind.word === ';';
  const isSetting = SETTING.test(written);
  if (isWhole && isFirst && (isSetting || !isAlone)) return { text: blanks(text), goesOn: false };
  const ends = before && (before.kind !== 'mark' || /^[)\]*]$/.test(before.word));
  const isItem =
    ends && !/^(?:SELECT|DISTINCT|ALL|AS|AND|OR|NOT|THEN|ELSE|WHEN|CASE)$/.test(before.word);
  const mayEnd = isAlone || /^(?:,|FROM|\))$/.test(behind.word) || isTemplate(behind.text);
  return { text: encoded(text), goesOn: isWhole && isInList && isItem === true && mayEnd };
}

/** The tables that a macro is given: `union_relations([ref('a'), source('b', 'c')])`. */
export function tablesOfMacro(text: string): string[][] {
  const calls = asWritten(text).matchAll(/\b(?:ref|source)\s*\(([^()]*)\)/g);
  return [...calls].flatMap(([, list = '']) => {
    const table = tableOfCall(list);
    return table && /^\w+$/.test(table) ? [[ANYWHERE, table]] : [];
  });
}

/** Whether tokens are one template and nothing else: a macro that writes the whole statement. */
export function isMacro(tokens: readonly Token[]): boolean {
  const [only, another] = tokens;
  const written = only?.kind === 'word' && !another ? asWritten(only.text) : '';
  return /^\{\{[\s\S]*\)\s*-?\}\}$/.test(written) && !SETTING.test(written);
}

/** dbt's settings of a model, which write nothing. */
const SETTING = /^\{\{-?\s*config\s*\(/;

/** The table of `'x'`, `'project', 'x'` and `'x', v=2`, which dbt calls `x_v2`; that of a variable is not known. */
function tableOfCall(list: string): string | undefined {
  const args = list.split(',').map((arg) => arg.trim());
  const version = args.map((arg) => /^v(?:ersion)?\s*=\s*['"]?(\w+)['"]?$/.exec(arg)?.[1]);
  const name = args
    .filter((arg) => !arg.includes('='))
    .map((arg) => /^(['"])(.*)\1$/.exec(arg)?.[2])
    .at(-1);
  const number = version.find((each) => each !== undefined);
  return number === undefined || !name ? name : `${name}_v${number}`;
}

/** `{% set orders = ref('orders') %}`: the tables that a text gives names of its own, by these. */
export function tablesOfSettings(sql: string): ReadonlyMap<string, string> {
  const tables = new Map<string, string>();
  for (const [, name = '', call = ''] of sql.matchAll(TABLE_SETTING)) {
    const table = tableOfCall(call);
    if (table) tables.set(name, table);
  }
  return tables;
}

const TABLE_SETTING = /\{%[-+]?\s*set\s+(\w+)\s*=\s*(?:ref|source)\s*\(([^()]*)\)\s*[-+]?%\}/g;

/** The table that a name stands for which is a template with a variable in it: the parts of its path. */
export function tableOfVariable(
  name: string,
  tables: ReadonlyMap<string, string>,
): readonly [schema: string, name: string] | null {
  const variable = /^\{\{[-+]?\s*(\w+)\s*[-+]?\}\}$/.exec(asWritten(name))?.[1] ?? '';
  const table = tables.get(variable);
  return table === undefined ? null : [ANYWHERE, table];
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
