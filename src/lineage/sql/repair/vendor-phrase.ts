// Phrases of one dialect each that can be left out or respelled without changing the lineage.
import type { Token } from '../tokens/tokens.ts';
import { closing, cut, type Edit, type Finder, textOf } from './text-edit.ts';
import type { Written } from './written.ts';

export const VENDOR_PHRASES: readonly Finder[] = [
  leadingHints,
  schemaEvolution,
  tableHints,
  compoundAssignments,
  teradataPhrases,
  mergeDeletes,
  aliasVariables,
  topOfChanges,
  oraclePhrases,
  mergeShorthands,
  bulkRowsets,
  refreshClauses,
  upserts,
  ignoredRows,
  storage,
];

/** `UPSERT INTO t` of Impala, HANA and Phoenix writes the rows of an INSERT. */
function upserts({ tokens }: Written): Edit[] {
  return tokens[0]?.word === 'UPSERT'
    ? cut(tokens, 0, 0, 'UPSERT was read as INSERT', 'INSERT')
    : [];
}

/** DB2's `MERGE ... ELSE IGNORE`. */
function ignoredRows({ tokens }: Written): Edit[] {
  const at = tokens.length - 2;
  const fits = tokens[at]?.word === 'ELSE' && tokens[at + 1]?.word === 'IGNORE';
  return fits ? cut(tokens, at, at + 1, 'ELSE IGNORE was left out') : [];
}

/** Greenplum's `DISTRIBUTED BY (a)` and Vertica's `SEGMENTED BY hash(a) ALL NODES`: where rows lie. */
function storage({ tokens }: Written): Edit[] {
  const at = tokens.findLastIndex(({ word }) =>
    /^(?:DISTRIBUTED|SEGMENTED|UNSEGMENTED)$/.test(word),
  );
  const isKind = /^(?:BY|RANDOMLY|REPLICATED|ALL)$/.test(tokens[at + 1]?.word ?? '');
  if (tokens[0]?.word !== 'CREATE' || at < 0 || !isKind) return [];
  return cut(tokens, at, tokens.length - 1, 'where rows are stored was left out');
}

/** `WITH (TABLOCK)` and other hints behind a table that is written. */
function tableHints({ tokens, dialect }: Written): Edit[] {
  if (dialect.name !== 'tsql') return [];
  return tokens.flatMap((token, i) => {
    const hints = token.word === 'WITH' && tokens[i + 1]?.word === '(';
    const close = hints ? closing(tokens, i + 1) : -1;
    return close > 0 ? cut(tokens, i, close, 'table hints were left out') : [];
  });
}

/** Hints right behind MERGE and its like: the parser takes hints behind SELECT and INSERT alone. */
function leadingHints({ text, tokens }: Written): Edit[] {
  const [first, second] = tokens;
  if (!first || !second || !text.slice(first.end, second.start).includes('/*+')) return [];
  const what = 'hints were left out';
  return [{ start: first.end, end: second.start, text: ' ', what }];
}

/** Databricks' `MERGE WITH SCHEMA EVOLUTION INTO t`, and DuckDB's `INSERT BY NAME` in a MERGE. */
function schemaEvolution({ tokens }: Written): Edit[] {
  if (tokens[0]?.word !== 'MERGE') return [];
  const reads = (at: number, words: string) =>
    words.split(' ').every((word, i) => tokens[at + i]?.word === word);
  return tokens.flatMap((_token, i) => {
    if (i === 1 && reads(i, 'WITH SCHEMA EVOLUTION'))
      return cut(tokens, i, i + 2, 'WITH SCHEMA EVOLUTION was left out');
    const what = 'BY NAME was written as a star';
    if (reads(i, 'THEN INSERT BY NAME')) return cut(tokens, i + 1, i + 3, what, 'INSERT *');
    if (reads(i, 'THEN UPDATE BY NAME')) return cut(tokens, i + 1, i + 3, what, 'UPDATE SET *');
    return sharedKeys(tokens, i);
  });
}

/** DuckDB's `MERGE INTO t USING u USING (id)`, which is `ON t.id = u.id`. */
function sharedKeys(tokens: readonly Token[], at: number): Edit[] {
  const using = tokens.findIndex(({ word }) => word === 'USING');
  const close = tokens[at + 1]?.word === '(' ? closing(tokens, at + 1) : -1;
  const isSecond = tokens[at]?.word === 'USING' && at > using;
  if (!isSecond || tokens[close + 1]?.word !== 'WHEN') return [];
  const [target, source] = [tokens[using - 1]?.text, tokens[at - 1]?.text];
  const names = tokens.slice(at + 2, close).filter(({ word }) => word !== ',');
  const pairs = names.map(({ text }) => `${target}.${text} = ${source}.${text}`);
  return cut(tokens, at, close, 'USING was read as ON', `ON ${pairs.join(' AND ')}`);
}

/** T-SQL's `SET a += b` is `SET a = a + b`. */
function compoundAssignments(written: Written): Edit[] {
  const { tokens } = written;
  return tokens.flatMap((token, i) => {
    const name = tokens[i - 1];
    const isCompound = /^[+\-*/%&|^]$/.test(token.word) && tokens[i + 1]?.word === '=';
    if (!isCompound || !name || (name.kind !== 'word' && name.kind !== 'name')) return [];
    const isQualified = tokens[i - 2]?.word === '.';
    // A bare name is the target's, whatever the other tables hold.
    const target =
      tokens[0]?.word === 'UPDATE' && tokens[2]?.word === 'SET' ? tokens[1] : undefined;
    const own = textOf(written, isQualified ? i - 3 : i - 1, i - 1);
    const text = `= ${target && !isQualified ? `${target.text}.` : ''}${own} ${token.word}`;
    return cut(tokens, i, i + 1, 'compound assignments were written out', text);
  });
}

