// The rows of functions that return tables: which queries of their bodies give them, and under which names.
import { definesRoutine } from './block.ts';
import type { Piece } from './piece.ts';
import { isName, pathEnd, type Token, unquote } from './tokens.ts';

/** What calls of a function in FROM look for; no variable is called so. */
export function rowsOfRoutine(name: string): string {
  return `${name.toLowerCase()}()`;
}

/** The pieces of a routine, of which those that give the rows of a table function say so. */
export function withRows(segment: readonly Token[], pieces: readonly Piece[]): readonly Piece[] {
  const name = definesRoutine(segment) ? nameOfTableFunction(segment) : null;
  if (name === null) return pieces;
  const columns = columnsOf(segment);
  let isBranch = false;
  return pieces.map((piece) => {
    const isQuery = /^(?:SELECT|WITH|\()$/.test(piece.tokens[0]?.word ?? '');
    if (!isQuery || piece.isSilent || piece.fills) return piece;
    const fills = { names: [rowsOfRoutine(name)], whole: true, isBranch, columns };
    isBranch = true;
    return { ...piece, fills };
  });
}

/** The name, without its schema, of a function whose calls give rows; null for any other routine. */
function nameOfTableFunction(segment: readonly Token[]): string | null {
  const at = segment.findIndex(({ word }) => word === 'FUNCTION' || word === 'MACRO');
  const name = segment[at + 1]?.word === 'IF' ? at + 4 : at + 1;
  const givesRows = segment.some(({ word }, i) => {
    const next = segment[i + 1]?.word ?? '';
    if (word === 'TABLE' && (i === at - 1 || segment[i - 1]?.word === 'RETURNS')) return true;
    return (word === 'RETURNS' && next === 'SETOF') || (word === 'AS' && next === 'TABLE');
  });
  if (at < 0 || !givesRows || !isName(segment[name])) return null;
  const last = segment[pathEnd(segment, name)];
  return last ? unquote(last) : null;
}

/** The names in `RETURNS TABLE (a int, b int)`. */
function columnsOf(segment: readonly Token[]): string[] {
  const at = segment.findIndex(
    ({ word }, i) => word === 'TABLE' && segment[i - 1]?.word === 'RETURNS',
  );
  const names: string[] = [];
  if (at < 0 || segment[at + 1]?.word !== '(') return names;
  let depth = 0;
  for (let i = at + 1; i < segment.length; i++) {
    const token = segment[i];
    const before = segment[i - 1]?.word ?? '';
    if (token && depth === 1 && (before === '(' || before === ',')) names.push(unquote(token));
    if (token?.word === '(') depth++;
    if (token?.word === ')' && --depth === 0) break;
  }
  return names;
}
