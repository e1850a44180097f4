// Quotes words that the parser keeps for itself where they stand as names: their place decides, no list.

import type { Dialect } from '../dialect.ts';
import { isName, type Token, tokenize, wordAt } from '../tokens/tokens.ts';
import { words } from '../word-set.ts';

/** Words that shape a statement in every dialect: names only behind a dot or AS. */
const SHAPES = words(
  'ALL AND AS BETWEEN BY CASE CREATE CROSS DISTINCT ELSE END EXCEPT FETCH FROM FULL GROUP HAVING IN INNER',
  'INTERSECT INTO IS JOIN LEFT LIKE LIMIT NATURAL NOT NULL OFFSET ON OR ORDER OUTER QUALIFY RIGHT SELECT',
  'THEN UNION USING VALUES WHEN WHERE WINDOW WITH',
);
/** What begins a query behind AS. */
const BEGINS_QUERY = words('SELECT WITH VALUES TABLE FROM INSERT UPDATE DELETE MERGE');
/** What may follow an alias or a column: the next item, or the next clause. */
const FOLLOWS = words(
  ', ) ; AS ASC CROSS DESC EXCEPT FETCH FOR FROM FULL GROUP HAVING INNER INTERSECT JOIN LEFT LIMIT NATURAL',
  'OFFSET ON ORDER QUALIFY RIGHT SET UNION USING VALUES WHEN WHERE WINDOW WITH ( .',
);
const OPERATORS = words('= < > + - * / % | & ^ ! ~ : AND OR IS IN NOT LIKE BETWEEN THEN ELSE END');
/** What stands before a column, or before the target of an assignment. */
const BEFORE_COLUMN = words(
  ', ( SELECT DISTINCT ALL WHERE HAVING ON BY SET AND OR NOT WHEN THEN ELSE',
);
const BEFORE_TABLE = words('FROM JOIN INTO UPDATE TABLE USING ONLY VIEW WITH RECURSIVE ,');

/** Whether a word stands where a name does, as far as its neighbours say. */
export function isNamePlace(tokens: readonly Token[], at: number): boolean {
  const { kind, word } = tokens[at] ?? { kind: 'mark', word: '' };
  if (kind !== 'word') return false;
  const [before, behind] = [wordAt(tokens, at - 1), wordAt(tokens, at + 1)];
  const isLast = tokens[at + 1] === undefined;
  if (before === '.') return true;
  if (word === 'INTERVAL' && beginsInterval(tokens, at)) return false;
  if (before === 'AS') return !BEGINS_QUERY.has(word) || isLast || FOLLOWS.has(behind);
  // The target of an assignment, whatever it is called.
  if (/^(?:SET|,)$/.test(before) && behind === '=') return true;
  // No CASE ends right behind a comma.
  if (word === 'END' && /^[(,]$/.test(before) && /^[,)]$/.test(behind)) return true;
  if (SHAPES.has(word)) return isLabel(tokens, at);
  if (behind === '.') return isName(tokens[at + 2]) || wordAt(tokens, at + 2) === '*';
  const ends = isLast || FOLLOWS.has(behind);
  if (ends && endsOperand(tokens[at - 1])) return true;
  if (BEFORE_TABLE.has(before) && (ends || isName(tokens[at + 1]))) return true;
  const isColumn = BEFORE_COLUMN.has(before) || OPERATORS.has(before);
  // In a list of definitions a type follows.
  const isDefined = /^[(,]$/.test(before) && isName(tokens[at + 1]);
  return isDefined || (isColumn && (ends || OPERATORS.has(behind)));
}

/** `INTERVAL -1 DAY`, `INTERVAL n DAY` and `INTERVAL (a + 1) DAY`, where `interval - 1` is a column and a number. */
function beginsInterval(tokens: readonly Token[], at: number): boolean {
  const isSigned = /^[+-]$/.test(wordAt(tokens, at + 1));
  const value = tokens[at + (isSigned ? 2 : 1)];
  const unit = wordAt(tokens, at + (isSigned ? 3 : 2));
  return value?.word === '(' || value?.kind === 'string' || UNIT.test(unit);
}

const UNIT =
  /^(?:(?:(?:NANO|MICRO|MILLI)?SECOND|MINUTE|HOUR|DAY|WEEK|MONTH|QUARTER|YEAR)S?|[A-Z]+_[A-Z]+)$/;

/** `SELECT a left FROM t`: some dialects take nearly every word for the label of an output. */
function isLabel(tokens: readonly Token[], at: number): boolean {
  const mayEnd = tokens[at + 1] === undefined || /^(?:,|FROM)$/.test(wordAt(tokens, at + 1));
  if (!mayEnd || !LABELS.has(wordAt(tokens, at)) || !endsOperand(tokens[at - 1])) return false;
  const list = tokens.slice(0, at).findLast(({ word }) => word === 'SELECT' || word === 'FROM');
  return list?.word === 'SELECT';
}

const LABELS = words(
  'ALL BETWEEN BY CASE CROSS DISTINCT ELSE END FULL IN INNER IS JOIN LEFT LIKE NATURAL',
);

function endsOperand(token: Token | undefined): boolean {
  if (!token) return false;
  if (token.kind === 'word') return !SHAPES.has(token.word) || /^(?:END|NULL)$/.test(token.word);
  return token.kind !== 'mark' || /^[)\]*]$/.test(token.word);
}