/** Teradata's `(TITLE '...')`, `(FORMAT '...')` and `(NAMED x)`. */
function teradataPhrases({ tokens, dialect }: Written): Edit[] {
  if (dialect.name !== 'teradata') return [];
  return tokens.flatMap((token, i) => {
    const next = tokens[i + 1]?.word ?? '';
    if (token.word !== '(' || !/^(?:TITLE|FORMAT|NAMED)$/.test(next)) return [];
    const close = closing(tokens, i);
    const name = next === 'NAMED' ? `AS ${tokens[i + 2]?.text ?? ''}` : '';
    return close > 0 ? cut(tokens, i, close, 'column phrases were left out', name) : [];
  });
}

/** Oracle's `UPDATE ... DELETE WHERE a` in a MERGE is like a branch that deletes where a is true. */
function mergeDeletes({ tokens }: Written): Edit[] {
  if (tokens[0]?.word !== 'MERGE') return [];
  return tokens.flatMap((token, i) => {
    if (token.word !== 'DELETE' || tokens[i + 1]?.word !== 'WHERE') return [];
    const next = tokens.findIndex((each, j) => j > i && each.word === 'WHEN');
    const last = tokens[(next < 0 ? tokens.length : next) - 1];
    if (!last) return [];
    const what = 'DELETE WHERE was read as a branch';
    const head = cut(tokens, i, i + 1, what, 'WHEN MATCHED AND (');
    return [...head, { start: last.end, end: last.end, text: ') THEN DELETE', what }];
  });
}

/** Snowflake scripting lets a variable give an alias: `AS :name`. */
function aliasVariables({ tokens, dialect }: Written): Edit[] {
  if (dialect.name !== 'snowflake') return [];
  return tokens.flatMap((token, i) => {
    const isVariable = token.word === ':' && tokens[i - 1]?.word === 'AS';
    return isVariable ? cut(tokens, i, i, 'the colon of a variable was left out') : [];
  });
}

/** T-SQL's `DELETE TOP (10) FROM t`. */
function topOfChanges({ tokens }: Written): Edit[] {
  return tokens.flatMap((token, i) => {
    const changes = /^(?:DELETE|UPDATE)$/.test(tokens[i - 1]?.word ?? '');
    const close = token.word === 'TOP' && changes ? closing(tokens, i + 1) : -1;
    return close > 0 ? cut(tokens, i, close, 'TOP was left out') : [];
  });
}

/** Oracle's partitions in FROM, CURSOR (...) in a select list, LOG ERRORS, and q'[...]' texts. */
function oraclePhrases({ tokens, dialect }: Written): Edit[] {
  if (dialect.name !== 'oracle') return [];
  return tokens.flatMap((token, i) => {
    const next = tokens[i + 1]?.word;
    if (token.word === 'CURSOR' && next === '(') return cut(tokens, i, i, 'CURSOR was left out');
    if (token.word === 'LOG' && next === 'ERRORS') {
      return cut(tokens, i, tokens.length - 1, 'LOG ERRORS was left out');
    }
    const inFrom = /^(?:FROM|JOIN|,|\.)$/.test(tokens[i - 2]?.word ?? '');
    if (/^(?:SUB)?PARTITION$/.test(token.word) && next === '(' && inFrom) {
      return cut(tokens, i, closing(tokens, i + 1), 'the partition was left out');
    }
    const isQuoted = token.kind === 'string' && /^n?q'/i.test(token.text);
    return isQuoted ? cut(tokens, i, i, "a q'...' text was respelled", "''") : [];
  });
}

/** Snowflake's `UPDATE ALL BY NAME` and Redshift's `REMOVE DUPLICATES` in a MERGE. */
function mergeShorthands({ tokens }: Written): Edit[] {
  if (tokens[0]?.word !== 'MERGE') return [];
  return tokens.flatMap((token, i) => {
    const words = tokens
      .slice(i, i + 4)
      .map((each) => each.word)
      .join(' ');
    if (words === 'UPDATE ALL BY NAME')
      return cut(tokens, i, i + 3, 'BY NAME was written as a star', 'UPDATE SET *');
    if (words === 'INSERT ALL BY NAME')
      return cut(tokens, i, i + 3, 'BY NAME was written as a star', 'INSERT *');
    if (token.word !== 'REMOVE' || tokens[i + 1]?.word !== 'DUPLICATES') return [];
    const text = 'WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *';
    return cut(tokens, i, i + 1, 'REMOVE DUPLICATES was written out', text);
  });
}

/** T-SQL's `OPENROWSET (BULK 'file', ...)`. */
function bulkRowsets({ tokens }: Written): Edit[] {
  return tokens.flatMap((token, i) => {
    const fits = token.word === 'BULK' && tokens[i - 2]?.word === 'OPENROWSET';
    return fits ? cut(tokens, i, i, 'BULK was left out') : [];
  });
}

/** ClickHouse's `REFRESH EVERY 1 HOUR TO t`: behind it the parser loses the target. */
function refreshClauses({ tokens, dialect }: Written): Edit[] {
  const start = tokens.findIndex((token) => token.word === 'REFRESH');
  const end = tokens.findIndex((token, i) => i > start && token.word === 'TO');
  if (dialect.name !== 'clickhouse' || tokens[0]?.word !== 'CREATE' || start < 0 || end < 0)
    return [];
  return cut(tokens, start, end - 1, 'REFRESH was left out');
}
