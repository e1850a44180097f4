// Reads the fields of struct types, so that a star over a struct column can be expanded.
import type { Identifier } from '../node.ts';

export interface StructField {
  readonly name: string;
  readonly type: string;
}

/**
 * The fields of a type such as `STRUCT<a INT64, b STRUCT<c DATE>>`, `ROW(a int, b date)` or
 * `struct<a:int,b:date>`; null when it is no struct or is written in a way we don't know.
 */
export function fieldsOf(type: string): StructField[] | null {
  const inner = /^\s*(?:struct|row|record|object)\s*[<(]([\s\S]*)[>)]\s*$/i.exec(type)?.[1];
  if (inner === undefined) return null;
  const fields: StructField[] = [];
  for (const part of topLevelParts(inner)) {
    const [, quoted, plain, rest] =
      /^\s*(?:[`"]([^`"]+)[`"]|([\p{L}\w$]+))\s*:?\s*([\s\S]+)$/u.exec(part) ?? [];
    const name = quoted ?? plain;
    if (!name || !rest) return null;
    fields.push({ name, type: rest.trim() });
  }
  return fields.length > 0 ? fields : null;
}

/** The type that a path of fields leads to, or null. */
export function typeAt(
  type: string | null | undefined,
  path: readonly Identifier[],
): string | null {
  let current = type ?? null;
  for (const part of path) {
    const fields = current === null ? null : fieldsOf(current);
    const field = fields?.find(({ name }) => name.toLowerCase() === part.name.toLowerCase());
    current = field?.type ?? null;
  }
  return current;
}

function topLevelParts(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i);
    if (char === '<' || char === '(') depth++;
    else if (char === '>' || char === ')') depth--;
    else if (char === ',' && depth === 0) {
      parts.push(text.slice(start, i));
      start = i + 1;
    }
  }
  parts.push(text.slice(start));
  return parts;
}
