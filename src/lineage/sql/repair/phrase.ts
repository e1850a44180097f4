// Phrases of many dialects that can be left out or respelled without changing the lineage.

import { isTemplate } from '../tokens/templated.ts';
import { isName, type Token } from '../tokens/tokens.ts';
import { words } from '../word-set.ts';
import { assignmentTargets } from './phrases/assigned-field.ts';
import { closing, cut, type Edit, type Finder } from './text-edit.ts';
import { VENDOR_PHRASES } from './vendor-phrase.ts';
import type { Written } from './written.ts';

/** The edits that a statement offers; `own` are the phrases of its dialect. */
export function editsFor(written: Written, own: readonly Finder[]): Edit[] {
  return [...PHRASES, ...VENDOR_PHRASES, ...own].flatMap((find) => find(written));
}

const PHRASES: readonly Finder[] = [
  insertWithoutInto,
  trailingOptions,
  typedAliases,
  rowsFrom,
  tableQueries,
  timeTravel,
  trailingTemplates,
  assignmentTargets,
];

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
  /^(?:INTO|OVERWRITE|ALL|FIRST|IGNORE|OR|TOP|LOW_PRIORITY|DELAYED|HIGH_PRIORITY|VALUES|ROW|BY)$/;

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

const CLAUSE = words(
  'WHERE GROUP ORDER HAVING QUALIFY LIMIT WINDOW JOIN LEFT RIGHT INNER FULL CROSS UNION AS ON',
  'USING',
);

/** `FOR SYSTEM_TIME AS OF f(x)` and Oracle's `AS OF TIMESTAMP x - 1`: the table stays the same. */
function timeTravel({ tokens }: Written): Edit[] {
  return tokens.flatMap((token, i) => {
    const kind = tokens[i + 1]?.word ?? '';
    const hasFor = token.word === 'FOR' && /^(?:SYSTEM_TIME|TIMESTAMP|VERSION)$/.test(kind);
    const isBare = token.word === 'AS' && kind === 'OF' && tokens[i - 1]?.word !== 'TIMESTAMP';
    if (
      !(hasFor && tokens[i + 2]?.word === 'AS') &&
      !(isBare && !/TIME$/.test(tokens[i - 1]?.word ?? ''))
    )
      return [];
    let end = i + (hasFor ? 4 : 2);
    for (; end < tokens.length; end++) {
      const word = tokens[end]?.word ?? '';
      if (word === '(') end = Math.max(end, closing(tokens, end));
      else if (word === ')' || word === ',' || CLAUSE.has(word)) break;
    }
    // `AS OF '2026-01-01' r`: an alias without AS.
    const [time, alias] = [tokens[end - 2], tokens[end - 1]];
    const isValue = time?.kind === 'string' || time?.kind === 'number' || time?.word === ')';
    const last = isValue && isName(alias) && alias?.word !== 'DAY' ? end - 2 : end - 1;
    return cut(tokens, i, last, 'the point in time was left out');
  });
}

/** dbt's `FROM t {{ limit() }}`: a template where no name may stand. */
function trailingTemplates({ tokens }: Written): Edit[] {
  return tokens.flatMap((token, i) => {
    const before = tokens[i - 1];
    const follows = before && (before.kind !== 'mark' || /^[)\]]$/.test(before.word));
    if (!isTemplate(token.text) || !follows || EXPECTS_NAME.has(before?.word ?? '')) return [];
    return cut(tokens, i, i, 'a template was left out');
  });
}

const EXPECTS_NAME = words(
  'SELECT DISTINCT FROM JOIN INTO UPDATE TABLE VIEW WHERE AND OR NOT ON BY HAVING QUALIFY AS IN',
  'THEN ELSE WHEN CASE BETWEEN LIKE USING SET',
);
