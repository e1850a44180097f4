// Offers other texts for a statement that the parser doesn't take, with the same lineage.

import type { Dialect } from '../dialect.ts';
import type { Piece } from '../tokens/piece.ts';
import { tokenize } from '../tokens/tokens.ts';
import { editsFor } from './phrase.ts';
import { nestedPipes, pipeToQuery } from './pipe.ts';
import {
  assignTuple,
  cloneTable,
  createAs,
  handOver,
  insertFromProcedure,
  multiInsert,
  renameTables,
  wrapWithQuery,
} from './rewrite.ts';
import { deleteUsingQuery, mergeStars } from './rewrite-change.ts';
import { fileLoad, quotedQuery } from './rewrite-file.ts';
import { definition } from './table-definition.ts';
import { applyEdits } from './text-edit.ts';
import type { Rewrite, Written } from './written.ts';

type Rule = (written: Written) => Rewrite | null;

const RULES: readonly Rule[] = [
  pipeToQuery,
  createAs,
  cloneTable,
  assignTuple,
  multiInsert,
  wrapWithQuery,
  renameTables,
  handOver,
  quotedQuery,
  fileLoad,
  insertFromProcedure,
  mergeStars,
  deleteUsingQuery,
  nestedPipes,
  definition,
];

/**
 * Other texts to try, the nearest first: small edits within the statement, then other forms of it,
 * each on the edited text too. Nothing here adds a table or a column that wasn't in the text.
 */
export function* rewritesOf(piece: Piece, dialect: Dialect): Generator<Rewrite> {
  const written = read(piece.text, dialect);
  const edits = editsFor(written, dialect.phrases);
  const edited = edits.length > 0 ? read(applyEdits(piece.text, edits), dialect) : written;
  if (edits.length > 0) {
    const what = [...new Set(edits.map((edit) => edit.what))].join(', ');
    yield { what, texts: [edited.text] };
  }
  for (const rule of RULES) {
    const rewrite = rule(edited);
    if (rewrite) yield rewrite;
  }
}

function read(text: string, dialect: Dialect): Written {
  return { text, tokens: tokenize(text, dialect.lexical), dialect };
}
