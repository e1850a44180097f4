// Writes a statement in another form that the parser takes and that has the same lineage.

import { bodyOf, kindOf } from '../node.ts';
import { isName, pathEnd, type Token } from '../tokens/tokens.ts';
import { tsqlStatements } from '../tokens/tsql.ts';
import { closing, find, textOf } from './text-edit.ts';
import type { Rewrite, Written } from './written.ts';

const QUERY_START = /^(?:SELECT|WITH|FROM|VALUES|TABLE|SEL)$/;

/**
 * `CREATE <anything> TABLE|VIEW name <anything> AS query`: the name, its column names and the
 * query are all that matters. `CREATE TABLE t SELECT ...` (MySQL) has no AS.
 */
export function createAs(written: Written): Rewrite | null {
  const { tokens } = written;
  const first = tokens[0]?.word;
  if (first !== 'CREATE' && first !== 'REPLACE' && first !== 'ALTER') return null;
  const kind = find(tokens, 1, (word) => word === 'TABLE' || word === 'VIEW');
  if (kind < 0 || kind > 8) return null;
  let name = kind + 1;
  while (/^(?:IF|NOT|EXISTS)$/.test(tokens[name]?.word ?? '')) name++;
  const end = pathEnd(tokens, name);
  const as = find(tokens, end + 1, (word, i) => startsQuery(tokens, word, i));
  if (as < 0) return null;
  let from = tokens[as]?.word === 'AS' ? as + 1 : as;
  let to = tokens.length - 1;
  const close = tokens[from]?.word === '(' ? closing(tokens, from) : -1;
  // Teradata says WITH DATA and more behind the query's bracket.
  if (close > 0 && !CONTINUES.test(tokens[close + 1]?.word ?? '')) to = close;
  while (tokens[from]?.word === '(' && closing(tokens, from) === to) {
    from++;
    to--;
  }
  const query = selectFirst(written, from, to);
  const names = columnNames(tokens, end + 1);
  // A temporary table of T-SQL is no name elsewhere in the grammar of views.
  const path = textOf(written, name, end);
  const isTable = tokens[kind]?.word === 'TABLE';
  const list = names ? `(${names.join(', ')})` : '';
  const recurses = tokens.slice(0, kind).some((token) => token.word === 'RECURSIVE');
  const body = recurses
    ? `WITH RECURSIVE ${path} ${list} AS (${query}) SELECT * FROM ${path}`
    : query;
  const text = `CREATE VIEW ${path} ${list} AS ${body}`;
  return { what: 'options of CREATE were left out', texts: [text], mend: isTable ? asTable : asIs };
}

const CONTINUES = /^(?:UNION|INTERSECT|EXCEPT|MINUS|ORDER|LIMIT|OFFSET|FETCH|AS|JOIN|,)$/;

/** DuckDB's `FROM t SELECT a` and `FROM t` with the SELECT where the parser wants it. */
function selectFirst(written: Written, from: number, to: number): string {
  const { tokens } = written;
  if (tokens[from]?.word !== 'FROM') return textOf(written, from, to);
  const within = tokens.slice(0, to + 1);
  const select = find(within, from, (word) => word === 'SELECT');
  if (select < 0) return `SELECT * ${textOf(written, from, to)}`;
  const tail = find(within, select, (word) => TAIL.test(word));
  const list = textOf(written, select, tail < 0 ? to : tail - 1);
  const rest = tail < 0 ? '' : textOf(written, tail, to);
  return `${list} ${textOf(written, from, select - 1)} ${rest}`;
}

function startsQuery(tokens: readonly Token[], word: string, i: number): boolean {
  let next = word === 'AS' ? i + 1 : i;
  if (word !== 'AS' && word !== 'SELECT') return false;
  while (tokens[next]?.word === '(') next++;
  return QUERY_START.test(tokens[next]?.word ?? '');
}

/** The names of `(a COMMENT 'x', b)`; null when there is no list. */
export function columnNames(tokens: readonly Token[], open: number): string[] | null {
  if (tokens[open]?.word !== '(') return null;
  const close = closing(tokens, open);
  const names: string[] = [];
  for (let i = open + 1; i < close; i++) {
    const token = tokens[i];
    if (!isName(token)) return null;
    if (/^(?:CONSTRAINT|PRIMARY|UNIQUE|INDEX|FOREIGN|CHECK|EXPECT|WATERMARK)$/.test(token.word))
      break;
    names.push(token.text);
    const comma = find(tokens.slice(0, close), i + 1, (word) => word === ',');
    i = comma < 0 ? close : comma;
  }
  return names.length > 0 ? names : null;
}

