// Phrases around tables: names that are words of the grammar, samples, hints, pivots.

import { isName, pathEnd, reads, type Token, wordAt } from '../../tokens/tokens.ts';
import { closing, cut, type Edit, type Finder } from '../text-edit.ts';
import { atEach, leaveOut } from './find.ts';

/** `FROM t TABLESAMPLE 10%`: which rows are taken. */
export const bareSamples = atEach(({ tokens }, at) => {
  if (wordAt(tokens, at) !== 'TABLESAMPLE' || tokens[at + 1]?.kind !== 'number') return [];
  const hasUnit = /^(?:%|PERCENT|ROWS?)$/.test(wordAt(tokens, at + 2));
  return cut(tokens, at, at + (hasUnit ? 2 : 1), 'a sample was left out');
});

/** Snowflake lets tables, CTEs and columns be called by words that the parser keeps for itself. */
export const wordsAsNames = atEach(({ tokens }, at) => {
  const word = wordAt(tokens, at);
  const behind = wordAt(tokens, at + 1);
  const isTable =
    /^(?:UN)?PIVOT$/.test(word) && (behind === 'AS' || !/^[(.]?$/.test(behind) || isLast());
  const isColumn = word === 'LIMIT' && behind === 'AS';
  function isLast() {
    return tokens[at + 1] === undefined;
  }
  if (!isTable && !isColumn) return [];
  const name = (tokens[at]?.text ?? '').toLowerCase();
  return cut(tokens, at, at, 'a word was read as a name', `"${name}"`);
});

/** `UNPIVOT (v FOR n IN (jan january))`: an alias without AS. */
export const pivotAliases = atEach(({ tokens }, at) => {
  const close = reads(tokens, at, 'IN', '(') ? closing(tokens, at + 1) : -1;
  const isPivot = tokens.slice(0, at).some(({ word }) => /^(?:UN)?PIVOT$/.test(word));
  const edits: Edit[] = [];
  for (let i = at + 2; isPivot && i < close - 1; i++) {
    const begins = /^[(,]$/.test(wordAt(tokens, i - 1)) && /^[,)]$/.test(wordAt(tokens, i + 2));
    const alias = tokens[i + 1];
    if (begins && isName(tokens[i]) && isName(alias)) {
      edits.push(...cut(tokens, i + 1, i + 1, 'AS was added', `AS ${alias?.text ?? ''}`));
    }
  }
  return edits;
});

/** Oracle's `UNPIVOT (a, b FOR n IN (x, y AS 'A', z, w AS 'B'))`: columns go together in brackets. */
export const groupedUnpivots = atEach(({ tokens }, at) => {
  if (!reads(tokens, at, 'UNPIVOT', '(') || wordAt(tokens, at + 2) === '(') return [];
  const end = tokens.findIndex(({ word }, i) => i > at && word === 'FOR');
  const names = tokens.slice(at + 2, end).filter(({ word }) => word !== ',');
  const open = tokens.findIndex(({ word }, i) => i > end && word === 'IN') + 1;
  const close = wordAt(tokens, open) === '(' ? closing(tokens, open) : -1;
  if (names.length < 2 || end < 0 || close < 0) return [];
  const what = 'columns that are unpivoted together were put in brackets';
  const edits = cut(tokens, at + 2, end - 1, what, `(${names.map(({ text }) => text).join(', ')})`);
  for (let i = open + 1; i < close; ) {
    const last = i + 2 * (names.length - 1);
    const group = tokens.slice(i, last + 1).map(({ text }) => text);
    edits.push(...cut(tokens, i, last, what, `(${group.join(' ')})`));
    i = last + 1;
    while (i < close && wordAt(tokens, i) !== ',') i++;
    i++;
  }
  return edits;
});

/** The function that stands for a star of an expression with EXCEPT or REPLACE. */
export const STAR_OF = '_STAR_OF';

/** BigQuery's `f(x).* EXCEPT (a)` and `xs[0].* REPLACE (b AS c)`, in brackets of a function that the trace knows. */
export const starsOfItems = atEach(({ tokens }, at) => {
  const fits = /^[\])]$/.test(wordAt(tokens, at)) && reads(tokens, at + 1, '.', '*');
  const start = fits ? beginningOf(tokens, at) : -1;
  const first = tokens[start];
  const edits: Edit[] = [];
  const what = 'a star of an expression was read as a function';
  let end = at + 2;
  for (
    let i = at + 3;
    /^(?:EXCEPT|REPLACE)$/.test(wordAt(tokens, i)) && wordAt(tokens, i + 1) === '(';
  ) {
    const name = wordAt(tokens, i) === 'REPLACE' ? 'STRUCT' : '_EXCEPT';
    edits.push(...cut(tokens, i, i, what, `, ${name}`));
    end = closing(tokens, i + 1);
    i = end + 1;
  }
  const last = tokens[end];
  if (!first || !last || edits.length === 0) return [];
  return [
    { start: first.start, end: first.start, text: `${STAR_OF}(`, what },
    ...cut(tokens, at + 1, at + 2, what, ' '),
    ...edits,
    { start: last.end, end: last.end, text: ')', what },
  ];
});

