// What is said of statements that cannot be read: by themselves, or where they refuse the text.

import { invalid } from '../../errors.ts';
import type { SqlError, SqlLineage } from '../sql/answer.ts';

/** Whether a statement was read that lineage follows. */
export function isAnyRead({ statements }: Pick<SqlLineage, 'statements'>): boolean {
  return statements.some(({ kind, sources }) => kind !== 'OTHER' || sources.length > 0);
}

/** Why a statement cannot be read, with what would have been right there. */
export function reasonOf({ message, expected }: Pick<SqlError, 'message' | 'expected'>): string {
  return expected && !message.includes(expected) ? `${message} Expected ${expected}.` : message;
}

/** The same with its place, and with its number where the text has several statements. */
export function placedReason(error: SqlError, isOneOfSeveral: boolean): string {
  const { statement, line, column } = error;
  const place = `ine ${line}, column ${column}: ${reasonOf(error)}`;
  return isOneOfSeveral ? `Statement ${statement}, l${place}` : `L${place}`;
}

/** The error for a text that is refused; `readable` statements of it could be read. */
export function refused(errors: readonly SqlError[], readable: number): Error {
  const isSeveral = errors.length + readable > 1;
  const fields = errors
    .slice(0, 20)
    .map((error) => ({ field: 'sql', message: placedReason(error, isSeveral) }));
  return invalid(`The SQL cannot be read. ${fields[0]?.message ?? ''}`, fields);
}
