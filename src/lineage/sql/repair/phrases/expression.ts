// Phrases within expressions that can be respelled without changing what they are made of.

import { isName, reads, wordAt } from '../../tokens/tokens.ts';
import { closing, cut, type Edit, type Finder } from '../text-edit.ts';
import { atEach, leaveOut } from './find.ts';

/** Spark's and MySQL's `! (a > 0)`. */
export const exclamations = atEach(({ tokens }, at) =>
  wordAt(tokens, at) === '!' &&
  wordAt(tokens, at + 1) !== '=' &&
  !/^(?:FROM|JOIN|INTO|UPDATE|TABLE)$/.test(wordAt(tokens, at - 1))
    ? cut(tokens, at, at, '! was written as NOT', 'NOT ')
    : [],
);

/** `extract('hour' FROM ts)`: the unit in quotes. */
export const quotedUnits = atEach(({ tokens }, at) => {
  const unit = tokens[at + 2];
  const fits = reads(tokens, at, 'EXTRACT', '(') && wordAt(tokens, at + 3) === 'FROM';
  if (!fits || unit?.kind !== 'string') return [];
  return cut(tokens, at + 2, at + 2, 'the quotes of a unit were left out', unit.text.slice(1, -1));
});

/** `substring(a FROM 2 FOR 3)` where the parser knows it as a function only. */
export const substringWords = atEach(({ tokens }, at) => {
  const close = reads(tokens, at, 'SUBSTRING', '(') ? closing(tokens, at + 1) : -1;
  const edits: Edit[] = [];
  for (let i = at + 2; i < close; i++) {
    const isWord = /^(?:FROM|FOR|SIMILAR|ESCAPE)$/.test(wordAt(tokens, i));
    if (isWord) edits.push(...cut(tokens, i, i, 'SUBSTRING was written with commas', ','));
  }
  return edits;
});

/** PostgreSQL's `a IS NFC NORMALIZED`. */
export const normalized = atEach(({ tokens }, at) =>
  /^NFK?[CD]$/.test(wordAt(tokens, at)) && wordAt(tokens, at + 1) === 'NORMALIZED'
    ? cut(tokens, at, at + 1, 'a check of characters was written as one of null', 'NULL')
    : [],
);

/** Oracle's `PRIOR a` and `a(+)`: the column is the same. */
export const priorRows = atEach(({ tokens }, at) => {
  if (reads(tokens, at, '(', '+', ')')) return cut(tokens, at, at + 2, '(+) was left out');
  const isPrior = wordAt(tokens, at) === 'PRIOR' && isName(tokens[at + 1]);
  return isPrior && wordAt(tokens, at - 1) !== '.' ? cut(tokens, at, at, 'PRIOR was left out') : [];
});

/** Snowflake's `a::variant:field`: what it is cast to on the way to a field. */
export const castsBeforeFields = atEach(({ tokens }, at) => {
  const isCast = reads(tokens, at, ':', ':') && isName(tokens[at + 2]);
  const toField = wordAt(tokens, at + 3) === ':' && wordAt(tokens, at + 4) !== ':';
  const toItem = wordAt(tokens, at + 3) === '[';
  if (!isCast || !(toField || toItem)) return [];
  return cut(tokens, at, at + 2, 'a cast before a field was left out');
});

