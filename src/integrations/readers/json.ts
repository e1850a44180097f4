// Reads JSON that others wrote: what is wrong and where, and nothing hostile in it.

/** What is wrong with a JSON text, and at which character of it (from 0). */
export interface JsonFault {
  readonly at: number;
  readonly message: string;
}

export type JsonResult = { ok: true; value: unknown } | { ok: false; fault: JsonFault };

/** Deeper nesting than this says nothing about data, and is known to hang databases. */
export const maxJsonDepth = 64;

/**
 * Read a JSON text. Refuses nesting beyond 64 levels, and text that no database can keep: the
 * character U+0000 and halves of surrogate pairs.
 */
export function readJson(text: string): JsonResult {
  const depth = text.length > maxJsonDepth ? tooDeepAt(text) : undefined;
  if (depth !== undefined) {
    return fault(depth, `nested deeper than ${maxJsonDepth} levels`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, fault: findFault(text) };
  }
  // Such text can only come in through an escape: a bare U+0000 is no JSON, a bare half no UTF-8.
  if (text.includes('\\u') && holdsUnstorable(value)) {
    const at = Math.max(0, text.search(/\\u(0000|[dD][89a-fA-F])/));
    return fault(at, 'text with the character U+0000 or half of a surrogate pair');
  }
  return { ok: true, value };
}

/** Whether text holds what PostgreSQL cannot keep: U+0000 or a lone surrogate. */
export function isUnstorable(text: string): boolean {
  return unstorable.test(text);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: U+0000 is what is looked for.
const unstorable = /[\u0000\p{Surrogate}]/u;

function holdsUnstorable(value: unknown): boolean {
  const open: unknown[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'string') {
      if (isUnstorable(next)) return true;
    } else if (Array.isArray(next)) {
      for (const element of next) open.push(element);
    } else if (next !== null && typeof next === 'object') {
      for (const [name, member] of Object.entries(next)) open.push(name, member);
    }
  }
  return false;
}

function tooDeepAt(text: string): number | undefined {
  let depth = 0;
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (quoted) {
      if (code === backslash) i++;
      else if (code === quote) quoted = false;
    } else if (code === quote) quoted = true;
    else if (code === openBrace || code === openBracket) {
      depth++;
      if (depth > maxJsonDepth) return i;
    } else if (code === closeBrace || code === closeBracket) depth--;
  }
  return undefined;
}

const quote = 0x22;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

// biome-ignore lint/suspicious/noControlCharactersInRegex: a string may hold none of them.
const inString = /[^"\\\u0000-\u001f]*/.source;
const stringForm = `"${inString}(?:\\\\(?:["\\\\/bfnrt]|u[0-9a-fA-F]{4})${inString})*"`;
const scalarForm = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/.source;
const token = new RegExp(`(${stringForm})|(${scalarForm})|([[\\]{},:])`, 'y');

type Expected = 'value' | 'key' | 'colon' | 'comma' | 'end';

/**
 * Where a text stops being JSON. The engine's own messages name no position for some faults, and
 * differ from version to version. Only called for a text that the engine refused.
 */
function findFault(text: string): JsonFault {
  const stack: ('{' | '[')[] = [];
  let expected: Expected = 'value';
  let mayClose = false;
  let at = 0;
  const after = (): Expected => (stack.length === 0 ? 'end' : 'comma');
  for (;;) {
    at = skipSpace(text, at);
    if (expected === 'end') return faultAt(text, at, 'the end');
    token.lastIndex = at;
    const [matched, string, scalar, mark] = token.exec(text) ?? [];
    if (matched === undefined) return faultAt(text, at, wanted[expected]);
    const top = stack.at(-1);
    const closes = (mark === '}' && top === '{') || (mark === ']' && top === '[');
    if (closes && (mayClose || expected === 'comma')) {
      stack.pop();
      expected = after();
      mayClose = false;
    } else if (expected === 'key' && string !== undefined) {
      expected = 'colon';
      mayClose = false;
    } else if (expected === 'colon' && mark === ':') {
      expected = 'value';
    } else if (expected === 'comma' && mark === ',') {
      expected = top === '{' ? 'key' : 'value';
    } else if (expected === 'value' && (mark === '{' || mark === '[')) {
      stack.push(mark);
      expected = mark === '{' ? 'key' : 'value';
      mayClose = true;
    } else if (expected === 'value' && (string ?? scalar) !== undefined) {
      expected = after();
      mayClose = false;
    } else {
      return faultAt(text, at, wanted[expected]);
    }
    at += matched.length;
  }
}

const wanted: Record<Expected, string> = {
  value: 'a value',
  key: 'a name in double quotes',
  colon: 'a colon',
  comma: 'a comma or the closing bracket',
  end: 'the end',
};

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && ' \t\n\r'.includes(text.charAt(at))) at++;
  return at;
}

function faultAt(text: string, at: number, wantedHere: string): JsonFault {
  if (at >= text.length) return { at, message: `expected ${wantedHere}, found the end` };
  const found = JSON.stringify(String.fromCodePoint(text.codePointAt(at) ?? 0));
  return { at, message: `expected ${wantedHere}, found ${found}` };
}

function fault(at: number, message: string): JsonResult {
  return { ok: false, fault: { at, message } };
}
