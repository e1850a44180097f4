// Finds the queries of loops and cursors in procedural code, whose rows go into records.
import { closing } from '../repair/text-edit.ts';
import { reads, type Token, wordAt } from './tokens.ts';

/** A query, and what of the text its rows go into. */
export interface CursorQuery {
  readonly fills: Filled;
  readonly query: readonly Token[];
  /** Whether it is a statement of its own as well, as in `DECLARE c CURSOR FOR SELECT`. */
  readonly isStatement: boolean;
}

/**
 * Names in lower case that hold what a query gives: each variable one of its columns, by place, or
 * a single record or cursor its whole rows.
 */
export interface Filled {
  readonly names: readonly string[];
  readonly whole: boolean;
  /** Whether it is an assignment, after which a variable without sources is of unknown content. */
  readonly isValue?: boolean;
  /** Whether it stands in a branch or a loop, so that what was there before may stay. */
  readonly isBranch?: boolean;
  /** What the columns of the rows are called there, where that is said. */
  readonly columns?: readonly string[];
}

const STARTS = /^(?:SELECT|WITH)$/;

/**
 * The queries in a segment whose rows are gone through: `FOR r IN (SELECT ...) LOOP`, the declarations
 * of cursors, which are added to `cursors` by name, and each FETCH from one of these.
 */
export function cursorQueries(
  segment: readonly Token[],
  cursors: Map<string, readonly Token[]>,
): CursorQuery[] {
  return segment.flatMap((token, at) => {
    if (token.word === 'FETCH') return fetched(segment, at, cursors);
    const declared = token.kind === 'word' ? declaredQuery(segment, at) : null;
    const loops = wordAt(segment, at - 1) === 'FOR' && /^(?:IN|AS)$/.test(wordAt(segment, at + 1));
    const isCursor = reads(segment, at + 1, 'CURSOR', 'FOR');
    const cursor =
      loops || isCursor ? cursors.get(nameAt(segment, at + (loops ? 2 : 3))) : undefined;
    if (token.kind !== 'word' || !(declared || loops || cursor)) return [];
    const query =
      cursor ?? declared?.query ?? queryAt(segment, loops ? queryOfLoop(segment, at) : at + 2);
    if (query.length < 2) return [];
    const name = nameAt(segment, at);
    cursors.set(name, query);
    const isStatement = declared?.isStatement === true;
    return [{ fills: { names: [name], whole: true }, query, isStatement }];
  });
}

/** Where the query of a loop begins: `FOR r IN SELECT`, `FOR r AS SELECT`, `FOR r AS c CURSOR FOR SELECT`. */
function queryOfLoop(segment: readonly Token[], at: number): number {
  return at + (reads(segment, at + 3, 'CURSOR', 'FOR') ? 5 : 2);
}

/**
 * The query of a cursor whose name stands at a place: `CURSOR c (p NUMBER) IS SELECT ...`,
 * `c CURSOR LOCAL FAST_FORWARD FOR SELECT ...` and `OPEN c FOR SELECT ...`.
 */
function declaredQuery(
  segment: readonly Token[],
  at: number,
): Pick<CursorQuery, 'query' | 'isStatement'> | null {
  if (wordAt(segment, at - 1) === 'CURSOR') {
    const is = behindBrackets(segment, at + 1);
    return /^(?:IS|AS)$/.test(wordAt(segment, is))
      ? { query: queryAt(segment, is + 1), isStatement: false }
      : null;
  }
  if (wordAt(segment, at - 1) === 'OPEN' && wordAt(segment, at + 1) === 'FOR') {
    return { query: queryAt(segment, at + 2), isStatement: false };
  }
  if (wordAt(segment, at + 1) !== 'CURSOR') return null;
  let end = behindBrackets(segment, at + 2);
  while (CURSOR_OPTION.test(wordAt(segment, end))) end++;
  return wordAt(segment, end) === 'FOR'
    ? { query: queryAt(segment, end + 1), isStatement: end === at + 2 }
    : null;
}

const CURSOR_OPTION =
  /^(?:LOCAL|GLOBAL|FORWARD_ONLY|SCROLL|STATIC|KEYSET|DYNAMIC|FAST_FORWARD|READ_ONLY|SCROLL_LOCKS|OPTIMISTIC|TYPE_WARNING|INSENSITIVE|WITH|WITHOUT|HOLD)$/;

/** `FETCH NEXT FROM c INTO @a, @b` and `FETCH c BULK COLLECT INTO rows LIMIT 100`. */
function fetched(
  segment: readonly Token[],
  at: number,
  cursors: ReadonlyMap<string, readonly Token[]>,
): CursorQuery[] {
  let cursor = at + 1;
  while (/^(?:NEXT|PRIOR|FIRST|LAST|FROM|IN)$/.test(wordAt(segment, cursor))) cursor++;
  const query = cursors.get(nameAt(segment, cursor));
  const isBulk = wordAt(segment, cursor + 1) === 'BULK';
  const into = cursor + (isBulk ? 3 : 1);
  if (!query || wordAt(segment, into) !== 'INTO') return [];
  const names = [nameAt(segment, into + 1)];
  for (let i = into + 2; wordAt(segment, i) === ','; i += 2) names.push(nameAt(segment, i + 1));
  // A single name may be a variable or a record: the first column of a record is its value.
  return [{ fills: { names, whole: names.length === 1 }, query, isStatement: false }];
}

/** The place behind the brackets that open at a place, or the place itself. */
function behindBrackets(segment: readonly Token[], at: number): number {
  if (wordAt(segment, at) !== '(') return at;
  const close = closing(segment, at);
  return close < 0 ? at : close + 1;
}

function nameAt(segment: readonly Token[], at: number): string {
  return (segment[at]?.text ?? '').toLowerCase();
}

/** The query that begins at a token, or in its brackets, up to the body of the loop. */
function queryAt(segment: readonly Token[], at: number): readonly Token[] {
  const open = wordAt(segment, at) === '(' ? 1 : 0;
  if (!STARTS.test(wordAt(segment, at + open))) return [];
  let depth = 0;
  for (let i = at; i < segment.length; i++) {
    const word = wordAt(segment, i);
    if (word === '(') depth++;
    if (word === ')' && --depth === 0 && open === 1) return segment.slice(at + 1, i);
    if (depth === 0 && /^(?:LOOP|DO)$/.test(word)) return segment.slice(at, i);
  }
  return open === 1 ? [] : segment.slice(at);
}