/** Snowflake's `FILTER(xs, (i INT) -> i > 1)`: the types of parameters. */
export const typedLambdas = atEach(({ tokens }, at) => {
  const close = wordAt(tokens, at) === '(' ? closing(tokens, at) : -1;
  if (close < 0 || !reads(tokens, close + 1, '-', '>')) return [];
  const edits: Edit[] = [];
  for (let i = at + 1; i < close; i++) {
    const begins = /^[(,]$/.test(wordAt(tokens, i - 1));
    if (begins && isName(tokens[i]) && isName(tokens[i + 1])) {
      edits.push(...cut(tokens, i + 1, i + 1, 'types of parameters were left out'));
    }
  }
  return edits;
});

/** DuckDB's `a // 2` divides integers. */
export const integerDivisions = atEach(({ tokens }, at) => {
  const isPair = reads(tokens, at, '/', '/') && tokens[at]?.end === tokens[at + 1]?.start;
  return isPair ? cut(tokens, at, at + 1, '// was read as a division', '/') : [];
});

/** DuckDB's `LISTAGG(DISTINCT a, ', ' ORDER BY a)` is its STRING_AGG. */
export const listAggregates = atEach(({ tokens }, at) =>
  reads(tokens, at, 'LISTAGG', '(')
    ? cut(tokens, at, at, 'LISTAGG was read as STRING_AGG', 'STRING_AGG')
    : [],
);

/** `LIMIT :n`, a parameter where the parser wants a number. */
export const limitParameters = atEach(({ tokens }, at) => {
  const isLimit = /^(?:LIMIT|OFFSET)$/.test(wordAt(tokens, at));
  if (!isLimit || wordAt(tokens, at + 1) !== ':' || !isName(tokens[at + 2])) return [];
  return cut(tokens, at + 1, at + 2, 'a parameter was read as a number', '1');
});

/** Snowflake's `SELECT a INTO :x FROM t` fills variables. */
export const intoVariables = atEach(({ tokens }, at) => {
  if (!reads(tokens, at, 'INTO', ':')) return [];
  let end = at + 2;
  while (reads(tokens, end + 1, ',', ':')) end += 3;
  return cut(tokens, at, end, 'variables that are filled were left out');
});

/** `AFTER MATCH SKIP TO NEXT ROW` says which rows match, as all of PATTERN does. */
export const skipToNextRow = leaveOut(
  'AFTER MATCH was left out',
  'AFTER',
  'MATCH',
  'SKIP',
  'TO',
  'NEXT',
  'ROW',
);

/** `DATA => TABLE t`: a table as a named argument. */
export const namedTables = atEach(({ tokens }, at) => {
  if (!reads(tokens, at, '=', '>', 'TABLE') || !isName(tokens[at + 3])) return [];
  let end = at + 3;
  while (wordAt(tokens, end + 1) === '.') end += 2;
  const name = tokens
    .slice(at + 3, end + 1)
    .map(({ text }) => text)
    .join('');
  return cut(tokens, at + 2, end, 'a table was put in brackets', `TABLE(${name})`);
});

/** `TABLE(SELECT ...)` as an argument of a function. */
export const queryArguments = atEach(({ tokens }, at) =>
  reads(tokens, at, '=', '>', 'TABLE', '(', 'SELECT')
    ? cut(tokens, at + 2, at + 2, 'a query as an argument was read as a subquery', '')
    : [],
);

/** `START WITH a CONNECT BY b`: both only decide which rows there are, as a filter does. */
export const hierarchies: Finder = ({ tokens }) => {
  const start = tokens.findIndex((_token, at) => reads(tokens, at, 'START', 'WITH'));
  const connect = tokens.findIndex((_token, at) => reads(tokens, at, 'CONNECT', 'BY'));
  if (connect < 0) return [];
  const what = 'CONNECT BY was read as a filter';
  const first = start >= 0 ? Math.min(start, connect) : connect;
  const hasFilter = tokens.slice(0, first).some(({ word }) => word === 'WHERE');
  const length = wordAt(tokens, connect + 2) === 'NOCYCLE' ? 3 : 2;
  const word = (at: number) => (at === first && !hasFilter ? 'WHERE' : 'AND');
  return [
    ...(start >= 0 ? cut(tokens, start, start + 1, what, word(start)) : []),
    ...cut(tokens, connect, connect + length - 1, what, word(connect)),
  ];
};

/** `::bit(3)` and `::geometry(point, 4326)`: what a type is given where the parser knows it without. */
export const typeParameters = atEach(({ tokens }, at) => {
  const close = reads(tokens, at, ':', ':') ? closing(tokens, at + 3) : -1;
  const fits = isName(tokens[at + 2]) && wordAt(tokens, at + 3) === '(' && close > 0;
  return fits ? cut(tokens, at + 3, close, 'parameters of a type were left out') : [];
});

/** MySQL's `VALUES ROW(1, 2), ROW(3, 4)`. */
export const rowsOfValues = atEach(({ tokens }, at) => {
  const isRow = reads(tokens, at, 'ROW', '(') && /^(?:VALUES|,)$/.test(wordAt(tokens, at - 1));
  const begins = tokens.some((_token, i) => i < at && reads(tokens, i, 'VALUES', 'ROW'));
  return isRow && begins ? cut(tokens, at, at, 'ROW was left out') : [];
});
