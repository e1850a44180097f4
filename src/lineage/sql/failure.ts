// Puts the parser's complaints into words: where it stopped, and what would have been right there.
import type { Piece } from './tokens/piece.ts';
import { isOpenComment, type Token } from './tokens/tokens.ts';

/** Why a statement was not taken. */
export interface Failure {
  readonly message: string;
  readonly expected: string | null;
  /** Offset in the script, in UTF-16 units. */
  readonly offset: number;
  /** No rewrite can help: the text is too deep, or broken within its tokens. */
  readonly final: boolean;
}

/** The parser's message about a statement, whose offset counts code points from its start. */
export function explain(piece: Piece, error: string, errorStart: number): Failure {
  const offset = piece.start + utf16Offset(piece.text, errorStart);
  const plain = error.replace(/^\w+ error at line \d+, column \d+: /, '');
  if (plain.startsWith('E_GUARD')) return tooDeep(piece, plain);

  const broken = piece.tokens.find((token) => token.kind === 'broken');
  if (broken) return unclosed(broken);
  if (/^Unterminated|^Unexpected character/.test(plain)) {
    return { message: sentence(plain), expected: null, offset, final: false };
  }
  const at = piece.tokens.findIndex((token) => token.end > offset);
  const token = piece.tokens[at];
  const wanted = /^Expected (.+?), got /.exec(plain)?.[1];
  const expected = wanted ? tokenName(wanted) : expectedAt(piece.tokens, at);
  const ends =
    piece.tokens.length === 1 || /got end of input|unexpected end of|end of file/i.test(plain);
  if (!token || ends || endsTooEarly(piece.tokens, at)) {
    const wanted = expected ?? expectedAfter(piece.tokens.at(-1));
    const message = wanted
      ? `The statement ends where ${wanted} was expected.`
      : 'The statement ends too early.';
    return { message, expected: wanted, offset: piece.start + piece.text.length, final: false };
  }
  const shown = token.text.length > 40 ? `${token.text.slice(0, 40)}...` : token.text;
  const message = expected
    ? `Expected ${expected}, got '${shown}'.`
    : `'${shown}' is not expected here.`;
  return { message, expected, offset: token.start, final: false };
}

/** A quote that is opened and reaches to the end of the text. */
export function unclosed(token: Token): Failure {
  if (isOpenComment(token)) {
    const message = 'The comment that begins here is never closed.';
    return { message, expected: "'*/'", offset: token.start, final: true };
  }
  const quote = /^\$\w*\$|./su.exec(token.text)?.[0] ?? token.text;
  const message = `The quote ${quote} is never closed.`;
  return { message, expected: 'a closing quote', offset: token.start, final: true };
}

function tooDeep(piece: Piece, guard: string): Failure {
  const limit = /limit (\d+)/.exec(guard)?.[1];
  const what = guard.includes('TOKEN') ? 'has too many tokens' : 'is nested too deeply';
  const message = `The statement ${what}${limit ? ` (the limit is ${limit})` : ''}.`;
  return { message, expected: null, offset: piece.start, final: true };
}

/** The offset in UTF-16 units of one in code points. */
function utf16Offset(text: string, codePoints: number): number {
  if (!/[\ud800-\udbff]/.test(text)) return Math.min(codePoints, text.length);
  let at = 0;
  for (let i = 0; i < codePoints && at < text.length; i++) {
    at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  }
  return at;
}

/** At the end of the text the parser points at the last word, which is not the wrong one. */
function endsTooEarly(tokens: readonly Token[], at: number): boolean {
  return at === tokens.length - 1 && expectedAfter(tokens[at]) !== null;
}

function expectedAt(tokens: readonly Token[], at: number): string | null {
  return expectedAfter(tokens[at - 1]);
}

/** What has to follow a word or mark; null when nothing has to. */
function expectedAfter(token: Token | undefined): string | null {
  const word = token?.word ?? '';
  if (/^(?:WHERE|ON|HAVING|AND|OR|NOT|LIKE|BETWEEN|WHEN|THEN|CASE|BY|IN|[=<>+*%|,-])$/.test(word)) {
    return word === '*' ? null : 'an expression';
  }
  if (/^(?:FROM|JOIN|INTO|USING|UPDATE|TABLE|VIEW|MERGE)$/.test(word)) return 'a table';
  if (/^(?:SELECT|DISTINCT)$/.test(word)) return 'columns';
  if (/^(?:UNION|EXCEPT|INTERSECT|AS|ALL)$/.test(word)) return 'a query';
  if (/^(?:GROUP|ORDER|PARTITION)$/.test(word)) return 'BY';
  if (word === 'INSERT') return 'INTO';
  if (word === 'SET') return 'an assignment';
  if (/^(?:LIMIT|OFFSET|TOP)$/.test(word)) return 'a number';
  if (word === 'WITH') return 'a name';
  if (word === '.') return 'a name';
  if (word === '(') return 'an expression or a query';
  return null;
}

const MARKS: Record<string, string> = {
  RParen: "')'",
  LParen: "'('",
  RBracket: "']'",
  LBracket: "'['",
  Comma: "','",
  Eq: "'='",
  Dot: "'.'",
  Semicolon: "';'",
  Colon: "':'",
  COLON: "':'",
  Select: 'SELECT',
  'table name or subquery': 'a table or a subquery',
  identifier: 'a name',
  Var: 'a name',
};

/** The parser's names of tokens as people write them. */
function tokenName(wanted: string): string {
  const known = MARKS[wanted];
  if (known) return known;
  return /^[A-Z][a-z]+$/.test(wanted) ? wanted.toUpperCase() : wanted;
}

function sentence(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: unseen characters are to be shown.
  const visible = text.replace(/[\u0000-\u001f\u007f]/g, (char) => {
    return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
  return visible.endsWith('.') ? visible : `${visible}.`;
}
