// Reads rows that the text holds under a name: those of a cursor, or of a function whose body it has.

import { type Identifier, type Node, namesOfText, textAt } from '../node.ts';
import { allSources, type Relation, renamed } from '../scope/relation.ts';
import { newItem, type Scope } from '../scope/scope.ts';
import { rowsOfRoutine } from '../tokens/routine-rows.ts';
import type { Trace } from './trace.ts';

interface Aliases {
  readonly alias: Identifier | null;
  readonly columns: readonly Identifier[];
}

/** Reads the rows that a name holds into a scope. */
export function readHeld(trace: Trace, held: Relation, aliases: Aliases, scope: Scope): void {
  for (const source of allSources(held).keys()) {
    if (!('missing' in source)) trace.sources.add(source.table);
  }
  scope.items.push(newItem(renamed(held, aliases.columns), aliases.alias));
}

/** Reads a call of a function whose body stands before it in the text; false for any other. */
export function readRoutine(trace: Trace, body: Node, aliases: Aliases, scope: Scope): boolean {
  const name = namesOfText(textAt(body, 'name') ?? '').at(-1);
  const rows = name ? trace.filled.get(rowsOfRoutine(name.name)) : undefined;
  if (!name || !rows) return false;
  readHeld(trace, rows, { ...aliases, alias: aliases.alias ?? name }, scope);
  return true;
}
