// Cuts SQL text into tokens with their places, for all that needs no tree.
import type { Lexical } from './lexical.ts';

/** A piece of SQL text. Comments and blanks between tokens are dropped. */
export interface Token {
  /** `name` is a quoted name, `body` a dollar-quoted text, `broken` a quote or a comment that never closes. */
  readonly kind: 'word' | 'name' | 'string' | 'body' | 'number' | 'mark' | 'broken';
  /** As written, quotes included. */
  readonly text: string;
  /** Words in upper case, marks as they are; empty for the rest: quoted text is no keyword. */
  readonly word: string;
  /** Offsets in UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

/** The word at a place in upper case, a mark as it is, and nothing beyond the ends. */
export function wordAt(tokens: readonly Token[], at: number): string {
  return tokens[at]?.word ?? '';
}

/** Whether these words stand one behind the other from a place on. */
export function reads(tokens: readonly Token[], at: number, ...words: string[]): boolean {
  return words.every((word, i) => wordAt(tokens, at + i) === word);
}

/** Whether a token is a name, quoted or not. */
export function isName(token: Token | undefined): token is Token {
  return token?.kind === 'name' || token?.kind === 'word';
}

/** Where a path such as `a.b.c` ends that begins at a place. */
export function pathEnd(tokens: readonly Token[], at: number): number {
  let end = at;
  while (wordAt(tokens, end + 1) === '.') end += 2;
  return end;
}

const WORD_START = /[\p{L}\p{Nl}_@#]/u;
const WORD = /[\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}_@#$]*/uy;
const NUMBER = /(?:0[xX][0-9a-fA-F]+|\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?)/y;
const DOLLAR_TAG = /\$(?:[\p{L}_][\p{L}\p{Nd}_]*)?\$/uy;
const STRING_PREFIX = /^(?:E|N|B|X|R|RB|BR|U|Q|NQ|_UTF8(?:MB4)?)$/;

/** The tokens of a text. Never fails: what no rule takes is a mark of one character. */
export function tokenize(sql: string, lexical: Lexical): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const push = (kind: Token['kind'], end: number) => {
    const text = sql.slice(at, end);
    const word = kind === 'word' ? text.toUpperCase() : kind === 'mark' ? text : '';
    tokens.push({ kind, text, word, start: at, end });
    at = end;
  };
  while (at < sql.length) {
    const blank = skipBlank(sql, at, lexical);
    if (blank < 0) {
      push('broken', sql.length);
      continue;
    }
    if (blank > at) {
      at = blank;
      continue;
    }
    const quoted = quotedEnd(sql, at, lexical);
    if (quoted) {
      push(quoted.kind, quoted.end);
      continue;
    }
    const first = sql.charAt(at);
    if (first >= '0' && first <= '9') {
      push('number', matchEnd(NUMBER, sql, at));
    } else if (WORD_START.test(String.fromCodePoint(sql.codePointAt(at) ?? 0))) {
      const end = matchEnd(WORD, sql, at);
      const string = prefixedStringEnd(sql, at, end, lexical);
      if (string) push(string.kind, string.end);
      else push('word', Math.max(end, at + 1));
    } else {
      push('mark', at + 1);
    }
  }
  return tokens;
}

/** The text of a name token without its quotes; any other token as written. */
export function unquote(token: Token): string {
  if (token.kind !== 'name') return token.text;
  const open = token.text.charAt(0);
  const close = open === '[' ? ']' : open;
  return token.text.slice(1, -1).replaceAll(close + close, close);
}

function matchEnd(pattern: RegExp, sql: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(sql) ? pattern.lastIndex : at;
}

/** Whether a token is a comment that never closes. */
export function isOpenComment({ kind, text }: Token): boolean {
  return kind === 'broken' && text.startsWith('/*');
}

/** The offset after blanks and one comment, or `at` itself; -1 for a comment that never closes. */
function skipBlank(sql: string, at: number, lexical: Lexical): number {
  const char = sql.charCodeAt(at);
  if (char === 32 || (char >= 9 && char <= 13) || char === 0xa0 || char === 0xfeff) return at + 1;
  const next = sql.charAt(at + 1);
  const lineComment =
    (char === 45 && next === '-') ||
    (char === 35 && lexical.hashComment) ||
    (char === 47 && next === '/' && lexical.slashComment);
  if (lineComment) {
    const end = sql.indexOf('\n', at);
    return end < 0 ? sql.length : end + 1;
  }
  if (char === 47 && next === '*') return commentEnd(sql, at, lexical.nestedComments);
  return at;
}

function commentEnd(sql: string, at: number, nested: boolean): number {
  let depth = 1;
  let from = at + 2;
  while (depth > 0) {
    const close = sql.indexOf('*/', from);
    if (close < 0) return -1;
    const open = nested ? sql.indexOf('/*', from) : -1;
    const opensFirst = open >= 0 && open < close;
    depth += opensFirst ? 1 : -1;
    from = (opensFirst ? open : close) + 2;
  }
  return from;
}

function quotedEnd(
  sql: string,
  at: number,
  lexical: Lexical,
): { kind: Token['kind']; end: number } | null {
  const char = sql.charAt(at);
  if (char === '$' && lexical.dollarQuote) return dollarEnd(sql, at);
  if (char === '`') return closeOf(sql, at, '`', false, 'name');
  if (char === '[' && lexical.brackets) return closeOf(sql, at, ']', false, 'name');
  if (char !== '"' && char !== "'") return null;
  if (lexical.tripleQuote && sql.startsWith(char.repeat(3), at)) {
    const close = sql.indexOf(char.repeat(3), at + 3);
    return close < 0 ? { kind: 'broken', end: sql.length } : { kind: 'string', end: close + 3 };
  }
  const isName = char === '"' && lexical.doubleQuote === 'name';
  return closeOf(sql, at, char, lexical.backslash && !isName, isName ? 'name' : 'string');
}

/** Where a quote closes; a doubled quote is the quote itself. */
function closeOf(sql: string, at: number, quote: string, backslash: boolean, kind: Token['kind']) {
  for (let i = at + 1; i < sql.length; i++) {
    const char = sql.charAt(i);
    if (char === '\\' && backslash) i++;
    else if (char === quote) {
      if (sql.charAt(i + 1) !== quote) return { kind, end: i + 1 };
      i++;
    }
  }
  return { kind: 'broken' as const, end: sql.length };
}

function dollarEnd(sql: string, at: number): { kind: Token['kind']; end: number } | null {
  const open = matchEnd(DOLLAR_TAG, sql, at);
  if (open === at) return null;
  const close = sql.indexOf(sql.slice(at, open), open);
  if (close < 0) return { kind: 'broken', end: sql.length };
  return { kind: 'body', end: close + open - at };
}

/** A string behind a prefix: E'..' reads backslashes, r'..' doesn't, Oracle's q'[..]' brackets. */
function prefixedStringEnd(sql: string, at: number, end: number, lexical: Lexical) {
  const quote = sql.charAt(end);
  const isString = quote === "'" || (quote === '"' && lexical.doubleQuote === 'string');
  const prefix = sql.slice(at, end).toUpperCase();
  if (!isString || !STRING_PREFIX.test(prefix)) return null;
  if (prefix.endsWith('Q')) {
    const open = sql.charAt(end + 1);
    const close = `${{ '[': ']', '(': ')', '{': '}', '<': '>' }[open] ?? open}'`;
    const found = sql.indexOf(close, end + 2);
    if (found < 0) return { kind: 'broken' as const, end: sql.length };
    return { kind: 'string' as const, end: found + 2 };
  }
  const raw = prefix.includes('R');
  const escapes = prefix === 'E' || (lexical.backslash && !raw);
  const plain = quotedEnd(sql, end, { ...lexical, backslash: escapes });
  return plain;
}
