// Reads statements that move rows in words of their own as the statement that does the same.

import type { Piece } from '../tokens/piece.ts';
import { isName, pathEnd, type Token, wordAt } from '../tokens/tokens.ts';
import { hasMarks, markedQueries } from './recursion.ts';
import { applyEdits, closing, textOf } from './text-edit.ts';
import type { Rewrite, Spoken, Written } from './written.ts';

/**
 * The statement that one amounts to, or null. Tried first, for the parser takes many of these as
 * commands whose text it hands on.
 */
export function substituteFor(piece: Piece, dialect: Spoken): Rewrite | null {
  const isMarked = hasMarks(piece.tokens);
  const rules = isMarked ? [markedRecursion] : SUBSTITUTES.get(piece.tokens[0]?.word ?? '');
  if (!rules) return null;
  const { start } = piece;
  const tokens = piece.tokens.map((token) => {
    return { ...token, start: token.start - start, end: token.end - start };
  });
  const written = { text: piece.text, tokens, dialect };
  for (const rule of rules) {
    const found = rule(written);
    if (found) return found;
  }
  return null;
}

const SUBSTITUTES = new Map([
  ['CREATE', [streamOfTable, streamOfQuery, synonym, flow]],
  ['ALTER', [mutation, switchedPartition]],
  ['APPLY', [changesApplied]],
  ['AUTO', [changesApplied]],
  ['BULK', [bulkInsert]],
  ['EXECUTE', [statementSet]],
  ['UPDATE', [updatedQuery]],
  ['INSERT', [recordInserted]],
]);

/** SEARCH and CYCLE behind a CTE. */
function markedRecursion({ text, tokens }: Written): Rewrite | null {
  const edits = markedQueries(tokens);
  const [first] = edits;
  return first ? { what: first.what, texts: [applyEdits(text, edits)] } : null;
}

/** Snowflake's `CREATE STREAM s ON TABLE t`: the rows of t that changed. */
function streamOfTable(written: Written): Rewrite | null {
  const { tokens } = written;
  const kind = indexOf(tokens, 'STREAM');
  const on = indexOf(tokens, 'ON');
  if (kind < 0 || kind > 3 || on < 0) return null;
  let table = on + 1;
  while (/^(?:TABLE|VIEW|EXTERNAL|DYNAMIC)$/.test(wordAt(tokens, table))) table++;
  const name = pathAt(written, behindExists(tokens, kind + 1));
  const of = pathAt(written, table);
  if (table === on + 1 || !name || !of) return null;
  return viewOf(name, of, 'a stream was read as a view of its table');
}

/** ksqlDB's `CREATE STREAM s WITH (...) AS SELECT ... EMIT CHANGES`. */
function streamOfQuery(written: Written): Rewrite | null {
  const { tokens } = written;
  const kind = indexOf(tokens, 'STREAM');
  const as = tokens.findIndex(({ word }, i) => word === 'AS' && wordAt(tokens, i + 1) === 'SELECT');
  const name = kind > 0 && kind < 4 ? pathAt(written, behindExists(tokens, kind + 1)) : null;
  if (!name || as < 0) return null;
  const emit = indexOf(tokens, 'EMIT');
  const query = textOf(written, as + 1, (emit < 0 ? tokens.length : emit) - 1);
  return { what: 'a stream was read as a table', texts: [`CREATE TABLE ${name} AS ${query}`] };
}

/** `CREATE SYNONYM s FOR t`. */
function synonym(written: Written): Rewrite | null {
  const { tokens } = written;
  const kind = indexOf(tokens, 'SYNONYM');
  const end = indexOf(tokens, 'FOR');
  if (kind < 0 || kind > 5 || end < 0) return null;
  const name = pathAt(written, kind + 1);
  const of = pathAt(written, end + 1);
  return name && of ? viewOf(name, of, 'a synonym was read as a view of its table') : null;
}

function viewOf(name: string, of: string, what: string): Rewrite {
  return { what, texts: [`CREATE VIEW ${name} AS SELECT * FROM ${of}`] };
}

/** Databricks' `CREATE FLOW f AS INSERT INTO t BY NAME SELECT ...`, or AUTO CDC. */
function flow(written: Written): Rewrite | null {
  const { tokens } = written;
  const as = indexOf(tokens, 'AS');
  if (wordAt(tokens, 1) !== 'FLOW' || as < 0) return null;
  if (wordAt(tokens, as + 1) === 'AUTO') return changesApplied(written);
  const text = textOf(written, as + 1, tokens.length - 1);
  return { what: 'the name of a flow was left out', texts: [text] };
}

/** ClickHouse's `ALTER TABLE t UPDATE a = b WHERE c` and `ALTER TABLE t DELETE WHERE c`. */
function mutation(written: Written): Rewrite | null {
  const { tokens, dialect } = written;
  if (dialect.name !== 'clickhouse') return null;
  const at = tokens.findIndex(({ word }) => word === 'UPDATE' || word === 'DELETE');
  const path = pathAt(written, 2);
  if (at < 3 || at > 12 || !path) return null;
  const rest = textOf(written, at + 1, tokens.length - 1);
  const isUpdate = wordAt(tokens, at) === 'UPDATE';
  const text = isUpdate ? `UPDATE ${path} SET ${rest}` : `DELETE FROM ${path} ${rest}`;
  return { what: 'a mutation was read as a statement of its own', texts: [text] };
}

