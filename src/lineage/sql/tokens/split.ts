// Splits a script into its statements by tokens alone, those in the bodies of procedures too.

import type { Dialect } from '../dialect.ts';
import { assignmentsIn, intoOf } from './assignment.ts';
import { type Block, declaredNames, definesRoutine, innerStatements, opensBlock } from './block.ts';
import { cursorQueries } from './cursor.ts';
import { isForeign, runsMadeText, stringBodies } from './made-text.ts';
import type { Piece } from './piece.ts';
import { withRows } from './routine-rows.ts';
import { isMacro, isTemplate } from './templated.ts';
import { type Token, tokenize } from './tokens.ts';
import { ROWS_OF_TRIGGER, tableOfTrigger, withoutColons } from './trigger.ts';
import { fillsVariables, standsInBranch } from './tsql.ts';

/**
 * The statements of a script, one for each `;` (GO in T-SQL, a lone `/` in Oracle). Procedure
 * bodies give their statements one by one, without the BEGIN, IF and LOOP around them.
 */
export function splitScript(
  sql: string,
  tokens: readonly Token[],
  dialect: Dialect,
  hasBranches = false,
): Piece[] {
  const script: Script = {
    sql,
    tokens,
    dialect,
    offset: 0,
    statement: 0,
    variables: new Set(),
    isTemplate: isTemplate(sql),
    hasBranches,
  };
  return splitText(script, false);
}

interface Script {
  readonly sql: string;
  readonly tokens: readonly Token[];
  readonly dialect: Dialect;
  /** Where the text starts in the whole script: bodies are texts of their own. */
  readonly offset: number;
  statement: number;
  readonly variables: Set<string>;
  readonly isTemplate: boolean;
  readonly hasBranches: boolean;
}

function splitText(script: Script, isBody: boolean): Piece[] {
  const { sql, tokens, dialect } = script;
  const segments = segmentsOf(sql, tokens, dialect);
  const pieces: Piece[] = [];
  const cursors = new Map<string, readonly Token[]>();
  let block: Block | null = null;
  let opened: { segment: readonly Token[]; pieces: number } = { segment: [], pieces: 0 };
  segments.forEach((segment, i) => {
    if (!isBody) script.statement++;
    if (block === null) {
      block = opensBlock(segment, segments.slice(i + 1), dialect);
      opened = { segment, pieces: pieces.length };
    }
    const procedural = isBody || block !== null;
    const variables = block?.variables ?? script.variables;
    for (const name of declaredNames(segment)) variables.add(name);
    const known = new Set([...script.variables, ...variables]);
    const statements = procedural ? innerStatements(segment, dialect) : [segment];
    const table = tableOfTrigger(segment);
    if (table.length > 0) pieces.push(rowsOfTrigger(script, table, known));
    const queries = procedural || dialect.name === 'tsql' ? cursorQueries(segment, cursors) : [];
    for (const { fills, query } of queries) {
      pieces.push({ ...pieceOf(script, query, true, known), fills, isSilent: true });
    }
    if (dialect.name !== 'tsql' && (procedural || isTuple(segment))) {
      for (const { fills, value } of assignmentsIn(segment)) {
        pieces.push({ ...queryOf(script, value, known), fills, isSilent: true });
        const [name] = fills.names;
        if (name && value[0]?.word === 'SELECT') cursors.set(name, value);
      }
    }
    for (const tokens of statements) {
      const own = queries.find(({ query }) => query[0]?.start === tokens[0]?.start);
      if (own && !own.isStatement) continue;
      const piece = pieceOf(script, tokens, procedural, known);
      const isSilent = procedural && fillsVariables(tokens);
      const isBranch = isSilent && standsInBranch(segment, tokens);
      const fills = isBranch ? { names: [], whole: false, isBranch } : null;
      pieces.push(isSilent ? { ...piece, isSilent, fills } : withInto(piece, tokens, dialect));
    }
    segment.forEach((_token, at) => {
      if (procedural && runsMadeText(segment, at, { dialect, procedural })) {
        pieces.push(pieceOf(script, segment.slice(at), true, known));
      }
    });
    for (const body of stringBodies(segment, { dialect, procedural })) {
      const inner = tokenize(body.text, dialect.lexical);
      const offset = script.offset + body.start;
      const text = { ...script, sql: body.text, tokens: inner, offset, variables: known };
      pieces.push(...splitText(text, true));
    }
    if (block?.endsWith(segment)) {
      pieces.push(...withRows(opened.segment, pieces.splice(opened.pieces)));
      // A routine without SQL that could be read is still a statement of the script.
      const isSilent = pieces.slice(opened.pieces).every((piece) => piece.isSilent);
      if (isSilent && definesRoutine(opened.segment)) {
        const unread = isForeign(opened.segment) ? FOREIGN_BODY : null;
        pieces.push({ ...pieceOf(script, opened.segment, true, known), unread });
      }
      // A cursor that is opened, read or closed outside of a block.
      const isCursor = /^(?:CLOSE|FETCH|OPEN)$/.test(segment[0]?.word ?? '');
      const isPassed = !isBody && dialect.name !== 'tsql' && pieces.length === opened.pieces;
      if (isCursor && isPassed) pieces.push(pieceOf(script, segment, false, known));
      block = null;
    }
  });
  return pieces;
}

