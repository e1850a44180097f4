// Traces a whole text of SQL in two steps, between which the caller looks up the tables.

import { invalidField } from '../../errors.ts';
import type { KnownTable, SqlError, SqlLineage, SqlQuestion, StatementLineage } from './answer.ts';
import { type Dialect, dialectNamed } from './dialect.ts';
import { fingerprintOf } from './fingerprint.ts';
import { otherLanguage } from './language.ts';
import { bodyOf, tablePath } from './node.ts';
import { asCommand, notReached, type Parsed, parsePiece, refused, tooMuch } from './parse.ts';
import { ParserBroken } from './parser.ts';
import { linesOf, placeOf } from './place.ts';
import { tablesOfVariables } from './repair/tree-repair.ts';
import { report } from './report.ts';
import { type Defaults, defaultsAfter } from './scope/default-names.ts';
import { mentionedNames } from './scope/mention.ts';
import { merged, type Relation, renamed } from './scope/relation.ts';
import { openTables, type Tables } from './scope/table.ts';
import type { Filled } from './tokens/cursor.ts';
import { runsMadeText } from './tokens/made-text.ts';
import type { Piece } from './tokens/piece.ts';
import { plainText } from './tokens/plain-text.ts';
import { MADE_TEXT, splitScript, wholePiece } from './tokens/split.ts';
import { hasBranches } from './tokens/template-block.ts';
import {
  asWritten,
  isMacro,
  readTemplates,
  tablesOfMacro,
  tablesOfSettings,
} from './tokens/templated.ts';
import { tokenize } from './tokens/tokens.ts';
import { fillsVariables, tsqlStatements } from './tokens/tsql.ts';
import { addEffect, traceStatement } from './trace/statement.ts';
import { heldSources, note, openTrace, readTable, type Trace } from './trace/trace.ts';

/** A statement, and where its short names lie. */
interface Part {
  readonly piece: Piece;
  readonly parsed: Parsed;
  readonly defaults: Defaults;
}

/** A text that is parsed and waits for its tables. */
export interface Prepared {
  readonly question: SqlQuestion;
  readonly dialect: Dialect;
  readonly parts: readonly Part[];
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
  const sql = readTemplates(plainText(question.sql, dialect), dialect.lexical);
  const tokens = tokenize(sql, dialect.lexical);
  const language = otherLanguage(question.sql);
  const pieces = language
    ? [wholePiece(sql, tokens)]
    : splitScript(sql, tokens, dialect, hasBranches(question.sql));
  if (pieces.length > MOST_STATEMENTS) {
    throw invalidField(
      'sql',
      `has ${pieces.length} statements; at most ${MOST_STATEMENTS} are read.`,
    );
  }
  const parts: Part[] = [];
  let broken = false;
  let defaults: Defaults = {
    database: question.defaultDatabase || null,
    schema: question.defaultSchema || null,
  };
  const variables = tablesOfSettings(question.sql);
  const parse = (piece: Piece): Parsed => {
    if (language) return refused(piece, `This is ${language}, which is not read: only SQL is.`);
    if (isMacro(piece.tokens)) return macro(piece);
    const parsed = broken ? notReached(piece) : parseSafely(piece, dialect);
    if (parsed === null) broken = true;
    if (parsed && variables.size > 0) tablesOfVariables(parsed.trees, variables);
    return parsed ?? tooMuch(piece);
  };
  for (const whole of pieces) {
    const apart = language ? null : readApart(whole, dialect, parse);
    defaults = defaultsAfter(whole.tokens, defaults, dialect);
    for (const one of apart ?? readWhole(whole, parse)) parts.push({ ...one, defaults });
  }
  const names = namesIn(parts);
  const fingerprint = fingerprintOf(tokens);
  return { question, dialect, parts, names, fingerprint, broken };
}

type Read = Omit<Part, 'defaults'>;

function readWhole(piece: Piece, parse: (piece: Piece) => Parsed): Read[] {
  const parsed = parse(piece);
  return [{ piece, parsed: asCommand(piece, parsed) ?? parsed }];
}

/**
 * The statements of a piece of T-SQL, which takes one behind another without anything between them. Null where it is
 * one, and where it can be read as one but not apart: what seems to begin a statement may be a part of one.
 */
function readApart(whole: Piece, dialect: Dialect, parse: (piece: Piece) => Parsed): Read[] | null {
  if (dialect.name !== 'tsql') return null;
  const statements = tsqlStatements(whole.tokens, true);
  if (statements.length < 2 && statements[0]?.[0] === whole.tokens[0]) return null;
  const read = statements.flatMap((tokens, i) => {
    const start = tokens[0]?.start ?? whole.start;
    const text = whole.text.slice(start - whole.start, (tokens.at(-1)?.end ?? start) - whole.start);
    // A cursor holds the rows of its query, which is the first of them.
    const own = { ...whole, text, start, tokens, fills: i === 0 ? whole.fills : null };
    // A variable that gets a value is no statement of the answer.
    const isSilent = whole.isSilent || fillsVariables(tokens);
    return readWhole({ ...own, unread: null, isSilent }, parse);
  });
  const failed = read.filter(({ parsed }) => parsed.failure);
  if (read.length === 0 || failed.length === read.length) return null;
  if (failed.length > 0 && !parse(whole).failure) return null;
  const note = 'statements without semicolons were taken apart';
  const noted = read.map(({ piece, parsed }) => {
    const rewritten = [note, parsed.rewritten ?? []].flat().join(', ');
    return { piece, parsed: { ...parsed, rewritten } };
  });
  return [...noted, ...textsRun(whole, dialect)];
}

