// Reads SEARCH and CYCLE of recursive queries as columns of a CTE behind theirs.

import { isName, type Token, wordAt } from '../tokens/tokens.ts';
import { closing, cut, type Edit } from './text-edit.ts';

/** Whether there is a clause for `markedQueries` to find. */
export function hasMarks(tokens: readonly Token[]): boolean {
  return tokens.some((_token, at) => beginsMark(tokens, at));
}

/**
 * `t AS (...) SEARCH DEPTH FIRST BY a SET x CYCLE b SET y USING z` becomes a second CTE `t` that adds x,
 * made of a, and y and z, made of b.
 */
export function markedQueries(tokens: readonly Token[]): Edit[] {
  return tokens.flatMap((token, at) => {
    if (token.word !== ')' || !beginsMark(tokens, at + 1)) return [];
    const name = nameOfCte(tokens, at);
    const columns: string[] = [];
    let end = at + 1;
    while (beginsMark(tokens, end)) {
      const mark = readMark(tokens, end);
      columns.push(...mark.columns);
      end = mark.end;
    }
    const text = `, ${name} AS (SELECT *, ${columns.join(', ')} FROM ${name})`;
    return name === null
      ? []
      : cut(tokens, at + 1, end - 1, 'marks of a recursion were read as columns', text);
  });
}

function beginsMark(tokens: readonly Token[], at: number): boolean {
  const word = wordAt(tokens, at);
  if (word === 'SEARCH') return /^(?:DEPTH|BREADTH)$/.test(wordAt(tokens, at + 1));
  if (word !== 'CYCLE') return false;
  // Behind a query, or behind the SEARCH of one.
  const from = at + 1;
  return (
    readNames(tokens, from).length > 0 &&
    wordAt(tokens, from + 2 * readNames(tokens, from).length - 1) === 'SET'
  );
}

/** The columns that a clause adds, and the place behind it. */
function readMark(tokens: readonly Token[], at: number): { columns: string[]; end: number } {
  const from = wordAt(tokens, at) === 'SEARCH' ? at + 4 : at + 1;
  const names = readNames(tokens, from);
  const value = `concat(${names.join(', ')}, '')`;
  let end = from + 2 * names.length + 1;
  const columns = [`${value} AS ${tokens[end - 1]?.text ?? ''}`];
  if (wordAt(tokens, end) === 'TO') end += 4;
  if (wordAt(tokens, end) === 'USING') {
    columns.push(`${value} AS ${tokens[end + 1]?.text ?? ''}`);
    end += 2;
  }
  return { columns, end };
}

/** The names of `a, b SET`. */
function readNames(tokens: readonly Token[], from: number): string[] {
  const names: string[] = [];
  for (let i = from; i < tokens.length; i += 2) {
    const token = tokens[i];
    if (!isName(token)) return [];
    names.push(token.text);
    if (wordAt(tokens, i + 1) !== ',') return names;
  }
  return names;
}

/** The name of the CTE whose query closes at a place. */
function nameOfCte(tokens: readonly Token[], close: number): string | null {
  for (let at = close - 1; at > 1; at--) {
    if (wordAt(tokens, at) !== '(' || closing(tokens, at) !== close) continue;
    let name = at - 1;
    while (/^(?:AS|NOT|MATERIALIZED)$/.test(wordAt(tokens, name))) name--;
    if (wordAt(tokens, name) !== ')') return tokens[name]?.text ?? null;
    while (name > 0 && wordAt(tokens, name) !== '(') name--;
    return tokens[name - 1]?.text ?? null;
  }
  return null;
}