function asIs(tree: unknown): unknown {
  return tree;
}

function asTable(tree: unknown): unknown {
  if (kindOf(tree) !== 'create_view') return tree;
  const { name, columns, query } = bodyOf(tree);
  return { create_table: { name, columns, as_select: query } };
}

/** `CREATE SNAPSHOT TABLE a CLONE b` and other copies of whole tables. */
export function cloneTable(written: Written): Rewrite | null {
  const { tokens } = written;
  const clone = find(tokens, 1, (word) => word === 'CLONE' || word === 'COPY');
  const kind = find(tokens, 1, (word) => word === 'TABLE');
  if (tokens[0]?.word !== 'CREATE' || clone < 0 || kind < 0 || kind > clone) return null;
  const end = pathEnd(tokens, clone + 1);
  const name = textOf(written, kind + 1, clone - 1);
  const text = `CREATE TABLE ${name} CLONE ${textOf(written, clone + 1, end)}`;
  return { what: 'options of CREATE were left out', texts: [text] };
}

/** `SET (a, b) = (SELECT x, y FROM ...)`: one subquery for each column. */
export function assignTuple(written: Written): Rewrite | null {
  const { tokens } = written;
  const set = find(tokens, 0, (word, i) => word === 'SET' && tokens[i + 1]?.word === '(');
  if (set < 0) return null;
  let text = '';
  let from = 0;
  for (let i = set + 1; i < tokens.length; i++) {
    const left = tokens[i]?.word === '(' ? closing(tokens, i) : -1;
    if (left < 0 || tokens[left + 1]?.word !== '=' || tokens[left + 2]?.word !== '(') continue;
    const right = closing(tokens, left + 2);
    const names = items(written, i + 1, left - 1);
    const values = right > 0 ? valuesOf(written, left + 3, right - 1) : null;
    if (!values || values.length !== names.length) return null;
    const pairs = names.map((name, j) => `${name} = ${values[j]}`);
    text += `${written.text.slice(from, tokens[i]?.start)}${pairs.join(', ')}`;
    from = tokens[right]?.end ?? from;
    i = right;
  }
  if (from === 0) return null;
  return {
    what: 'an assignment of several columns was taken apart',
    texts: [text + written.text.slice(from)],
  };
}

/** The values of `SELECT x, y FROM ...` as subqueries of one column, or of a plain list. */
function valuesOf(written: Written, from: number, to: number): string[] | null {
  const { tokens } = written;
  if (tokens[from]?.word !== 'SELECT') return items(written, from, to);
  const within = tokens.slice(0, to + 1);
  const clause = find(within, from + 1, (word) => word === 'FROM');
  const listEnd = clause < 0 ? to : clause - 1;
  const rest = clause < 0 ? '' : textOf(written, clause, to);
  return items(written, from + 1, listEnd).map((item) => `(SELECT ${item} ${rest})`);
}

/** The texts between commas, at the depth of the first token. */
function items(written: Written, from: number, to: number): string[] {
  const within = written.tokens.slice(0, to + 1);
  const found: string[] = [];
  let start = from;
  while (start <= to) {
    const comma = find(within, start, (word) => word === ',');
    const end = comma < 0 ? to : comma - 1;
    found.push(textOf(written, start, end));
    start = end + 2;
  }
  return found;
}

