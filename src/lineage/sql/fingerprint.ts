// Fingerprints a text of SQL, so that the same query with other literals is recognised.
import { createHash } from 'node:crypto';
import type { Dialect } from './dialect.ts';
import { type Token, tokenize } from './tokens/tokens.ts';

/**
 * A hash (32 hex digits of SHA-256) of the text with blanks, comments, the case of unquoted words
 * and closing semicolons taken away, every literal as `?`, and lists of literals as one.
 */
export function fingerprint(sql: string, dialect: Dialect): string {
  return fingerprintOf(tokenize(sql, dialect.lexical));
}

/** The same for a text that is in tokens already. */
export function fingerprintOf(tokens: readonly Token[]): string {
  return createHash('sha256').update(normalised(tokens)).digest('hex').slice(0, 32);
}

/** The text that is hashed: `select a from t where b in (?)`. */
export function normalised(tokens: readonly Token[]): string {
  const parts: string[] = [];
  for (const token of tokens) {
    const part = plain(token);
    if (part === '?') {
      dropSign(parts);
      if (repeatsLiteral(parts)) continue;
    }
    parts.push(part);
    if (part === ')') collapseRows(parts);
  }
  while (parts.at(-1) === ';') parts.pop();
  return parts.join(' ');
}

function plain(token: Token): string {
  if (token.kind === 'word') return token.text.toLowerCase();
  const isLiteral = token.kind === 'string' || token.kind === 'number';
  return isLiteral ? '?' : token.text;
}

/** `-1` is a literal where no value comes before the sign. */
function dropSign(parts: string[]): void {
  const sign = parts.at(-1);
  if (sign !== '-' && sign !== '+') return;
  if (/^[(,=<>+\-*/%]$/.test(parts.at(-2) ?? '(')) parts.pop();
}

/** The second and later literals of `(1, 2, 3)` are dropped, with the comma before them. */
function repeatsLiteral(parts: string[]): boolean {
  if (parts.at(-1) !== ',' || parts.at(-2) !== '?') return false;
  parts.pop();
  return true;
}

/** `(?), (?)`, as in VALUES, is `(?)`. */
function collapseRows(parts: string[]): void {
  const tail = parts.slice(-7);
  if (tail.join(' ') === '( ? ) , ( ? )') parts.splice(-4);
}