/** T-SQL's `ALTER TABLE a SWITCH PARTITION 1 TO b` hands rows of a over to b. */
function switchedPartition(written: Written): Rewrite | null {
  const { tokens } = written;
  const at = indexOf(tokens, 'SWITCH');
  const to = tokens.findIndex(({ word }, i) => i > at && word === 'TO');
  const [from, into] = [pathAt(written, 2), pathAt(written, to + 1)];
  if (at < 0 || to < 0 || !from || !into) return null;
  const what = 'a partition that is switched was read as an INSERT';
  return { what, texts: [`INSERT INTO ${into} SELECT * FROM ${from}`] };
}

/**
 * Databricks' `APPLY CHANGES INTO t FROM s KEYS (k) APPLY AS DELETE WHEN d SEQUENCE BY x COLUMNS ...`,
 * which is called AUTO CDC as well.
 */
function changesApplied(written: Written): Rewrite | null {
  const { tokens } = written;
  const into = indexOf(tokens, 'INTO');
  const from = tokens.findIndex(({ word }, i) => i > into && word === 'FROM');
  const keys = tokens.findIndex(({ word }, i) => i > from && word === 'KEYS');
  const target = pathAt(written, into + 1);
  if (into < 0 || from < 0 || keys < 0 || !target) return null;
  const close = closing(tokens, keys + 1);
  const names = tokens.slice(keys + 2, close).filter(({ word }) => word !== ',');
  const on = names.map(({ text }) => `_target.${text} = _changes.${text}`).join(' AND ');
  const source = textOf(written, from + 1, keys - 1);
  const list = chosenColumns(written, close);
  const text =
    `MERGE INTO ${target} AS _target USING (SELECT ${list} FROM ${source}) AS _changes ON ${on} ` +
    'WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *';
  return { what: 'changes that are applied were read as a MERGE', texts: [text] };
}

/** The columns behind COLUMNS: a list, or a star without some. */
function chosenColumns(written: Written, from: number): string {
  const { tokens } = written;
  const at = tokens.findIndex(({ word }, i) => i > from && word === 'COLUMNS');
  if (at < 0) return '*';
  if (wordAt(tokens, at + 1) === '(') {
    return textOf(written, at + 2, closing(tokens, at + 1) - 1);
  }
  if (wordAt(tokens, at + 1) === '*' && wordAt(tokens, at + 2) === 'EXCEPT') {
    return textOf(written, at + 1, closing(tokens, at + 3));
  }
  let end = at + 1;
  while (wordAt(tokens, end + 1) === ',') end += 2;
  return textOf(written, at + 1, end);
}

/** T-SQL's `BULK INSERT t FROM 'file'`. */
function bulkInsert(written: Written): Rewrite | null {
  const path = wordAt(written.tokens, 1) === 'INSERT' ? pathAt(written, 2) : null;
  if (!path) return null;
  return { what: 'BULK INSERT was read as COPY', texts: [`COPY INTO ${path} FROM 'file'`] };
}

/** Flink's `EXECUTE STATEMENT SET BEGIN INSERT ...`, whose other statements follow. */
function statementSet(written: Written): Rewrite | null {
  const { tokens } = written;
  const isSet = wordAt(tokens, 1) === 'STATEMENT' && wordAt(tokens, 2) === 'SET';
  if (!isSet || wordAt(tokens, 3) !== 'BEGIN' || tokens.length < 6) return null;
  const text = textOf(written, 4, tokens.length - 1);
  return { what: 'the head of a statement set was left out', texts: [text] };
}

/** Oracle's `UPDATE (SELECT t.a, u.b FROM ...) SET a = b`. */
function updatedQuery(written: Written): Rewrite | null {
  const { tokens } = written;
  const close = wordAt(tokens, 1) === '(' ? closing(tokens, 1) : -1;
  if (close < 0 || !/^(?:SELECT|WITH)$/.test(wordAt(tokens, 2))) return null;
  const alias = wordAt(tokens, close + 1) === 'SET' ? '_query' : (tokens[close + 1]?.text ?? '');
  const set = tokens.findIndex(({ word }, i) => i > close && word === 'SET');
  if (set < 0 || set > close + 2) return null;
  const rest = textOf(written, set, tokens.length - 1);
  const text = `WITH ${alias} AS ${textOf(written, 1, close)} UPDATE ${alias} ${rest}`;
  return { what: 'a query that is updated was named', texts: [text] };
}

/** PL/SQL's `INSERT INTO t VALUES r` and `VALUES rows(i)`: a whole record. */
function recordInserted(written: Written): Rewrite | null {
  const { tokens, dialect } = written;
  const at = indexOf(tokens, 'VALUES');
  const name = tokens[at + 1];
  if (dialect.name !== 'oracle' || at < 3 || name?.kind !== 'word') return null;
  const isElement = wordAt(tokens, at + 2) === '(';
  const end = isElement ? closing(tokens, at + 2) : at + 1;
  if (end !== tokens.length - 1) return null;
  const text = `${textOf(written, 0, at - 1)} SELECT * FROM TABLE(${name.text})`;
  return { what: 'a record was read as its columns', texts: [text] };
}

function indexOf(tokens: readonly Token[], wanted: string): number {
  return tokens.findIndex(({ word }) => word === wanted);
}

function behindExists(tokens: readonly Token[], at: number): number {
  return wordAt(tokens, at) === 'IF' ? at + 3 : at;
}

/** The path of a name that begins at a token, as written; null where none begins. */
function pathAt(written: Written, at: number): string | null {
  const { tokens } = written;
  return isName(tokens[at]) ? textOf(written, at, pathEnd(tokens, at)) : null;
}