/** Where the expression begins whose last bracket closes at a place: `f(x)`, `a.b[0]`, `(x)`. */
function beginningOf(tokens: readonly Token[], at: number): number {
  let depth = 0;
  let i = at;
  for (; i >= 0; i--) {
    if (/^[)\]]$/.test(wordAt(tokens, i))) depth++;
    else if (/^[([]$/.test(wordAt(tokens, i))) depth--;
    if (depth > 0) continue;
    const word = wordAt(tokens, i - 1);
    const goesOn = isName(tokens[i - 1])
      ? !/^(?:SELECT|DISTINCT|ALL)$/.test(word)
      : /^[)\].]$/.test(word);
    if (!goesOn) return i;
  }
  return -1;
}

/** BigQuery's `WINDOW b AS a`: one window under another name. */
export const renamedWindows: Finder = ({ tokens }) => {
  const start = tokens.findIndex(({ word }) => word === 'WINDOW');
  if (start < 0) return [];
  return tokens.flatMap((token, at) => {
    const fits = at > start && wordAt(tokens, at - 1) === 'AS' && token.kind === 'word';
    const isWindow = fits && /^(?:,|ORDER|LIMIT|)$/.test(wordAt(tokens, at + 1));
    return isWindow ? cut(tokens, at, at, 'a window was put in brackets', `(${token.text})`) : [];
  });
};

/** T-SQL's `FROM ...[t]`: server, database and schema left to the defaults. */
export const leadingDots = atEach(({ tokens }, at) => {
  if (!/^(?:FROM|JOIN|INTO|UPDATE)$/.test(wordAt(tokens, at)) || wordAt(tokens, at + 1) !== '.')
    return [];
  let end = at + 1;
  while (wordAt(tokens, end + 1) === '.') end++;
  return cut(tokens, at + 1, end, 'parts left out of a name were left out', ' ');
});

/** T-SQL's `PRIMARY KEY NONCLUSTERED`: how an index lies on the disk. */
export const clusteredKeys = atEach(({ tokens }, at) => {
  const isKey = /^(?:NON)?CLUSTERED$/.test(wordAt(tokens, at));
  return isKey && /^(?:KEY|UNIQUE)$/.test(wordAt(tokens, at - 1))
    ? cut(tokens, at, at, 'how an index is stored was left out')
    : [];
});

/** T-SQL's `@x.nodes('/row') AS t(y)`: rows made of a variable. */
export const nodesOfVariables = atEach(({ tokens }, at) => {
  const variable = tokens[at];
  const close = reads(tokens, at + 1, '.', 'NODES', '(') ? closing(tokens, at + 3) : -1;
  if (!variable?.text.startsWith('@') || close < 0) return [];
  return cut(
    tokens,
    at,
    close,
    'nodes of a variable were read as a function',
    `nodes(${variable.text})`,
  );
});

/** T-SQL's `dbo.t.doc.nodes('/row')`: the parser takes three names there at most. */
export const nodesOfPaths = atEach(({ tokens }, at) => {
  const end = pathEnd(tokens, at);
  const isPath = isName(tokens[at]) && wordAt(tokens, at - 1) !== '.' && end > at + 4;
  const isMethod = reads(tokens, end, 'NODES', '(');
  return isPath && isMethod ? cut(tokens, at, end - 5, 'a schema was left out') : [];
});

