// Parses one statement, trying rewrites for what the parser doesn't take as it is written.
import { checkTrees, isPlainCommand } from './check.ts';
import type { Dialect } from './dialect.ts';
import { explain, type Failure } from './failure.ts';
import { beyondLimits } from './limit.ts';
import { isNode } from './node.ts';
import { parseText } from './parser.ts';
import { withQuotedNames } from './repair/names.ts';
import { rewritesOf } from './repair/salvage.ts';
import { substituteFor } from './repair/substitute.ts';
import { intervalColumns, repairSetOperations, spreadQuotedPaths } from './repair/tree-repair.ts';
import type { Rewrite } from './repair/written.ts';
import { keepWrittenNames } from './scope/written-name.ts';
import type { Piece } from './tokens/piece.ts';
import { tokenize } from './tokens/tokens.ts';

/** The trees of a statement, or why there are none. */
export interface Parsed {
  /** More than one when the statement had to be taken apart. */
  readonly trees: readonly unknown[];
  readonly failure: Failure | null;
  /** Set when the text was changed before the parser took it: in which way. */
  readonly rewritten: string | null;
}

/**
 * The tree of a statement. What the parser doesn't take, or takes without understanding it, is
 * tried again with the rewrites of `salvage.ts`; a failure is that of the text as it was written.
 * Throws ParserBroken when the parser's WebAssembly ends.
 */
export function parsePiece(piece: Piece, dialect: Dialect): Parsed {
  const beyond = beyondLimits(piece);
  if (beyond) return { trees: [], failure: beyond, rewritten: null };
  const substitute = substituteFor(piece, dialect);
  const read = substitute ? tryRewrite(piece, substitute, dialect) : null;
  if (substitute && read) return { trees: read, failure: null, rewritten: substitute.what };
  const first = attempt(piece, dialect);
  if (!first.failure || first.failure.final) return first;
  const named = quoting(piece, first.failure, dialect);
  if (named) return { trees: named, failure: null, rewritten: 'words were read as names' };
  for (const rewrite of rewritesOf(piece, dialect)) {
    const trees = tryRewrite(piece, rewrite, dialect);
    if (trees) return { trees, failure: null, rewritten: rewrite.what };
  }
  return first;
}

/** A statement that was refused, as the command that it is; null where lineage may not pass over it. */
export function asCommand(piece: Piece, { failure }: Parsed): Parsed | null {
  if (!failure || failure.final || !isPlainCommand(piece)) return null;
  return { trees: [{ command: { this: piece.text } }], failure: null, rewritten: null };
}

function tryRewrite(piece: Piece, rewrite: Rewrite, dialect: Dialect): unknown[] | null {
  const trees: unknown[] = [];
  for (const text of rewrite.texts) {
    const tokens = tokenize(text, dialect.lexical);
    const own = { ...piece, text, tokens, start: 0 };
    const parsed = attempt(own, dialect);
    const read = parsed.failure ? quoting(own, parsed.failure, dialect) : parsed.trees;
    if (!read) return null;
    trees.push(...read.map((tree) => (rewrite.mend ? rewrite.mend(tree) : tree)));
  }
  return trees.length > 0 ? trees : null;
}

/** The trees of a refused statement whose names are words that the parser keeps for itself, or null. */
function quoting(piece: Piece, failure: Failure, dialect: Dialect): readonly unknown[] | null {
  if (failure.final || failure.offset <= piece.start) return null;
  return withQuotedNames(piece.text, failure.offset - piece.start, dialect, (text) => {
    const tokens = tokenize(text, dialect.lexical);
    const tried = attempt({ ...piece, text, tokens, start: 0 }, dialect);
    return { result: tried.trees, refusedAt: tried.failure?.offset ?? null };
  });
}

const SET_OPERATION = /^(?:UNION|INTERSECT|EXCEPT|MINUS)$/;

function attempt(piece: Piece, dialect: Dialect): Parsed {
  const { trees: answer, error, errorStart } = parseText(piece.text, dialect);
  if (!answer) return { trees: [], failure: explain(piece, error, errorStart), rewritten: null };
  const combines = piece.tokens.some((token) => SET_OPERATION.test(token.word));
  const hasIntervals = piece.tokens.some(({ word }) => word === 'INTERVAL');
  const trees = answer
    .filter(isNode)
    .map((tree) => (hasIntervals ? intervalColumns(tree) : tree))
    .map((tree) => (dialect.unnamed === 'function' ? keepWrittenNames(tree, piece.tokens) : tree))
    .map((tree) => (combines ? repairSetOperations(tree) : tree))
    .map((tree) => (dialect.quotedPaths ? spreadQuotedPaths(tree) : tree));
  const failure = checkTrees(piece, trees, dialect);
  return { trees: failure ? [] : trees, failure, rewritten: null };
}

/** A statement on which the parser ended. */
export function tooMuch(piece: Piece): Parsed {
  return refused(piece, 'The parser failed on this statement.');
}

/** A statement behind one on which the parser ended. */
export function notReached(piece: Piece): Parsed {
  return refused(piece, 'This statement was not read, because the parser ended on one before it.');
}

/** A statement that is not even tried. */
export function refused(piece: Piece, message: string): Parsed {
  const failure = { message, expected: null, offset: piece.start, final: true };
  return { trees: [], failure, rewritten: null };
}
