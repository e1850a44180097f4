// Refuses trees that the parser made of what is no statement, or of which it left out a part.
import type { Dialect } from './dialect.ts';
import { type Failure, unclosed } from './failure.ts';
import { bodyOf, isSet, kindOf, listAt, textAt, walk } from './node.ts';
import { isNamePlace } from './repair/names.ts';
import type { Piece } from './tokens/piece.ts';
import { isOpenComment } from './tokens/tokens.ts';
import { words } from './word-set.ts';

/** Kinds that read or write columns. */
const TRACED = words(
  'select union intersect except values subquery paren pivot table insert update delete merge',
  'multitable_inserts create_table create_view copy load_data create_task prepare',
  'locking_statement export cache alter_view alter_table',
);

/** Statements of one word, or of a word and what it likes. */
const QUIET = words(
  'transaction commit rollback use set set_statement grant revoke comment analyze describe show',
  'kill refresh uncache pragma declare execute attach detach install summarize undrop put get',
  'truncate truncate_table query_band alter_session flashback_table split_table',
);
const ALONE =
  /^(?:ABORT|ANALYZE|BEGIN|CHECKPOINT|CLUSTER|COMMIT|END|RECONFIGURE|ROLLBACK|SHOW|SHUTDOWN|START|THROW|VACUUM)$/;

/** First words of statements that never carry columns from table to table. */
const PLAIN_COMMANDS = words(
  'ABORT ADD ALTER ANALYZE ASSERT ATTACH AUDIT BACKUP BEGIN CALL CHECKPOINT CLOSE CLUSTER COLLECT',
  'COMMENT COMMIT DBCC DEALLOCATE DECLARE DELIMITER DENY DESC DESCRIBE DETACH DISABLE DISCARD DROP',
  'ENABLE END EXCHANGE EXEC EXECUTE EXPLAIN FETCH FLUSH GET GRANT HELP IMPORT INSTALL INVALIDATE KILL',
  'LIST LISTEN LOCK LS MOVE MSCK NOAUDIT NOTIFY OPEN OPTIMIZE PRAGMA PREPARE PRINT PURGE PUT RAISERROR',
  'REASSIGN RECONFIGURE REFRESH REINDEX RELEASE REMOVE REPAIR RESET RESTORE REVERT REVOKE RM ROLLBACK',
  'SAVE SAVEPOINT SECURITY SET SHOW SHUTDOWN START STOP SYSTEM THROW TRUNCATE UNDROP UNLISTEN UNLOCK',
  'UNSET USE VACUUM WAITFOR',
);

/**
 * Whether a statement that the parser doesn't take, or only hands on as text, is one that lineage
 * may pass over: a command, or a CREATE of something that is neither table nor view.
 */
export function isPlainCommand(piece: Piece): boolean {
  const words = piece.tokens.slice(0, 8).map((token) => token.word);
  const first = words[0] ?? '';
  if (piece.tokens.length < 2) return ALONE.test(first);
  if (first === 'UPDATE') return words[1] === 'STATISTICS';
  // PostgreSQL loads a library; MySQL's DO calls a function, where PostgreSQL's runs a text.
  if (first === 'LOAD') return piece.tokens[1]?.kind === 'string';
  if (first === 'DO') return words[1] !== 'LANGUAGE' && words[2] === '(';
  if (first === 'CREATE' && words[1] !== 'TYPE') {
    // `CREATE STREAM s ON TABLE t` is about a table that is there.
    const on = words.indexOf('ON');
    const own = on < 0 ? words : words.slice(0, on);
    return !own.some((word) => /^(?:TABLE|VIEW)$/.test(word));
  }
  return first === 'CREATE' || PLAIN_COMMANDS.has(first);
}

/** What is wrong with the trees of a statement, or null. */
export function checkTrees(
  piece: Piece,
  trees: readonly unknown[],
  dialect: Dialect,
): Failure | null {
  const first = piece.tokens[0];
  if (!first) return null;
  const comment = piece.tokens.find(isOpenComment);
  if (comment) return unclosed(comment);
  let traced = false;
  for (const tree of trees) {
    const kind = kindOf(tree) ?? '';
    if (TRACED.has(kind)) traced = true;
    else if (!isQuiet(kind, piece)) return notAStatement(piece);
  }
  if (trees.length === 0) return notAStatement(piece);
  if (!traced) return null;
  // The parser takes an open dollar quote to reach to the end.
  const open = piece.tokens.find((each) => each.kind === 'broken' && each.text.startsWith('$'));
  if (open) return unclosed(open);
  return (
    emptySelect(piece, dialect) ??
    emptyInsert(piece, trees) ??
    lostTarget(piece, trees) ??
    lostCondition(trees, piece) ??
    lostInterval(piece) ??
    dropped(piece, trees)
  );
}