/** Hive's `FROM t INSERT INTO a SELECT x INSERT INTO b SELECT y WHERE z`. */
export function multiInsert(written: Written): Rewrite | null {
  const { tokens } = written;
  const ctes = tokens[0]?.word === 'WITH' ? find(tokens, 1, (word) => word === 'FROM') : 0;
  if (ctes < 0 || tokens[ctes]?.word !== 'FROM') return null;
  const inserts: number[] = [];
  let next = find(tokens, ctes, (word) => word === 'INSERT');
  while (next > 0) {
    inserts.push(next);
    next = find(tokens, next + 1, (word) => word === 'INSERT');
  }
  const [first] = inserts;
  if (first === undefined) return null;
  const from = textOf(written, ctes, first - 1);
  const clause = ctes > 0 ? textOf(written, 0, ctes - 1) : '';
  const texts = inserts.map((start, i) => {
    const end = (inserts[i + 1] ?? tokens.length) - 1;
    const within = tokens.slice(0, end + 1);
    const select = find(within, start, (word) => word === 'SELECT');
    const tail = find(within, Math.max(select, start), (word) => TAIL.test(word));
    const head = textOf(written, start, select - 1);
    const list = textOf(written, select, (tail < 0 ? end + 1 : tail) - 1);
    return `${head} ${clause} ${list} ${from} ${tail < 0 ? '' : textOf(written, tail, end)}`;
  });
  return { what: 'an INSERT into several tables was taken apart', texts };
}

const TAIL = /^(?:WHERE|GROUP|HAVING|ORDER|CLUSTER|DISTRIBUTE|SORT|LIMIT|LATERAL)$/;

/** `WITH a AS (...) (SELECT ...) LIMIT 2`: the parser drops the WITH, but not before a FROM. */
export function wrapWithQuery(written: Written): Rewrite | null {
  const { tokens } = written;
  const what = 'a query in brackets was made a derived table';
  let body = 0;
  if (tokens[0]?.word === 'WITH') {
    const list = find(tokens, 1, (word, i) => {
      const before = tokens[i - 1]?.word;
      return word === '(' && before === ')' && tokens[i - 2] !== undefined;
    });
    if (list < 0) return null;
    body = list;
  }
  if (tokens[body]?.word !== '(' || !/^(?:SELECT|WITH|\()$/.test(tokens[body + 1]?.word ?? ''))
    return null;
  const close = closing(tokens, body);
  if (close < 0) return null;
  const head = body > 0 ? textOf(written, 0, body - 1) : '';
  const tail = close + 1 < tokens.length ? textOf(written, close + 1, tokens.length - 1) : '';
  const query = textOf(written, body, close);
  return { what, texts: [`${head} SELECT * FROM ${query} AS _query ${tail}`] };
}

/** `RENAME TABLE a TO b, c TO d` (MySQL, ClickHouse, Hive's kin). */
export function renameTables(written: Written): Rewrite | null {
  const { tokens } = written;
  if (tokens[0]?.word !== 'RENAME' || !/^TABLES?$/.test(tokens[1]?.word ?? '')) return null;
  const pairs = items(written, 2, tokens.length - 1).map((pair) => pair.split(/\s+TO\s+/i));
  if (pairs.some((pair) => pair.length !== 2)) return null;
  const texts = pairs.map(([from, to]) => `ALTER TABLE ${from} RENAME TO ${to}`);
  return { what: 'RENAME TABLE was written as ALTER TABLE', texts };
}

/** Redshift's `ALTER TABLE a APPEND FROM b` moves the rows of b into a. */
export function handOver(written: Written): Rewrite | null {
  const { tokens } = written;
  const append = find(tokens, 0, (word, i) => word === 'APPEND' && tokens[i + 1]?.word === 'FROM');
  if (tokens[0]?.word !== 'ALTER' || append < 0) return null;
  const end = pathEnd(tokens, append + 2);
  const from = textOf(written, append + 2, end);
  const text = `INSERT INTO ${textOf(written, 2, append - 1)} SELECT * FROM ${from}`;
  return { what: 'ALTER TABLE APPEND was read as INSERT', texts: [text] };
}

/** `INSERT INTO t EXEC p`: what the procedure gives isn't known, what is written is. */
export function insertFromProcedure(written: Written): Rewrite | null {
  const { tokens } = written;
  const exec = find(tokens, 0, (word) => word === 'EXEC' || word === 'EXECUTE');
  if (tokens[0]?.word !== 'INSERT' || exec < 2) return null;
  // There it is the name of the table.
  if (/^(?:INTO|\.)$/.test(tokens[exec - 1]?.word ?? '')) return null;
  // What stands behind it without a semicolon is no argument of it.
  if (tsqlStatements(tokens).length > 1) return null;
  const text = `${textOf(written, 0, exec - 1)} SELECT NULL`;
  const mend = (tree: unknown) => ({ insert: { ...bodyOf(tree), query: { execute: {} } } });
  return { what: 'what the procedure gives is not known', texts: [text], mend };
}
