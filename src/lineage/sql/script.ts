// Traces a whole text of SQL in two steps, between which the caller looks up the tables.

import { invalidField } from '../../errors.ts';
import type { KnownTable, SqlError, SqlLineage, SqlQuestion, StatementLineage } from './answer.ts';
import { type Dialect, dialectNamed } from './dialect.ts';
import { fingerprintOf } from './fingerprint.ts';
import { type Parsed, parsePiece } from './parse.ts';
import { ParserBroken } from './parser.ts';
import { linesOf, placeOf } from './place.ts';
import { report } from './report.ts';
import { mentionedNames } from './scope/mention.ts';
import { openTables, type Tables } from './scope/table.ts';
import { type Piece, splitScript } from './tokens/split.ts';
import { tokenize } from './tokens/tokens.ts';
import { addEffect, traceStatement } from './trace/statement.ts';
import { note, openTrace, type Trace } from './trace/trace.ts';

/** A text that is parsed and waits for its tables. */
export interface Prepared {
  readonly question: SqlQuestion;
  readonly dialect: Dialect;
  readonly parts: readonly { piece: Piece; parsed: Parsed }[];
  readonly defaults: Tables['defaults'];
  /** The tables it mentions, with defaults, outermost part first. */
  readonly names: string[][];
  readonly fingerprint: string;
  /** The parser ended on one of the statements; nothing more can be parsed in this thread. */
  readonly broken: boolean;
}

const MOST_STATEMENTS = 5_000;

/** Split and parse a text. Throws BAD_REQUEST for an unknown dialect or too many statements. */
export function prepare(question: SqlQuestion): Prepared {
  const dialect = dialectNamed(question.dialect);
  const tokens = tokenize(question.sql, dialect.lexical);
  const pieces = splitScript(question.sql, tokens, dialect);
  if (pieces.length > MOST_STATEMENTS) {
    throw invalidField(
      'sql',
      `has ${pieces.length} statements; at most ${MOST_STATEMENTS} are read.`,
    );
  }
  const parts: { piece: Piece; parsed: Parsed }[] = [];
  let broken = false;
  for (const piece of pieces) {
    const parsed = broken ? notReached(piece) : parseSafely(piece, dialect);
    if (parsed === null) broken = true;
    parts.push({ piece, parsed: parsed ?? tooMuch(piece) });
  }
  const defaults = {
    database: question.defaultDatabase || null,
    schema: question.defaultSchema || null,
  };
  const trees = parts.flatMap(({ parsed }) => parsed.trees);
  const names = mentionedNames(trees, defaults);
  const fingerprint = fingerprintOf(tokens);
  return { question, dialect, parts, defaults, names, fingerprint, broken };
}

/** The parsed statement, or null when the parser ended on it. */
function parseSafely(piece: Piece, dialect: Dialect): Parsed | null {
  try {
    return parsePiece(piece, dialect);
  } catch (error) {
    if (error instanceof ParserBroken || error instanceof RangeError) return null;
    throw error;
  }
}

function tooMuch(piece: Piece): Parsed {
  return refused(piece, 'The parser failed on this statement.');
}

function notReached(piece: Piece): Parsed {
  return refused(piece, 'This statement was not read, for the parser ended on one before it.');
}

function refused(piece: Piece, message: string): Parsed {
  const failure = { message, expected: null, offset: piece.start, final: true };
  return { trees: [], failure, rewritten: null };
}

// Outputs and their sources, over all statements of a text.
const MOST_COLUMNS = 100_000;

/**
 * Trace the statements in order: what one makes, the next ones know. Statements that are no SQL
 * become errors; inside procedures, whose languages the parser doesn't know, only diagnostics.
 */
export function finish(prepared: Prepared, known: readonly KnownTable[]): SqlLineage {
  const { question, dialect, parts, defaults } = prepared;
  const tables = openTables(dialect, defaults, known);
  const budget = { left: MOST_COLUMNS };
  const lines = linesOf(question.sql);
  const statements: StatementLineage[] = [];
  const errors: SqlError[] = [];
  const traced: { piece: Piece; traces: Trace[] }[] = [];
  for (const { piece, parsed } of parts) {
    const { failure } = parsed;
    if (failure && !piece.procedural) {
      const { message, expected, offset } = failure;
      const place = placeOf(lines, offset);
      errors.push({ statement: piece.statement, message, expected, ...place });
    } else traced.push({ piece, traces: tracesOf(piece, parsed, tables) });
  }
  // Only now, for a later statement may have renamed a table that an earlier one wrote.
  const expressions = question.expressions === true;
  for (const { piece, traces } of traced) {
    const reporting = { lines, piece, dialect, expressions, budget };
    for (const trace of traces) statements.push(...report(trace, reporting));
  }
  return {
    dialect: dialect.name,
    fingerprint: prepared.fingerprint,
    statements,
    errors,
  };
}

/** The traces of a statement: several when it was taken apart. */
function tracesOf(piece: Piece, parsed: Parsed, tables: Tables): Trace[] {
  const open = () => openTrace(tables, piece.variables, piece.procedural);
  if (parsed.failure) {
    const trace = open();
    const message = `A statement in this block was not understood: ${parsed.failure.message}`;
    note(trace, { code: 'SKIPPED', message, about: [] });
    addEffect(trace, 'OTHER', null);
    return [trace];
  }
  return parsed.trees.map((tree) => {
    const trace = open();
    if (parsed.rewritten) {
      note(trace, {
        code: 'REWRITTEN',
        message: `Before parsing, ${parsed.rewritten}.`,
        about: [],
      });
    }
    traceStatement(trace, tree);
    return trace;
  });
}