function isQuiet(kind: string, piece: Piece): boolean {
  if (kind === 'command' || kind === 'raw') return isPlainCommand(piece);
  const isOne = piece.tokens.length > 1 || ALONE.test(piece.tokens[0]?.word ?? '');
  return isOne && (QUIET.has(kind) || /^(?:create|drop|alter)_/.test(kind));
}

function notAStatement(piece: Piece): Failure {
  const first = piece.tokens[0];
  const text = first?.text ?? '';
  const shown = text.length > 40 ? `${text.slice(0, 40)}...` : text;
  const word = first?.word ?? '';
  const known = piece.tokens.length === 1 && (PLAIN_COMMANDS.has(word) || word === 'CREATE');
  const expected = known ? 'more' : 'a statement such as SELECT, INSERT or CREATE';
  const message = known
    ? `The statement ends right after '${shown}'.`
    : `Expected ${expected}, got '${shown}'.`;
  return { message, expected, offset: piece.start, final: false };
}

/** `SELECT` with nothing behind it; PostgreSQL alone allows `SELECT FROM t`. */
function emptySelect(piece: Piece, dialect: Dialect): Failure | null {
  for (const [i, token] of piece.tokens.entries()) {
    if (token.word !== 'SELECT' || isNamePlace(piece.tokens, i)) continue;
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

/** An INSERT without rows: the parser takes what follows the table for its alias. */
function emptyInsert(piece: Piece, trees: readonly unknown[]): Failure | null {
  const isEmpty = trees.some((tree) => {
    const body = kindOf(tree) === 'insert' ? bodyOf(tree) : null;
    const rows = ['source', 'default_values', 'function_target', 'directory'];
    if (!body || listAt(body, 'values').length > 0) return false;
    const query = kindOf(body.query);
    const hasQuery = query !== null && !/^(?:column|identifier|literal|alias|command)$/.test(query);
    return !hasQuery && !rows.some((field) => isSet(body, field));
  });
  if (!isEmpty) return null;
  const offset = piece.start + piece.text.length;
  const expected = 'VALUES or a query';
  return {
    message: `The INSERT ends where ${expected} was expected.`,
    expected,
    offset,
    final: false,
  };
}

/** `GRANT SELECT ...` and the like hold the word without a query. */
function isKeywordColumn(piece: Piece, i: number): boolean {
  return /^(?:GRANT|REVOKE|FOR|,)$/.test(piece.tokens[i - 1]?.word ?? '');
}

/** ClickHouse's `CREATE MATERIALIZED VIEW ... TO t`: behind REFRESH the parser drops the target. */
function lostTarget(piece: Piece, trees: readonly unknown[]): Failure | null {
  const to = piece.tokens.findIndex((token) => token.word === 'TO');
  const as = piece.tokens.findIndex((token) => token.word === 'AS');
  const [tree] = trees;
  const isView = kindOf(tree) === 'create_view' && isSet(bodyOf(tree), 'materialized');
  const hasRefresh = piece.tokens
    .slice(0, Math.max(to, 0))
    .some((token) => token.word === 'REFRESH');
  if (!isView || !hasRefresh || to > as || isSet(bodyOf(tree), 'to_table')) return null;
  const message = 'The parser could not read the target of this view.';
  return { message, expected: null, offset: piece.start, final: false };
}

/** `JOIN t FOR SYSTEM_TIME AS OF x ON ...`: the parser takes the condition for a part of the time. */
function lostCondition(trees: readonly unknown[], piece: Piece): Failure | null {
  let isLost = false;
  walk(trees, (value) => {
    if (/\s(?:ON|USING)\b/i.test(textAt(value, 'system_time') ?? '')) isLost = true;
  });
  if (!isLost) return null;
  const message = 'The parser could not read the condition of a join.';
  return { message, expected: null, offset: piece.start, final: false };
}

/** A column that is called `interval`, with an operator or AS behind it: the parser takes these for its value. */
function lostInterval({ tokens }: Piece): Failure | null {
  const lost = tokens.find(
    ({ word }, i) =>
      word === 'INTERVAL' &&
      tokens[i - 1]?.word !== '.' &&
      tokens[i - 1]?.word !== 'AS' &&
      isNamePlace(tokens, i) &&
      /^(?:AS|[-+*/%|&^=<>!])$/.test(tokens[i + 1]?.word ?? ''),
  );
  if (!lost) return null;
  const message = "The parser could not read the column 'interval'.";
  return { message, expected: null, offset: lost.start, final: false };
}

/** The parser drops some parts without a word; then there are more SELECTs than queries. */
function dropped(piece: Piece, trees: readonly unknown[]): Failure | null {
  let written = 0;
  for (const [i, token] of piece.tokens.entries()) {
    if (token.word === 'SELECT' && !isNamePlace(piece.tokens, i)) written++;
  }
  if (written < 2) return null;
  let read = 0;
  walk(trees, (value) => {
    if (kindOf(value) === 'select') read++;
  });
  if (read >= written) return null;
  const message = 'The parser could not read all of this statement.';
  return { message, expected: null, offset: piece.start, final: false };
}
