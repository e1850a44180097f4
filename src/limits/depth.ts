// In charge of how deeply values may be nested: what walks them later would run out of stack.

import { invalid } from '../errors.ts';

/** Levels of lists and objects within each other, in one value. */
export const maxDepth = 64;

/** Throws BAD_REQUEST where a member of an object holds a value that is nested too deeply. */
export function checkDepth(members: object): void {
  for (const [name, value] of Object.entries(members)) {
    if (isDeeper(value, maxDepth)) {
      throw invalid(
        `${name}: It is nested deeper than ${maxDepth} levels, the most there may be.`,
        [{ field: name, message: `It is nested deeper than ${maxDepth} levels.` }],
      );
    }
  }
}

/** Ends at the level that is too deep, so that its own depth is bounded. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

/** Throws BAD_REQUEST where a value that is written in a document of GraphQL is nested too deeply. */
export function checkDepthOfLiterals(document: string): void {
  // Values are written between round brackets, which never are within each other.
  let isInArguments = false;
  let depth = 0;
  for (let at = 0; at < document.length; at += 1) {
    const character = document[at];
    if (character === '"') at = endOfText(document, at);
    else if (character === '#') at = endOfLine(document, at);
    else if (character === '(' || character === ')') {
      isInArguments = character === '(';
      depth = 0;
    } else if (isInArguments && (character === '[' || character === '{')) depth += 1;
    else if (isInArguments && (character === ']' || character === '}')) depth -= 1;
    if (depth > maxDepth) {
      throw invalid(`A value must not be nested deeper than ${maxDepth} levels.`);
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
