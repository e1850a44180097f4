// The fields of nested types, as the sources of a catalog write them.

/** A field of a struct, record, row, tuple or object: its name, and its type as written. */
export interface StructField {
  readonly name: string;
  readonly type: string;
}

/** How deep types may lie in each other. */
export const deepestType = 15;

const STRUCT = /^(?:struct|row|record|object|tuple|nested)\s*[<(]([\s\S]*)[>)]$/i;
const WRAPPER = /^(?:array|nullable|repeated|list)\s*[<(]([\s\S]*)[>)]$/i;
const ARRAY_ENDING = /(?:\s*\[\d*\]|\s+not\s+null|\s+null)$/i;

/**
 * The fields of a type such as `STRUCT<a INT64, b STRUCT<c DATE>>`, `ROW(a int, b date)`, `struct<a:int>` or
 * ClickHouse's `Tuple(a Int8)`, also of the elements of an array (`ARRAY<STRUCT<a INT64>>`, `STRUCT(a INT)[]`); null
 * when it has none, or is written in a way we don't know. Time grows with the length of the type.
 */
export function fieldsOf(type: string): StructField[] | null {
  let text = type.trim();
  for (let depth = 0; depth < deepestType; depth++) {
    const ending = ARRAY_ENDING.exec(text);
    const inner = ending ? text.slice(0, ending.index) : WRAPPER.exec(text)?.[1];
    if (inner === undefined) break;
    text = inner.trim();
  }
  const inner = STRUCT.exec(text)?.[1];
  if (inner === undefined) return null;
  const fields: StructField[] = [];
  for (const part of topLevelParts(inner)) {
    const [, quoted, plain, rest] =
      /^\s*(?:[`"]([^`"]+)[`"]|([\p{L}\w$]+))(?:\s*:\s*|\s+)(\S[\s\S]*)$/u.exec(part) ?? [];
    const name = quoted ?? plain;
    if (!name || !rest) return null;
    fields.push({ name, type: rest.trim() });
  }
  return fields.length > 0 ? fields : null;
}

/** The parts between commas that stand in no brackets and no quotes. */
function topLevelParts(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  let quote = '';
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i);
    if (quote) quote = char === quote ? '' : quote;
    else if (char === '`' || char === '"' || char === "'") quote = char;
    else if (char === '<' || char === '(') depth++;
    else if (char === '>' || char === ')') depth--;
    else if (char === ',' && depth === 0) {
      parts.push(text.slice(start, i));
      start = i + 1;
    }
  }
  parts.push(text.slice(start));
  return parts;
}
