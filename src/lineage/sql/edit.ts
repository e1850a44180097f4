// Finds what can be left out or respelled in a statement without changing its lineage.
import type { Written } from './salvage.ts';
import type { Token } from './tokens.ts';

/** Another text for a stretch of a statement. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly what: string;
}

/** The text with all edits; those that overlap an earlier one are left out. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  let result = '';
  let at = 0;
  for (const edit of [...edits].sort((a, b) => a.start - b.start)) {
    if (edit.start < at) continue;
    result += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return result + text.slice(at);
}

/** The edits that a statement offers. */
export function editsFor(written: Written): Edit[] {
  return FINDERS.flatMap((find) => find(written));
}

type Finder = (written: Written) => Edit[];

const FINDERS: readonly Finder[] = [
  insertWithoutInto,
  tableHints,
  trailingOptions,
  typedAliases,
  compoundAssignments,
  teradataPhrases,
  mergeDeletes,
  aliasVariables,
  rowsFrom,
  tableQueries,
];

/** The index behind the bracket that closes the one at `open`, or -1. */
export function closing(tokens: readonly Token[], open: number): number {
  let depth = 0;
  for (let i = open; i < tokens.length; i++) {
    if (tokens[i]?.word === '(') depth++;
    else if (tokens[i]?.word === ')' && --depth === 0) return i;
  }
  return -1;
}

/** The text from one token to another, both included. */
export function textOf(written: Written, from: number, to: number): string {
  return written.text.slice(written.tokens[from]?.start ?? 0, written.tokens[to]?.end ?? 0);
}

function cut(tokens: readonly Token[], from: number, to: number, what: string, text = ''): Edit[] {
  const first = tokens[from];
  const last = tokens[to];
  return first && last ? [{ start: first.start, end: last.end, text, what }] : [];
}

/** `INSERT t ...` and T-SQL's `INSERT TOP (5) INTO t`. */
function insertWithoutInto({ tokens }: Written): Edit[] {
  const edits: Edit[] = [];
  tokens.forEach((token, i) => {
    const next = tokens[i + 1];
    if (token.word !== 'INSERT' || !next) return;
    const isStart = i === 0 || /^(?:\)|THEN|BEGIN)$/.test(tokens[i - 1]?.word ?? '');
    if (next.word === 'TOP')
      edits.push(...cut(tokens, i + 1, closing(tokens, i + 2), 'TOP was left out'));
    const named = next.kind === 'name' || (next.kind === 'word' && !INSERT_WORDS.test(next.word));
    if (isStart && named && !/^(?:\(|VALUES|ROW)$/.test(next.word)) {
      edits.push(...cut(tokens, i, i, 'INTO was added', 'INSERT INTO'));
    }
  });
  return edits;
}

const INSERT_WORDS =
  /^(?:INTO|OVERWRITE|ALL|FIRST|IGNORE|OR|TOP|LOW_PRIORITY|DELAYED|HIGH_PRIORITY|VALUES|ROW)$/;

/** `WITH (TABLOCK)` and other hints behind a table that is written. */
function tableHints({ tokens, dialect }: Written): Edit[] {
  if (dialect.name !== 'tsql') return [];
  return tokens.flatMap((token, i) => {
    const hints = token.word === 'WITH' && tokens[i + 1]?.word === '(';
    const close = hints ? closing(tokens, i + 1) : -1;
    return close > 0 ? cut(tokens, i, close, 'table hints were left out') : [];
  });
}

const TRAILING = [
  ['WITH', 'NO', 'DATA'],
  ['WITH', 'DATA'],
  ['WITH', 'NO', 'SCHEMA', 'BINDING'],
  ['WITH', 'CHECK', 'OPTION'],
  ['WITH', 'CASCADED', 'CHECK', 'OPTION'],
  ['WITH', 'LOCAL', 'CHECK', 'OPTION'],
  ['WITH', 'READ', 'ONLY'],
  ['WITH', 'UR'],
];