/** Words that are quoted in one statement at most, each wherever it stands as a name. */
const MOST = 20;
/** Longer statements would be parsed too often. */
const LONGEST = 20_000;

/** A text in which the parser found something, from an offset on. */
interface Tried<Result> {
  readonly result: Result;
  /** Where it refused the text; null where it took it. */
  readonly refusedAt: number | null;
}

/**
 * What the parser makes of a text once the words are quoted at which it refuses it, or null. Each word has to bring it
 * further. `attempt` parses; offsets count from the start of the text.
 */
export function withQuotedNames<Result>(
  text: string,
  refusedAt: number,
  dialect: Dialect,
  attempt: (text: string) => Tried<Result>,
): Result | null {
  let current = { text, tokens: tokenize(text, dialect.lexical), refusedAt };
  if (current.tokens.length > LONGEST) return null;
  for (let quoted = 0; quoted < MOST; quoted += 1) {
    const { tokens, refusedAt: limit } = current;
    const at = tokens.findIndex(({ end }) => end > limit);
    const last = at < 0 ? tokens.length : at;
    let next: typeof current | null = null;
    for (const place of [last, last - 1, last + 1]) {
      if (!isNamePlace(tokens, place)) continue;
      const edited = quotedAt(current.text, tokens, place, dialect);
      const tried = attempt(edited.text);
      if (tried.refusedAt === null) return tried.result;
      // What it brings is counted in tokens: quotes make the text longer.
      const again = tokenize(edited.text, dialect.lexical);
      const reached = again.findIndex(({ end }) => end > (tried.refusedAt ?? 0));
      if (reached >= 0 && reached <= last) continue;
      next = { text: edited.text, tokens: again, refusedAt: tried.refusedAt };
      break;
    }
    if (!next) return null;
    current = next;
  }
  return null;
}

/** The text with a word quoted at a place, and wherever else it stands as a name. */
function quotedAt(
  text: string,
  tokens: readonly Token[],
  place: number,
  { lexical, fold }: Dialect,
): { readonly text: string } {
  const wanted = tokens[place]?.word;
  const quote = lexical.doubleQuote === 'string' ? '`' : '"';
  let result = '';
  let copied = 0;
  tokens.forEach((token, at) => {
    if (token.word !== wanted || !isNamePlace(tokens, at)) return;
    const name =
      fold === 'keep'
        ? token.text
        : fold === 'lower'
          ? token.text.toLowerCase()
          : token.text.toUpperCase();
    result += `${text.slice(copied, token.start)}${quote}${name}${quote}`;
    copied = token.end;
  });
  return { text: result + text.slice(copied) };
}
