// Targets of assignments that the parser doesn't take: fields of a MERGE, elements of an array.
import { isName, pathEnd, type Token, unquote, wordAt } from '../../tokens/tokens.ts';
import { cut, type Edit } from '../text-edit.ts';
import type { Written } from '../written.ts';

/** `MERGE ... SET t.place.city = x` as one name in quotes, and `SET xs[1] = x` without the index. */
export function assignmentTargets({ tokens, dialect }: Written): Edit[] {
  const changes = /^(?:MERGE|UPDATE|INSERT|WITH)$/.test(wordAt(tokens, 0));
  if (!changes || !tokens.some(({ word }) => word === 'SET')) return [];
  const quote = /^(?:bigquery|spark|databricks|hive)$/.test(dialect.name) ? '`' : '"';
  const edits: Edit[] = [];
  let depth = 0;
  for (let at = 0; at < tokens.length; at++) {
    const word = wordAt(tokens, at);
    if (word === '(') depth++;
    if (word === ')') depth--;
    if (depth > 0 || !/^(?:SET|,)$/.test(word) || !isName(tokens[at + 1])) continue;
    const last = pathEnd(tokens, at + 1);
    const index = indexEnd(tokens, last + 1);
    if (wordAt(tokens, index + 1) !== '=') continue;
    const names = tokens.slice(at + 1, last + 1).filter(isName);
    const isDeep = names.length > 2 && wordAt(tokens, 0) === 'MERGE';
    const path = names.map(unquote).join('.');
    if (isDeep)
      edits.push(
        ...cut(tokens, at + 1, last, 'a field was put in quotes', `${quote}${path}${quote}`),
      );
    if (index > last) edits.push(...cut(tokens, last + 1, index, 'an index was left out'));
  }
  return edits;
}

/** Where the indexes end that begin at a place: the token before it where there are none. */
function indexEnd(tokens: readonly Token[], at: number): number {
  let end = at - 1;
  while (wordAt(tokens, end + 1) === '[') {
    const close = tokens.findIndex(({ word }, i) => i > end && word === ']');
    if (close < 0) return end;
    end = close;
  }
  return end;
}