/** The statements among those of a piece that run a text which is not there to be read. */
function textsRun(whole: Piece, dialect: Dialect): Read[] {
  const { tokens, procedural } = whole;
  // In a procedure they are pieces of their own.
  if (procedural) return [];
  const runs = tokens.filter((_token, at) => runsMadeText(tokens, at, { dialect, procedural }));
  const parsed = { trees: [], failure: null, rewritten: null };
  return runs.map(({ start }) => ({ piece: { ...whole, start, unread: MADE_TEXT }, parsed }));
}

/** The names in all statements, each once; those with equal defaults are looked through together. */
function namesIn(parts: readonly Part[]): string[][] {
  const byDefaults = new Map<Defaults, unknown[]>();
  for (const { parsed, defaults } of parts) {
    const trees = byDefaults.get(defaults) ?? [];
    byDefaults.set(defaults, [...trees, ...parsed.trees]);
  }
  const all = [...byDefaults].flatMap(([defaults, trees]) => mentionedNames(trees, defaults));
  return [...new Map(all.map((path) => [path.join('\u0000'), path])).values()];
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

/** What is known of a macro that writes a statement: the tables that it is given. */
function macro(piece: Piece): Parsed {
  const trees = tablesOfMacro(piece.text).map((path) => {
    const [schema, name] = path.map((part) => ({ name: part, quoted: false }));
    return { table: { name, schema, catalog: null } };
  });
  return { trees, failure: null, rewritten: null };
}

// Outputs and their sources, over all statements of a text.
const MOST_COLUMNS = 100_000;

/**
 * Trace the statements in order: what one makes, the next ones know. Statements that are no SQL
 * become errors; inside procedures, whose languages the parser doesn't know, only diagnostics.
 */
export function finish(prepared: Prepared, known: readonly KnownTable[]): SqlLineage {
  const { question, dialect, parts } = prepared;
  const none: Defaults = { database: null, schema: null };
  const filled = new Map<string, Relation>();
  const tables = openTables(dialect, parts[0]?.defaults ?? none, known, question.self ?? null);
  const budget = { left: MOST_COLUMNS };
  const lines = linesOf(question.sql);
  const statements: StatementLineage[] = [];
  const errors: SqlError[] = [];
  const traced: { piece: Piece; traces: Trace[] }[] = [];
  for (const { piece, parsed, defaults } of parts) {
    tables.defaults = defaults;
    const { failure } = parsed;
    if (failure && !piece.procedural && piece.unread === null) {
      const { message, expected, offset } = failure;
      const place = placeOf(lines, offset);
      errors.push({
        statement: piece.statement,
        message: asWritten(message),
        expected,
        ...place,
      });
    } else {
      const traces = tracesOf(piece, parsed, tables, filled);
      if (piece.fills) fill(filled, piece.fills, traces);
      if (!piece.isSilent) traced.push({ piece, traces });
    }
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

/** A cursor or the record of a loop holds the rows of its query, variables a column each. */
function fill(filled: Map<string, Relation>, fills: Filled, traces: readonly Trace[]): void {
  const [trace] = traces;
  const given = trace?.returned ?? traces.flatMap(({ effects }) => effects).at(0)?.relation;
  if (!trace || !given) return;
  const columns = given.columns.map((column) => ({
    ...column,
    sources: heldSources(trace, column.sources),
  }));
  const relation = { columns, open: given.open };
  const called = (fills.columns ?? []).map((text) => ({ name: text, quoted: false }));
  fills.names.forEach((name, i) => {
    const column = relation.columns[i];
    const held = fills.whole
      ? renamed(relation, called)
      : column
        ? { columns: [column], open: [] }
        : null;
    if (!held) return;
    const before = fills.isBranch ? filled.get(name) : undefined;
    const isKnown = held.open.length > 0 || held.columns.some(({ sources }) => sources.size > 0);
    if (before) filled.set(name, merged(before, held, false));
    else if (isKnown || !fills.isValue) filled.set(name, held);
    else filled.delete(name);
  });
}

/** The traces of a statement: several when it was taken apart. */
function tracesOf(
  piece: Piece,
  parsed: Parsed,
  tables: Tables,
  filled: Map<string, Relation>,
): Trace[] {
  const open = () =>
    openTrace(tables, filled, piece.variables, piece.procedural, piece.fills?.isBranch);
  if (piece.unread !== null) {
    const trace = open();
    note(trace, { code: 'INCOMPLETE', message: piece.unread, about: [] });
    for (const tree of isMacro(piece.tokens) ? parsed.trees : []) {
      readTable(trace, tablePath(bodyOf(tree)));
    }
    addEffect(trace, trace.sources.size > 0 ? 'SELECT' : 'OTHER', null);
    return [trace];
  }
  if (parsed.failure) {
    const trace = open();
    const message = `A statement in this block was not understood: ${parsed.failure.message}`;
    note(trace, { code: 'INCOMPLETE', message, about: [] });
    addEffect(trace, 'OTHER', null);
    return [trace];
  }
  return parsed.trees.map((tree) => {
    const trace = open();
    if (piece.isTemplate) {
      const message = piece.hasBranches
        ? 'Templates were read as names, and of their branches the first.'
        : 'Templates were read as names.';
      note(trace, { code: 'REWRITTEN', message, about: [] });
    }
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
