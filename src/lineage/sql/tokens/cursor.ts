// Finds the queries of loops and cursors in procedural code, whose rows go into records.
import type { Token } from './tokens.ts';

/** A query, and the name of the record or cursor that holds its rows, in lower case. */
export interface CursorQuery {
  readonly name: string;
  readonly query: readonly Token[];
  /** Whether it is a statement of its own as well, as in `DECLARE c CURSOR FOR SELECT`. */
  readonly isStatement: boolean;
}

const STARTS = /^(?:SELECT|WITH)$/;

/**
 * `FOR r IN (SELECT ...) LOOP`, `CURSOR c IS SELECT ...` and `c CURSOR FOR SELECT ...` in a segment; a
 * loop over a cursor has the query of that, from `cursors` by name.
 */
export function cursorQueries(
  segment: readonly Token[],
  cursors: ReadonlyMap<string, readonly Token[]>,
): CursorQuery[] {
  return segment.flatMap((token, at) => {
    const before = wordAt(segment, at - 1);
    const next = wordAt(segment, at + 1);
    const loops = before === 'FOR' && next === 'IN';
    const declares = before === 'CURSOR' && /^(?:IS|AS)$/.test(next);
    const named = next === 'CURSOR' && wordAt(segment, at + 2) === 'FOR';
    if (token.kind !== 'word' || !(loops || declares || named)) return [];
    const cursor = loops ? cursors.get((segment[at + 2]?.text ?? '').toLowerCase()) : undefined;
    const query = cursor ?? queryAt(segment, at + (named ? 3 : 2));
    const name = token.text.toLowerCase();
    return query.length > 1 ? [{ name, query, isStatement: named }] : [];
  });
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

function wordAt(segment: readonly Token[], at: number): string {
  return segment[at]?.word ?? '';
}
