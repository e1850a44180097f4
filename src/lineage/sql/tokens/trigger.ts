// Finds the table of a trigger, whose rows are NEW and OLD, or `inserted` and `deleted`, in its body.
import { pathEnd, type Token } from './tokens.ts';

/** What a trigger calls the rows that its table had before and has now. */
export const ROWS_OF_TRIGGER: readonly string[] = ['new', 'old', 'inserted', 'deleted'];

/** The tokens of the table's name behind `CREATE TRIGGER ... ON`; none for another statement. */
export function tableOfTrigger(segment: readonly Token[]): readonly Token[] {
  const kind = segment.slice(0, 10).findIndex(({ word }) => word === 'TRIGGER');
  if (kind < 1 || !/^(?:CREATE|ALTER)$/.test(segment[0]?.word ?? '')) return [];
  const at = segment.findIndex(({ word }, i) => i > kind && word === 'ON') + 1;
  if (at === 0) return [];
  return segment.slice(at, pathEnd(segment, at) + 1);
}

/** The text of a trigger's body with Oracle's `:NEW.a` as `NEW.a`, each character at its place. */
export function withoutColons(text: string): string {
  return text.replace(/:(?=(?:new|old)\s*\.)/gi, ' ');
}
