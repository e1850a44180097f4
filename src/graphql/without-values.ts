// What GraphQL's own errors say of values that clients sent: their kind, not themselves.
//
// A wrong field besides a password would otherwise bring the password into answers, and from there into
// the logs of clients. Numbers and names stay: they are no secrets, and help.

/** What stands before a value in the messages of GraphQL. */
const before = /(?:got invalid value|\bvalue:|, found|but got:|cannot represent) (?=["{[])/g;
/** A token of the text is not escaped, and stands at the end. */
const token = /(, found (?:String|BlockString)) "[\s\S]*$/;

/** A message of GraphQL without the texts, lists and objects that it shows. */
export function withoutValues(message: string): string {
  const text = message.replace(token, '$1.');
  const parts: string[] = [];
  let from = 0;
  for (const match of text.matchAll(before)) {
    const start = match.index + match[0].length;
    // Within a value that is left out already.
    if (start < from) continue;
    parts.push(text.slice(from, start), kinds[text.charAt(start)] ?? 'a value');
    from = endOfValue(text, start);
  }
  return parts.join('') + text.slice(from);
}

const kinds: Readonly<Record<string, string>> = {
  '"': 'a string',
  '{': 'an object',
  '[': 'a list',
};

/** Where a value ends that is written in JSON or GraphQL; the end of the text where it does not. */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '"') at = endOfText(text, at) - 1;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return text.length;
}

const blockText = /"""(?:\\"""|(?!""")[\s\S])*"""/y;
const quotedText = /"(?:\\[\s\S]|[^"\\])*"/y;

function endOfText(text: string, start: number): number {
  const pattern = text.startsWith('"""', start) ? blockText : quotedText;
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : text.length;
}
