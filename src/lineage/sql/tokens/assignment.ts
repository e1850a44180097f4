// Finds what procedural code fills variables with: `v := x`, `SET v = x`, `SELECT x INTO v`.
import { closing } from '../repair/text-edit.ts';
import type { Filled } from './cursor.ts';
import { isName, type Token, unquote, wordAt } from './tokens.ts';

/** Names that are filled, and the tokens of the value or the query that fills them. */
export interface VariableAssignment {
  readonly fills: Filled;
  /** Without SELECT before it, unless it is a query of several columns. */
  readonly value: readonly Token[];
}

/** Words behind which a statement of procedural code may begin. */
const BEFORE = /^(?:BEGIN|THEN|ELSE|LOOP|DO|AS|IS|DECLARE|LET|TRY|CATCH|REPEAT|>)$/;
const IN_BRANCH = /^(?:THEN|ELSE|LOOP|DO)$/;

/** The assignments of a segment of procedural code; there is one at most, for each has its own `;`. */
export function assignmentsIn(segment: readonly Token[]): VariableAssignment[] {
  let depth = 0;
  let start = 0;
  for (let i = 0; i < segment.length; i++) {
    const word = wordAt(segment, i);
    if (word === '(') depth++;
    if (word === ')') depth--;
    if (depth !== 0) continue;
    if (BEFORE.test(word)) start = i + 1;
    else if (QUERY.test(word) && i === start) return [];
    const isSet = word === '=' && wordAt(segment, start) === 'SET';
    const isDefault = word === 'DEFAULT' && i > start + 1;
    const value = isColonEqual(segment, i) ? i + 2 : isSet || isDefault ? i + 1 : -1;
    if (value < 0) continue;
    const names = namesAt(
      segment,
      wordAt(segment, start) === 'SET' ? start + 1 : start,
      i,
      isDefault,
    );
    return names.length > 0 ? [assignment(segment, names, start, value)] : [];
  }
  return [];
}

const QUERY = /^(?:SELECT|WITH|INSERT|UPDATE|DELETE|MERGE|CREATE|ALTER|CALL|EXECUTE|EXEC|FOR)$/;

function assignment(
  segment: readonly Token[],
  names: readonly string[],
  start: number,
  from: number,
): VariableAssignment {
  const isBranch = IN_BRANCH.test(wordAt(segment, start - 1));
  // A query in brackets may give several columns: to a tuple, a record or a result set.
  const isQuery =
    wordAt(segment, from) === '(' && /^(?:SELECT|WITH)$/.test(wordAt(segment, from + 1));
  const close = isQuery || names.length > 1 ? closing(segment, from) : -1;
  const value = close === segment.length - 1 ? segment.slice(from + 1, close) : segment.slice(from);
  return { fills: { names, whole: names.length === 1, isValue: true, isBranch }, value };
}

function isColonEqual(segment: readonly Token[], i: number): boolean {
  const [colon, equal] = [segment[i], segment[i + 1]];
  return colon?.word === ':' && equal?.word === '=' && colon.end === equal.start;
}

/** `v`, `v NUMBER(10)`, `(a, b)`, and of a DECLARE `a, b INT`; a field of a record is none of them. */
function namesAt(
  segment: readonly Token[],
  start: number,
  end: number,
  isDeclared: boolean,
): string[] {
  const isList = wordAt(segment, start) === '(';
  const names: string[] = [];
  for (let i = isList ? start + 1 : start; i < end; i += 2) {
    const token = segment[i];
    if (!isName(token)) return names;
    names.push(unquote(token).toLowerCase());
    const next = wordAt(segment, i + 1);
    if (next === '.') return [];
    if (next !== ',') break;
  }
  return isList || isDeclared ? names : names.slice(0, 1);
}

/** What `INTO a, b` of a query fills, and where that stands in it. */
export interface Into {
  readonly names: readonly string[];
  readonly start: number;
  readonly end: number;
}

/** The variables that a query or the RETURNING of a change fills, or null. */
export function intoOf(statement: readonly Token[]): Into | null {
  const isQuery = /^(?:SELECT|WITH)$/.test(wordAt(statement, 0));
  const isChange = /^(?:INSERT|UPDATE|DELETE|MERGE)$/.test(wordAt(statement, 0));
  if (!isQuery && !isChange) return null;
  let depth = 0;
  let returns = isQuery;
  for (let i = 1; i < statement.length; i++) {
    const word = wordAt(statement, i);
    if (word === '(') depth++;
    if (word === ')') depth--;
    if (depth !== 0) continue;
    if (/^RETURN(?:ING)?$/.test(word)) returns = true;
    if (word !== 'INTO' || !returns || wordAt(statement, i - 1) === 'INSERT') continue;
    const isBulk = wordAt(statement, i - 1) === 'COLLECT';
    const { names, end } = filledNames(statement, i + 1);
    const first = statement[isBulk ? i - 2 : i];
    const last = statement[end];
    return names.length > 0 && first && last ? { names, start: first.start, end: last.end } : null;
  }
  return null;
}

/** The names behind INTO, which may be elements of collections, and the place of the last token. */
function filledNames(tokens: readonly Token[], from: number): { names: string[]; end: number } {
  const names: string[] = [];
  let at = wordAt(tokens, from) === 'STRICT' ? from + 1 : from;
  for (;;) {
    if (wordAt(tokens, at) === ':') at++;
    const token = tokens[at];
    if (!isName(token)) return { names: [], end: at };
    if (NO_VARIABLE.test(token.word)) return { names: [], end: at };
    const isField = wordAt(tokens, at + 1) === '.';
    // A field of a record fills no more than itself, which is not followed.
    names.push(isField ? '' : unquote(token).toLowerCase());
    if (isField) at += 2;
    if (wordAt(tokens, at + 1) === '(') at = Math.max(at, closing(tokens, at + 1));
    if (wordAt(tokens, at + 1) !== ',') return { names, end: at };
    at += 2;
  }
}

const NO_VARIABLE = /^(?:TEMP|TEMPORARY|UNLOGGED|TABLE|OUTFILE|DUMPFILE)$/;
