// Runs nothing but queries on sources whose transactions do not see to it themselves.

import { invalid } from '../../errors.ts';
import { type DialectName, findDialect } from '../../lineage/sql/dialect.ts';
import { isName, type Token, tokenize, wordAt } from '../../lineage/sql/tokens/tokens.ts';

const openings = ['SELECT', 'WITH', 'VALUES', 'TABLE', '('];

/**
 * Throw BAD_REQUEST for a statement that does not begin as a query does, and for more than one: no
 * procedure is called, no setting set, nothing explained by running it. Of functions those are refused that do
 * something else than compute: `forbidden` matches their whole names in capitals, as written before a parenthesis.
 */
export function mustBeQuery(sql: string, dialect: DialectName, forbidden?: RegExp): void {
  const lexical = findDialect(dialect)?.lexical;
  if (!lexical) throw new Error(`There is no dialect ${dialect}.`);
  const tokens = tokenize(sql, lexical);
  const end = tokens.findIndex(({ word }) => word === ';');
  if (end >= 0 && end < tokens.length - 1) throw invalid('Only one statement is run at a time.');
  if (!openings.includes(tokens[0]?.word ?? '')) {
    throw invalid('Only queries are run: a SELECT, or WITH ... SELECT.');
  }
  const call = forbidden && tokens.find((_, at) => isCall(tokens, at, forbidden));
  if (call) {
    throw invalid(`The function ${call.text.slice(0, 60)} is not called: only queries are run.`);
  }
}

function isCall(tokens: readonly Token[], at: number, forbidden: RegExp): boolean {
  if (!isName(tokens[at]) || wordAt(tokens, at + 1) !== '(') return false;
  let start = at;
  while (wordAt(tokens, start - 1) === '.' && isName(tokens[start - 2])) start -= 2;
  const path = tokens.slice(start, at + 1).map(({ text }) => text.replaceAll(/["`]/g, ''));
  return [path.join(''), path.at(-1) ?? ''].some((name) => forbidden.test(name.toUpperCase()));
}
