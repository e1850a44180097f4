// Runs nothing but queries on sources whose transactions do not see to it themselves.

import { invalid } from '../../errors.ts';
import { type DialectName, findDialect } from '../../lineage/sql/dialect.ts';
import { tokenize } from '../../lineage/sql/tokens/tokens.ts';

const openings = ['SELECT', 'WITH', 'VALUES', 'TABLE', '('];

/**
 * Throw BAD_REQUEST for a statement that does not begin as a query does, and for more than one: no
 * procedure is called, no setting set, nothing explained by running it.
 */
export function mustBeQuery(sql: string, dialect: DialectName): void {
  const lexical = findDialect(dialect)?.lexical;
  if (!lexical) throw new Error(`There is no dialect ${dialect}.`);
  const tokens = tokenize(sql, lexical);
  const end = tokens.findIndex(({ word }) => word === ';');
  if (end >= 0 && end < tokens.length - 1) throw invalid('Only one statement is run at a time.');
  if (!openings.includes(tokens[0]?.word ?? '')) {
    throw invalid('Only queries are run: a SELECT, or WITH ... SELECT.');
  }
}
