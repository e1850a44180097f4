// The forms in which programs write a text down: escaped, as codes, or in digits.

import { literally } from '../text/text.ts';

/** Base64 digits of fewer bytes could be part of any word. */
const shortestDigits = 6;

/** Patterns that find a text however it is written; each matches all of it, or its unmixed digits. */
export function encodingsOf(text: string): RegExp[] {
  const bytes = Buffer.from(text);
  // Quotes and backslashes are doubled: a run of them is found as a run of any length, for to count
  // them in every way would take for ever.
  const runs = text.match(/\\+|'+|"+|[^\\'"]/gsu) ?? [];
  const escaped = runs
    .map((run) => `(?:${formsOf(run)})${/^[\\'"]/.test(run) ? '+' : ''}`)
    .join('');
  const hex = [...bytes].map(hexOf).join('[\\s:]?');
  const codes = [...bytes].map((byte) => `%${hexOf(byte)}`).join('');
  const digits = [...new Set([0, 1, 2].flatMap((before) => base64Of(bytes, before)))];
  return [
    new RegExp(`${escaped}|${hex}|${codes}`, 'giu'),
    ...(digits.length > 0 ? [new RegExp(digits.map(literally).join('|'), 'g')] : []),
  ];
}

/** The first character of a run as JSON, addresses, forms, markup, SQL and shells write it. */
function formsOf(run: string): string {
  const code = run.codePointAt(0) ?? 0;
  const character = String.fromCodePoint(code);
  const units = [...Array(character.length).keys()].map((i) => character.charCodeAt(i));
  // What is escaped twice has more backslashes.
  const isWord = /[\p{L}\p{N}\\]/u.test(character);
  return [
    isWord ? literally(character) : `\\\\*${literally(character)}`,
    [...Buffer.from(character)].map((byte) => `%${hexOf(byte)}`).join(''),
    units.map((unit) => `\\\\+u${unit.toString(16).padStart(4, '0')}`).join(''),
    `&#${code};`,
    `&#x0*${code.toString(16)};`,
    ...(others[character] ?? []),
  ].join('|');
}

const others: Readonly<Record<string, readonly string[]>> = {
  ' ': ['\\+'],
  '"': ['&quot;'],
  "'": ['&apos;'],
  '&': ['&amp;'],
  '<': ['&lt;'],
  '>': ['&gt;'],
  '\n': ['\\\\+n'],
  '\t': ['\\\\+t'],
};

/** Base64 by the place in three bytes where the text begins, without the digits that it shares. */
function base64Of(bytes: Uint8Array, before: number): string[] {
  const all = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
  const first = before === 0 ? 0 : before + 1;
  const whole = Math.floor(((before + bytes.length) * 8) / 6);
  const inner = all.slice(first, whole);
  if (inner.length < shortestDigits) return [];
  return [inner, inner.replaceAll('+', '-').replaceAll('/', '_')];
}

const hexOf = (byte: number): string => byte.toString(16).padStart(2, '0');