/** Impala's `INSERT INTO t [SHUFFLE] SELECT`. */
export const insertHints = atEach(({ tokens }, at) =>
  wordAt(tokens, at) === '[' && /^(?:NO)?SHUFFLE$/.test(wordAt(tokens, at + 1))
    ? cut(tokens, at, at + 2, 'a hint was left out')
    : [],
);

/** Hive's `INSERT OVERWRITE TABLE t PARTITION (...) IF NOT EXISTS SELECT`. */
export const partitionConditions = leaveOut('IF NOT EXISTS was left out', 'IF', 'NOT', 'EXISTS');

/** Hive's `ORDER BY a DISTRIBUTE BY b SORT BY c`: one list of keys. */
export const furtherSorts: Finder = ({ tokens }) => {
  const order = tokens.findIndex(({ word }) => word === 'ORDER');
  if (order < 0) return [];
  return tokens.flatMap((_token, at) => {
    const fits = /^(?:CLUSTER|DISTRIBUTE|SORT)$/.test(wordAt(tokens, at));
    const isFurther = at > order && fits && wordAt(tokens, at + 1) === 'BY';
    return isFurther ? cut(tokens, at, at + 1, 'keys to sort by were put together', ',') : [];
  });
};

/** Databricks' `REPLACE USING (a)`: which rows an INSERT takes the place of. */
export const replacedRows = atEach(({ tokens }, at) => {
  const close = reads(tokens, at, 'REPLACE', 'USING', '(') ? closing(tokens, at + 2) : -1;
  return close > 0 ? cut(tokens, at, close, 'which rows are replaced was left out') : [];
});

/** Snowflake's `INSERT INTO IDENTIFIER('a.b')`: the name of a table in quotes. */
export const namesInQuotes = atEach(({ tokens }, at) => {
  const name = tokens[at + 2];
  const fits = reads(tokens, at, 'IDENTIFIER', '(') && wordAt(tokens, at + 3) === ')';
  const plain = name?.kind === 'string' ? name.text.slice(1, -1) : '';
  if (!fits || !/^[\w$.]+$/.test(plain)) return [];
  return cut(tokens, at, at + 3, 'a name was read without its quotes', plain);
});

/** Databricks' `FROM STREAM f(x)`: read row by row as they come. */
export const streams = atEach(({ tokens }, at) =>
  wordAt(tokens, at) === 'STREAM' && isName(tokens[at + 1])
    ? cut(tokens, at, at, 'STREAM was left out')
    : [],
);

/** Hive's names that are words to the parser: `key` and `value`. */
export const keyNames = atEach(({ tokens }, at) => {
  const token = tokens[at];
  const isKey =
    token?.word === 'KEY' && !/^(?:PRIMARY|FOREIGN|UNIQUE)$/.test(wordAt(tokens, at - 1));
  return isKey ? cut(tokens, at, at, 'a word was read as a name', `\`${token.text}\``) : [];
});

/** MySQL's `INTO OUTFILE 'x' FIELDS TERMINATED BY ','`: where the rows of a query are written. */
export const outfiles = atEach(({ tokens }, at) => {
  if (wordAt(tokens, at) !== 'INTO' || !/^(?:OUT|DUMP)FILE$/.test(wordAt(tokens, at + 1)))
    return [];
  const from = tokens.findIndex(({ word }, i) => i > at && word === 'FROM');
  return cut(tokens, at, (from < 0 ? tokens.length : from) - 1, 'a file was left out');
});

/** `DEFAULT '0' ON EMPTY NULL ON ERROR` in the columns of JSON_TABLE. */
export const jsonDefaults = atEach(({ tokens }, at) => {
  const isOn = wordAt(tokens, at) === 'ON' && /^(?:EMPTY|ERROR)$/.test(wordAt(tokens, at + 1));
  if (!isOn) return [];
  const from = wordAt(tokens, at - 2) === 'DEFAULT' ? at - 2 : at - 1;
  return cut(tokens, from, at + 1, 'what stands for nothing was left out');
});

/** Comments that MySQL begins with `#`, and those that it runs. */
export const hashComments: Finder = ({ text, tokens }) =>
  tokens.flatMap((token, i) => {
    const start = tokens[i - 1]?.end ?? 0;
    const isOdd = /#|\/\*!/.test(text.slice(start, token.start));
    return isOdd ? [{ start, end: token.start, text: '\n', what: 'comments were left out' }] : [];
  });