/** What stands behind a query and says nothing about its columns. */
function trailingOptions({ tokens }: Written): Edit[] {
  const edits: Edit[] = [];
  tokens.forEach((token, i) => {
    if (token.word === 'OPTION' && tokens[i + 1]?.word === '(') {
      edits.push(...cut(tokens, i, closing(tokens, i + 1), 'query options were left out'));
    }
    for (const words of TRAILING) {
      const fits = words.every((word, j) => tokens[i + j]?.word === word);
      if (fits && tokens[i + words.length] === undefined) {
        edits.push(...cut(tokens, i, i + words.length - 1, 'view options were left out'));
      }
    }
  });
  return edits;
}

/** PostgreSQL's `FROM f(x) AS r (a int, b text)`: the types go. */
function typedAliases(written: Written): Edit[] {
  const { tokens } = written;
  return tokens.flatMap((token, i) => {
    if (token.word !== '(' || i < 2) return [];
    let before = i - 1;
    const alias = tokens[before];
    if (alias?.word === 'AS' || (alias?.kind !== 'word' && alias?.kind !== 'name')) return [];
    before--;
    if (tokens[before]?.word === 'AS') before--;
    const close = closing(tokens, i);
    if (tokens[before]?.word !== ')' || close < 0) return [];
    const names = typedNames(tokens.slice(i + 1, close));
    return names ? cut(tokens, i, close, 'types were left out', `(${names.join(', ')})`) : [];
  });
}

/** The names in `a int, b numeric(10, 2)`; null when it is no such list. */
function typedNames(tokens: readonly Token[]): string[] | null {
  const names: string[] = [];
  let depth = 0;
  let atStart = true;
  for (const [i, token] of tokens.entries()) {
    if (token.word === '(') depth++;
    else if (token.word === ')') depth--;
    else if (depth === 0 && token.word === ',') atStart = true;
    else if (atStart) {
      const isName = token.kind === 'word' || token.kind === 'name';
      if (!isName || tokens[i + 1]?.kind !== 'word') return null;
      names.push(token.text);
      atStart = false;
    }
  }
  return names.length > 0 ? names : null;
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

/** Oracle's `WHEN MATCHED THEN UPDATE ... DELETE WHERE ...`: which rows go is no column's source. */
function mergeDeletes({ tokens }: Written): Edit[] {
  if (tokens[0]?.word !== 'MERGE') return [];
  return tokens.flatMap((token, i) => {
    if (token.word !== 'DELETE' || tokens[i + 1]?.word !== 'WHERE') return [];
    const next = tokens.findIndex((each, j) => j > i && each.word === 'WHEN');
    return cut(tokens, i, (next < 0 ? tokens.length : next) - 1, 'DELETE WHERE was left out');
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

/** PostgreSQL's `ROWS FROM (f(1), g(2))` is read as one function of both. */
function rowsFrom({ tokens }: Written): Edit[] {
  return tokens.flatMap((token, i) => {
    const fits =
      token.word === 'ROWS' && tokens[i + 1]?.word === 'FROM' && tokens[i + 2]?.word === '(';
    return fits ? cut(tokens, i, i + 1, 'ROWS FROM was read as a function', 'rows_from') : [];
  });
}

/** `TABLE t` as a query is `SELECT * FROM t`. */
function tableQueries({ tokens }: Written): Edit[] {
  return tokens.flatMap((token, i) => {
    const before = tokens[i - 1]?.word ?? '';
    const next = tokens[i + 1];
    const isName = next?.kind === 'name' || next?.kind === 'word';
    const isQuery = i === 0 || /^(?:AS|\(|UNION|ALL|EXCEPT|INTERSECT)$/.test(before);
    if (token.word !== 'TABLE' || !isQuery || !isName) return [];
    return cut(tokens, i, i, 'TABLE was read as SELECT * FROM', 'SELECT * FROM');
  });
}