/** Why a statement is not read that runs a text which another one makes. */
export const MADE_TEXT =
  'The text that this runs is put together when it runs, so it cannot be read here.';
const MACRO =
  'A macro writes this statement: it is known which tables it is given, and not what it does with them.';
const FOREIGN_BODY =
  'The body of this routine is written in another language, so it cannot be read here.';

/** A text as the one piece that it is. */
export function wholePiece(text: string, tokens: readonly Token[]): Piece {
  return {
    ...{ text, tokens, start: 0, statement: 1, procedural: false, variables: new Set<string>() },
    ...{ isTemplate: false, hasBranches: false, fills: null, isSilent: false, unread: null },
  };
}

function pieceOf(
  script: Script,
  tokens: readonly Token[],
  procedural: boolean,
  variables: ReadonlySet<string>,
): Piece {
  const start = tokens[0]?.start ?? 0;
  const end = tokens.at(-1)?.end ?? start;
  const moved = script.offset === 0 ? tokens : tokens.map((token) => shifted(token, script.offset));
  return {
    text: procedural ? withoutColons(script.sql.slice(start, end)) : script.sql.slice(start, end),
    start: start + script.offset,
    tokens: moved,
    statement: script.statement,
    procedural,
    variables,
    isTemplate:
      script.hasBranches || (script.isTemplate && tokens.some(({ text }) => isTemplate(text))),
    hasBranches: script.hasBranches,
    fills: null,
    isSilent: false,
    unread: isMacro(tokens)
      ? MACRO
      : runsMadeText(tokens, 0, { dialect: script.dialect, procedural })
        ? MADE_TEXT
        : null,
  };
}

/** BigQuery's and Snowflake's `SET (a, b) = (SELECT ...)`. */
function isTuple(segment: readonly Token[]): boolean {
  return segment[0]?.word === 'SET' && segment[1]?.word === '(';
}

/** The rows that a trigger sees are those of its table. */
function rowsOfTrigger(script: Script, table: readonly Token[], known: ReadonlySet<string>): Piece {
  const piece = pieceOf(script, table, true, known);
  const fills = { names: ROWS_OF_TRIGGER, whole: true };
  return { ...piece, text: `SELECT * FROM ${piece.text}`, fills, isSilent: true };
}

/** A value as the query that gives it. */
function queryOf(script: Script, value: readonly Token[], known: ReadonlySet<string>): Piece {
  const piece = pieceOf(script, value, true, known);
  if (/^(?:SELECT|WITH)$/.test(value[0]?.word ?? '')) return piece;
  const select = { kind: 'word', text: 'SELECT', word: 'SELECT' } as const;
  const { start, text, tokens } = piece;
  return {
    ...piece,
    text: `SELECT ${text}`,
    tokens: [{ ...select, start, end: start }, ...tokens],
  };
}

/** A statement of procedural code without the INTO of its query: blanks keep the places right. */
function withInto(piece: Piece, tokens: readonly Token[], dialect: Dialect): Piece {
  const into = piece.procedural && !dialect.intoTable ? intoOf(tokens) : null;
  const origin = tokens[0]?.start;
  if (!into || origin === undefined) return piece;
  const [start, end] = [into.start - origin, into.end - origin];
  const text = piece.text.slice(0, start) + ' '.repeat(end - start) + piece.text.slice(end);
  const kept = piece.tokens.filter((_token, i) => {
    const at = tokens[i]?.start ?? 0;
    return at < into.start || at >= into.end;
  });
  const fills = { names: into.names, whole: into.names.length === 1, isValue: true };
  return { ...piece, text, tokens: kept, fills };
}

function shifted(token: Token, by: number): Token {
  return { ...token, start: token.start + by, end: token.end + by };
}

/** The tokens between separators, blank segments left out. */
function segmentsOf(sql: string, tokens: readonly Token[], dialect: Dialect): Token[][] {
  const segments: Token[][] = [];
  let current: Token[] = [];
  tokens.forEach((token, i) => {
    if (separates(sql, tokens, i, dialect)) {
      if (current.length > 0) segments.push(current);
      current = [];
      return;
    }
    // T-SQL's USE needs nothing behind it.
    if (dialect.name === 'tsql' && current.length === 2 && current[0]?.word === 'USE') {
      segments.push(current);
      current = [];
    }
    current.push(token);
  });
  if (current.length > 0) segments.push(current);
  return segments;
}

function separates(sql: string, tokens: readonly Token[], i: number, dialect: Dialect): boolean {
  const token = tokens[i];
  if (!token) return false;
  if (token.word === ';') return true;
  // `GO 20` runs what is before it so many times.
  if (token.kind === 'number' && tokens[i - 1]?.word === 'GO') {
    return separates(sql, tokens.slice(0, i), i - 1, dialect);
  }
  const isGo = dialect.name === 'tsql' && token.word === 'GO';
  const isSlash = dialect.name === 'oracle' && token.word === '/';
  if (!isGo && !isSlash) return false;
  const previous = tokens[i - 1];
  const next = tokens[i + 1];
  const startsLine = !previous || sql.slice(previous.end, token.start).includes('\n');
  const last = isGo && next?.kind === 'number' ? next : token;
  const behind = last === token ? next : tokens[i + 2];
  return startsLine && (!behind || sql.slice(last.end, behind.start).includes('\n'));
}
