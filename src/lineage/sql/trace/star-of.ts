// Expands a star of an expression with EXCEPT or REPLACE, which a rewrite put in a function.

import { bodyOf, columnPath, identifierOf, kindOf, listAt, textAt } from '../node.ts';
import { STAR_OF } from '../repair/phrases/table.ts';
import type { Column, Relation } from '../scope/relation.ts';
import type { Scope } from '../scope/scope.ts';
import { expandPath, replacedBy } from './star.ts';
import type { Trace } from './trace.ts';

/** `f(x).* EXCEPT (a) REPLACE (b AS c)`, which a rewrite put in a function; null for any other expression. */
export function expandStarOf(trace: Trace, item: unknown, scope: Scope): Relation | null {
  const call = kindOf(item) === 'function' ? bodyOf(item) : null;
  if (textAt(call, 'name')?.toUpperCase() !== STAR_OF) return null;
  const [of, ...changes] = listAt(call, 'args');
  const { columns, open } = expandPath(trace, of, scope);
  const argumentsOf = (name: string) =>
    changes
      .filter((change) => textAt(bodyOf(change), 'name')?.toUpperCase() === name)
      .flatMap((change) => [...listAt(bodyOf(change), 'args')]);
  const except = new Set(
    argumentsOf('_EXCEPT').map((each) => columnPath(each)?.at(-1)?.name.toLowerCase()),
  );
  const left = columns.filter(({ name }) => !except.has(name.name.toLowerCase()));
  const replaced = new Map<string, Column>();
  for (const change of argumentsOf('STRUCT')) {
    const { alias, this: expression } = bodyOf(change);
    const name = identifierOf(alias);
    if (name) replaced.set(name.name.toLowerCase(), replacedBy(trace, name, expression, scope));
  }
  const known = left.map((column) => replaced.get(column.name.name.toLowerCase()) ?? column);
  const more = [...replaced.values()].filter((column) => !known.includes(column));
  return { columns: [...known, ...more], open };
}
