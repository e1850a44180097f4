// Finds SQL within texts: the bodies of routines, and what EXECUTE and its kin run.
import type { Dialect } from '../dialect.ts';
import { definesRoutine } from './block.ts';
import type { Token } from './tokens.ts';

/** Where a segment stands: some words mean something else in a routine. */
export interface SegmentPlace {
  readonly dialect: Dialect;
  readonly procedural: boolean;
}

const FOREIGN =
  /^['"]?(?:JAVASCRIPT|JS|PYTHON|JAVA|SCALA|PLPYTHON\w*|PLV8|C|R|PLPERL\w*|WASM)['"]?$/i;

/** Whether a routine is written in another language than SQL. */
export function isForeign(segment: readonly Token[]): boolean {
  return segment.some(({ word }, i) => {
    const language = segment[i + 1];
    return word === 'LANGUAGE' && FOREIGN.test(language?.word || (language?.text ?? ''));
  });
}

/** Bodies written as texts, between dollars or in quotes, but for those of other languages. */
export function stringBodies(
  segment: readonly Token[],
  from: SegmentPlace,
): { text: string; start: number }[] {
  const isRoutine = definesRoutine(segment) || segment[0]?.word === 'DO';
  if (isForeign(segment)) return [];
  const bodies: { text: string; start: number }[] = [];
  segment.forEach((token, i) => {
    const isBody = isRoutine && segment[i - 1]?.word === 'AS';
    const isRun = runsAt(segment, i, from) && !isJoined(segment, i);
    if (token.kind === 'body' && (isRoutine || isRun)) {
      const tag = token.text.indexOf('$', 1) + 1;
      bodies.push({ text: token.text.slice(tag, -tag), start: token.start + tag });
    } else if (token.kind === 'string' && (isBody || isRun)) {
      const quote = /^\w*?('''|"""|'|")/.exec(token.text);
      const [open = '', mark = ''] = quote ?? [];
      const inner = token.text.slice(open.length, -mark.length);
      bodies.push({ text: inner.replaceAll(mark + mark, mark), start: token.start + open.length });
    }
  });
  return bodies;
}

/**
 * Whether what stands at a place is run as SQL: `EXECUTE IMMEDIATE '...'`, `EXEC('...')`, T-SQL's
 * `EXEC sp_executesql N'...'`, MySQL's `PREPARE s FROM '...'` and PL/pgSQL's plain `EXECUTE '...'`.
 */
function runsAt(segment: readonly Token[], at: number, from: SegmentPlace): boolean {
  const [before = '', head = '', first = ''] = [1, 2, 3].map((i) => segment[at - i]?.word ?? '');
  if (before === 'FROM') return first === 'PREPARE' && isText(segment[at]);
  if (from.procedural && before === 'EXECUTE' && PLAIN_EXECUTE.test(from.dialect.name)) {
    return !/^(?:IMMEDIATE|FUNCTION|PROCEDURE)$/.test(segment[at]?.word ?? '');
  }
  return /^(?:IMMEDIATE|SP_EXECUTESQL|\()$/.test(before) && /^EXEC(?:UTE)?$/.test(head);
}

const PLAIN_EXECUTE = /^(?:postgres|redshift)$/;

/** A text, or a variable that holds one; else it is a statement as it is. */
function isText(token: Token | undefined): boolean {
  return token?.kind === 'string' || token?.kind === 'body' || /^@/.test(token?.text ?? '');
}

/** Whether a text is a part of one that is put together: `'DELETE FROM ' || name`. */
function isJoined(segment: readonly Token[], at: number): boolean {
  return /^[|+]$/.test(segment[at + 1]?.word ?? '');
}

/** Whether what begins at a token runs a text that is put together when it runs. */
export function runsMadeText(segment: readonly Token[], at: number, from: SegmentPlace): boolean {
  if (!/^(?:EXEC(?:UTE)?|PREPARE)$/.test(segment[at]?.word ?? '')) return false;
  return [at + 1, at + 2, at + 3].some((place) => {
    const text = segment[place];
    if (!text || !runsAt(segment, place, from)) return false;
    const isWhole = text.kind === 'string' || text.kind === 'body';
    return !isWhole || isJoined(segment, place);
  });
}
