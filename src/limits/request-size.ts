// Sizes of requests: bytes of a body, depth and number of values, depth and lines of a query.

import type { IncomingHttpHeaders } from 'node:http';
import { invalid, invalidField, TooManyRequests, unauthenticated } from '../errors.ts';

/** Says how many bytes the body of a request may have, before it is read. Throws UNAUTHENTICATED and TOO_MANY_REQUESTS. */
export type BodySize = (headers: IncomingHttpHeaders) => number | Promise<number>;

/** Looks up the sender of a request by its headers. */
export interface SenderLook {
  /** Whether they name a key, or a session, that works. */
  readonly isSignedIn: (headers: IncomingHttpHeaders) => Promise<boolean>;
  /** Called where a body is refused unread: the key of such a request is not looked at again. */
  readonly onRefused: (headers: IncomingHttpHeaders) => Promise<void>;
}

/** Enough for any query of the schema, which is all that a request without a key may ask. */
const maxUnknownBytes = 100_000;

/**
 * Bodies of at most so many bytes, and of 100,000 without a key or a session that works: a larger one that is
 * announced is refused with UNAUTHENTICATED.
 */
export function bodySizes(maxBytes: number, { isSignedIn, onRefused }: SenderLook): BodySize {
  if (maxBytes <= maxUnknownBytes) return () => maxBytes;
  return (headers) => {
    const length = Number(headers['content-length'] ?? Number.POSITIVE_INFINITY);
    // Node.js takes no more of a body than it was announced with.
    if (length <= maxUnknownBytes) return maxUnknownBytes;
    const ofUnknown = () => {
      if (Number.isFinite(length)) throw unauthenticated();
      return maxUnknownBytes;
    };
    if (headers.authorization === undefined && headers.cookie === undefined) return ofUnknown();
    return isSignedIn(headers).then(
      async (isKnown) => {
        if (isKnown) return maxBytes;
        if (Number.isFinite(length)) await onRefused(headers);
        return ofUnknown();
      },
      (error: unknown) => {
        if (error instanceof TooManyRequests) throw error;
        // Where the database does not answer, the request itself will say that.
        return maxBytes;
      },
    );
  };
}

/** Levels of lists and objects within each other, in one value. */
export const maxDepth = 64;

/** Values that the members of an object may hold together, counting all that are in each other. */
const maxValues = 65_000;

/**
 * How many values the members of an object hold. Throws BAD_REQUEST that names the member where one is
 * nested too deeply, or where they are too many: what reads them does so in one go.
 */
export function checkDepth(members: object): number {
  const before = known.get(members);
  if (before !== undefined) return before;
  let values = 0;
  for (const [name, value] of Object.entries(members)) {
    values += sizeOf(value, name, maxDepth, maxValues - values);
  }
  if (values > manyValues) known.set(members, values);
  return values;
}

/** Fewer are counted again sooner than remembered. */
const manyValues = 1_000;

/** How many values there are in what was found to be well. */
const known = new WeakMap<object, number>();

/** Ends at the level that is too deep, so that its own depth is bounded, and at the value too many. */
function sizeOf(value: unknown, name: string, levels: number, left: number): number {
  if (left < 1) {
    const most = maxValues.toLocaleString('en');
    throw invalidField(name, `A request holds at most ${most} values.`);
  }
  if (typeof value !== 'object' || value === null) return 1;
  if (levels === 0) throw invalidField(name, `At most ${maxDepth} levels of nesting are allowed.`);
  let size = 1;
  // The places of a list would be made texts of, one by one, which takes ten times as long as to count what is there.
  const members: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  for (const member of members) size += sizeOf(member, name, levels - 1, left - size);
  return size;
}

/**
 * Throws BAD_REQUEST where a document of GraphQL, or a value that is written in it, is nested too deeply: what
 * parses it runs out of stack long before it has as many tokens as it may.
 */
export function checkDepthOfDocument(document: string): void {
  // Values are written between round brackets, within which directives of variables have some of their own.
  let round = 0;
  let depth = 0;
  // Of the selections around the values.
  let around = 0;
  for (let at = 0; at < document.length; at += 1) {
    const character = document[at];
    if (character === '"') at = endOfText(document, at);
    else if (character === '#') at = endOfLine(document, at);
    else if (character === '(') {
      if (round === 0) [around, depth] = [depth, 0];
      round += 1;
    } else if (character === ')' && round > 0) {
      round -= 1;
      if (round === 0) depth = around;
    } else if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth -= 1;
    if (depth > maxDepth) {
      const what = round > 0 ? 'value' : 'query';
      throw invalid(`A ${what} must not be nested deeper than ${maxDepth} levels.`);
    }
  }
}

/** Lines of a document of GraphQL. */
const maxLines = 20_000;

/**
 * Throws BAD_REQUEST where a document of GraphQL has more lines than it may: comments are no tokens, and the lines of a
 * text are parsed one by one.
 */
export function checkLinesOfDocument(document: string): void {
  if (document.length < maxLines) return;
  let lines = 0;
  for (const end of ['\n', '\r']) {
    for (let at = document.indexOf(end); at >= 0; at = document.indexOf(end, at + 1)) {
      lines += 1;
      if (lines <= maxLines) continue;
      const most = maxLines.toLocaleString('en');
      throw invalid(`A query must not have more than ${most} lines: send long texts as variables.`);
    }
  }
}

/** Where the last quotation mark is of the text that begins somewhere. */
function endOfText(document: string, start: number): number {
  if (document.startsWith('"""', start)) {
    let end = document.indexOf('"""', start + 3);
    while (end > 0 && document[end - 1] === '\\') end = document.indexOf('"""', end + 3);
    return end < 0 ? document.length : end + 2;
  }
  for (let at = start + 1; at < document.length; at += 1) {
    if (document[at] === '\\') at += 1;
    else if (document[at] === '"' || document[at] === '\n') return at;
  }
  return document.length;
}

function endOfLine(document: string, start: number): number {
  for (let at = start; at < document.length; at += 1) {
    if (document[at] === '\n' || document[at] === '\r') return at;
  }
  return document.length;
}
