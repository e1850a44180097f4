// The members of a JSON object as they are written: for hashes, to which 1.0 and 1 are not the same.

/** A string, a bracket, a colon or a comma, or whatever stands between them. */
const token = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:,]|[^"{}[\]:,]+/g;

/** The members of an object, each with its value as it is written. Throws a SyntaxError where the text is no object. */
export function rawMembers(text: string): ReadonlyMap<string, string> {
  const parsed: unknown = JSON.parse(text);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new SyntaxError('It is not an object.');
  }
  const members = new Map<string, string>();
  let depth = 0;
  let name = '';
  let from = -1;
  for (const { 0: part, index } of text.matchAll(token)) {
    const isEnd = depth === 1 && (part === ',' || part === '}');
    if (isEnd && from >= 0) {
      members.set(name, text.slice(from, index).trim());
      from = -1;
    }
    if (part === '{' || part === '[') depth += 1;
    else if (part === '}' || part === ']') depth -= 1;
    else if (depth === 1 && from < 0 && part === ':') from = index + 1;
    else if (depth === 1 && from < 0 && part.startsWith('"')) name = JSON.parse(part);
  }
  return members;
}
