// Writes pipe syntax (`FROM t |> WHERE a |> SELECT b`) as the nested queries that it stands for.

import type { Token } from '../tokens/tokens.ts';
import { closing } from './text-edit.ts';
import type { Rewrite, Written } from './written.ts';

/**
 * A query in pipe syntax of BigQuery and Databricks as one without. Each operator makes a query
 * over the one before it. Null when there is no pipe, or an operator that isn't known.
 */
export function pipeToQuery(written: Written): Rewrite | null {
  const { tokens, text } = written;
  const pipes = pipesOf(tokens, 0, tokens.length);
  const start = queryStart(tokens);
  if (pipes.length === 0 || start < 0) return null;
  const end = tokens.length;
  const slice = (from: number, to: number) =>
    from < to ? text.slice(tokens[from]?.start, tokens[to - 1]?.end) : '';
  const firstPipe = pipes[0] ?? end;
  const source = slice(start, firstPipe);
  let query = tokens[start]?.word === 'FROM' ? `SELECT * ${source}` : source;
  // A bare FROM may be joined to without losing the names of its tables.
  let from = tokens[start]?.word === 'FROM' ? source : null;
  for (const [i, pipe] of pipes.entries()) {
    const to = pipes[i + 1] ?? end;
    const operator = operatorAt(tokens, pipe + 2);
    const rest = slice(pipe + 2 + operator.words, to);
    const applied = apply(operator.name, rest, query, from, slice(pipe + 2, to));
    if (applied === null) return null;
    ({ query, from } = applied);
  }
  return {
    what: 'pipe syntax was written as nested queries',
    texts: [`${slice(0, start)} ${query}`],
  };
}

/** `SELECT ... FROM (FROM t |> WHERE a)`: pipes within brackets, the innermost first. */
export function nestedPipes(written: Written): Rewrite | null {
  const { tokens, text } = written;
  for (let at = tokens.length - 1; at >= 0; at--) {
    const close = tokens[at]?.word === '(' ? closing(tokens, at) : -1;
    if (close < 0 || !/^(?:FROM|SELECT)$/.test(tokens[at + 1]?.word ?? '')) continue;
    if (pipesOf(tokens, at + 1, close).length === 0) continue;
    const [start, end] = [tokens[at]?.end ?? 0, tokens[close]?.start ?? 0];
    const inner = tokens
      .slice(at + 1, close)
      .map((token) => ({ ...token, start: token.start - start, end: token.end - start }));
    const made = pipeToQuery({ ...written, text: text.slice(start, end), tokens: inner });
    if (made)
      return { ...made, texts: [`${text.slice(0, start)}${made.texts[0]}${text.slice(end)}`] };
  }
  return null;
}

interface Applied {
  readonly query: string;
  readonly from: string | null;
}

function apply(
  name: string,
  rest: string,
  query: string,
  from: string | null,
  whole: string,
): Applied | null {
  const base = from ?? `FROM (${query}) AS _pipe`;
  switch (name) {
    case 'SELECT':
    case 'SELECT DISTINCT':
      return done(`${name} ${rest} ${base}`);
    case 'EXTEND':
    case 'WINDOW':
      return done(`SELECT *, ${rest} ${base}`);
    case 'WHERE':
      return { query: `SELECT * ${base} WHERE ${rest}`, from: null };
    case 'SET':
      return done(`SELECT * REPLACE (${assignments(rest)}) ${base}`);
    case 'DROP':
      return done(`SELECT * EXCEPT (${rest}) ${base}`);
    case 'RENAME':
      return done(`SELECT * RENAME (${rest}) ${base}`);
    case 'AGGREGATE':
      return done(aggregate(rest, base));
    case 'AS':
      return { query: `SELECT * FROM (${query}) AS ${rest}`, from: `FROM (${query}) AS ${rest}` };
    case 'ORDER':
    case 'LIMIT':
      return done(`SELECT * ${base} ${whole}`);
    case 'DISTINCT':
      return done(`SELECT DISTINCT * ${base}`);
    case 'JOIN':
      return { query: `SELECT * ${base} ${whole}`, from: `${base} ${whole}` };
    case 'UNION':
    case 'INTERSECT':
    case 'EXCEPT':
      return done(`${query} ${whole}`);
    default:
      return null;
  }
}

function done(query: string): Applied {
  return { query, from: null };
}

/** `SET a = x, b = y` as REPLACE takes it. */
function assignments(rest: string): string {
  return rest.replace(/(^|,)\s*(`[^`]+`|\w+)\s*=\s*([^,]+)/g, '$1 $3 AS $2');
}

/** The keys come out before the aggregates. */
function aggregate(rest: string, base: string): string {
  const [values = '', keys] = rest.split(/\bGROUP(?:\s+AND\s+ORDER)?\s+BY\b/i);
  if (!keys) return `SELECT ${values} ${base}`;
  const plain = keys.replace(/\s+(?:ASC|DESC)\b/gi, '');
  const names = plain.replace(/\s+AS\s+\w+/gi, '');
  return `SELECT ${plain}${values.trim() ? `, ${values}` : ''} ${base} GROUP BY ${names}`;
}

function operatorAt(tokens: readonly Token[], at: number): { name: string; words: number } {
  const first = tokens[at]?.word ?? '';
  const second = tokens[at + 1]?.word ?? '';
  if (first === 'SELECT' && second === 'DISTINCT') return { name: 'SELECT DISTINCT', words: 2 };
  if (/^(?:JOIN|LEFT|RIGHT|FULL|INNER|CROSS)$/.test(first)) return { name: 'JOIN', words: 0 };
  return { name: first, words: 1 };
}

/** The places of `|>` outside brackets. */
function pipesOf(tokens: readonly Token[], from: number, to: number): number[] {
  const pipes: number[] = [];
  for (let i = from; i < to; i++) {
    if (tokens[i]?.word === '(') {
      const close = closing(tokens, i);
      if (close < 0) return [];
      i = close;
    } else if (tokens[i]?.word === '|' && tokens[i + 1]?.word === '>') pipes.push(i);
  }
  return pipes;
}

/** Where the piped query starts: behind `CREATE ... AS`, `INSERT INTO t` or a WITH. */
function queryStart(tokens: readonly Token[]): number {
  for (let i = 0; i < tokens.length; i++) {
    const word = tokens[i]?.word;
    if (word === '(') i = Math.max(i, closing(tokens, i));
    else if (word === 'FROM' || word === 'SELECT') return i;
  }
  return -1;
}
