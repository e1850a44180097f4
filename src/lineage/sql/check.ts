// Refuses trees that the parser made of what is no statement, or of which it left out a part.
import type { Dialect } from './dialect.ts';
import type { Failure } from './failure.ts';
import { kindOf, walk } from './node.ts';
import type { Piece } from './split.ts';

/** Kinds that read or write columns. */
const TRACED = new Set([
  'select',
  'union',
  'intersect',
  'except',
  'values',
  'subquery',
  'paren',
  'pivot',
  'table',
  'insert',
  'update',
  'delete',
  'merge',
  'multitable_inserts',
  'create_table',
  'create_view',
  'copy',
  'load_data',
  'create_task',
  'prepare',
  'locking_statement',
  'export',
  'cache',
  'alter_view',
  'alter_table',
]);

/** Statements of one word, or of a word and what it likes. */
const QUIET = new Set(
  (
    'transaction commit rollback use set set_statement grant revoke comment analyze describe show ' +
    'kill refresh uncache pragma declare execute attach detach install summarize undrop put get ' +
    'truncate truncate_table query_band alter_session flashback_table split_table'
  ).split(' '),
);
const ALONE = /^(?:BEGIN|COMMIT|ROLLBACK|END|START|SHOW|VACUUM|CHECKPOINT|ANALYZE)$/;

/** First words of statements that the parser hands on as they are. */
const COMMANDS =
  /^(?:ABORT|ALTER|ANALYZE|ASSERT|ATTACH|BEGIN|CALL|CHECKPOINT|CLOSE|CLUSTER|COLLECT|COMMENT|COMMIT|CREATE|DEALLOCATE|DECLARE|DELIMITER|DENY|DESC|DESCRIBE|DETACH|DISCARD|DROP|END|EXCHANGE|EXEC|EXECUTE|EXPLAIN|EXPORT|FETCH|FLUSH|GET|GRANT|HELP|IMPORT|INSTALL|INVALIDATE|KILL|LIST|LISTEN|LOAD|LOCK|MSCK|NOTIFY|OPEN|OPTIMIZE|PRAGMA|PRINT|PURGE|PUT|REASSIGN|REFRESH|REINDEX|RELEASE|REMOVE|REPAIR|RESET|REVOKE|RM|ROLLBACK|SAVEPOINT|SET|SHOW|START|SYSTEM|TRUNCATE|UNDROP|UNLISTEN|UNLOCK|UNSET|UPDATE STATISTICS|USE|VACUUM|WAITFOR|WATCH)$/;

/** What is wrong with the trees of a statement, or null. */
export function checkTrees(
  piece: Piece,
  trees: readonly unknown[],
  dialect: Dialect,
): Failure | null {
  const first = piece.tokens[0];
  if (!first) return null;
  let traced = false;
  for (const tree of trees) {
    const kind = kindOf(tree) ?? '';
    if (TRACED.has(kind)) traced = true;
    else if (!isQuiet(kind, piece)) return notAStatement(piece);
  }
  if (trees.length === 0) return notAStatement(piece);
  return traced ? (emptySelect(piece, dialect) ?? dropped(piece, trees)) : null;
}

function isQuiet(kind: string, piece: Piece): boolean {
  const word = piece.tokens[0]?.word ?? '';
  const isAlone = piece.tokens.length === 1;
  if (isAlone) return ALONE.test(word);
  if (kind === 'command' || kind === 'raw') return COMMANDS.test(word) && !makesTable(piece);
  return QUIET.has(kind) || /^(?:create|drop|alter)_/.test(kind);
}

/** A CREATE that the parser doesn't know, but that makes a table from a query: a rewrite may help. */
function makesTable(piece: Piece): boolean {
  const words = piece.tokens.slice(0, 12).map((token) => token.word);
  if (words[0] !== 'CREATE' && words[0] !== 'REPLACE') return words[0] === 'RENAME' || words[0] === 'UNLOAD';
  const isTable = words.some((word) => word === 'TABLE' || word === 'VIEW');
  return isTable && piece.tokens.some((token) => token.word === 'SELECT' || token.word === 'FROM');
}

function notAStatement(piece: Piece): Failure {
  const first = piece.tokens[0];
  const text = first?.text ?? '';
  const shown = text.length > 40 ? `${text.slice(0, 40)}...` : text;
  const known = piece.tokens.length === 1 && COMMANDS.test(first?.word ?? '');
  const expected = known ? 'more' : 'a statement such as SELECT, INSERT or CREATE';
  const message = known
    ? `The statement ends right after '${shown}'.`
    : `Expected ${expected}, got '${shown}'.`;
  return { message, expected, offset: piece.start, final: false };
}

/** `SELECT` with nothing behind it; PostgreSQL alone allows `SELECT FROM t`. */
function emptySelect(piece: Piece, dialect: Dialect): Failure | null {
  for (const [i, token] of piece.tokens.entries()) {
    if (token.word !== 'SELECT' || piece.tokens[i - 1]?.word === '.') continue;
    let next = piece.tokens[i + 1];
    if (next?.word === 'ALL' || next?.word === 'DISTINCT') next = piece.tokens[i + 2];
    const word = next ? next.word : ')';
    const bare = word === 'FROM' && dialect.name !== 'postgres' && !isKeywordColumn(piece, i);
    if (!/^(?:\)|UNION|EXCEPT|INTERSECT|WHERE)$/.test(word) && !bare) continue;
    const message = 'This SELECT has no columns.';
    return { message, expected: 'columns', offset: token.end, final: false };
  }
  return null;
}

/** `GRANT SELECT ...` and the like hold the word without a query. */
function isKeywordColumn(piece: Piece, i: number): boolean {
  return /^(?:GRANT|REVOKE|FOR|,)$/.test(piece.tokens[i - 1]?.word ?? '');
}

/** The parser drops some parts without a word; then there are more SELECTs than queries. */
function dropped(piece: Piece, trees: readonly unknown[]): Failure | null {
  let written = 0;
  for (const token of piece.tokens) if (token.word === 'SELECT') written++;
  if (written < 2) return null;
  let read = 0;
  walk(trees, (value) => {
    if (kindOf(value) === 'select') read++;
  });
  if (read >= written) return null;
  const message = 'The parser could not take in all of this statement.';
  return { message, expected: null, offset: piece.start, final: false };
}
