// Refuses filters of too many parts in variables, before the schema is asked about each of them.

import { type DocumentNode, getOperationAST, Kind, type TypeNode } from 'graphql';
import { invalidField } from '../../errors.ts';
import type { Variables } from './cost.ts';

/** Many more than any filter may have: which of them is one too many is said where it is read. */
const maxParts = 1_000;

/** What is asked, and with which values. */
interface Asked {
  readonly document: DocumentNode;
  readonly operationName?: string | null | undefined;
  readonly variableValues?: Variables | null | undefined;
}

/** Throws BAD_REQUEST that names a variable which holds a filter of thousands of parts. */
export function checkFilters({ document, operationName, variableValues }: Asked): void {
  if (!variableValues) return;
  const declared = getOperationAST(document, operationName)?.variableDefinitions ?? [];
  for (const { variable, type } of declared) {
    const name = variable.name.value;
    const value = Object.hasOwn(variableValues, name) ? variableValues[name] : null;
    // What is JSON may hold what it likes.
    if (typeof value !== 'object' || value === null || nameOf(type) === 'JSON') continue;
    if (partsOf(value, maxParts) <= maxParts) continue;
    const most = maxParts.toLocaleString('en');
    throw invalidField(name, `It joins more than ${most} filters; one has 100 conditions at most.`);
  }
}

function nameOf(type: TypeNode): string {
  let inner = type;
  while (inner.kind !== Kind.NAMED_TYPE) inner = inner.type;
  return inner.name.value;
}

/** How many filters are joined in one; any number beyond `most` where there are more. */
function partsOf(filter: unknown, most: number): number {
  if (typeof filter !== 'object' || filter === null) return 0;
  let parts = 0;
  for (const joiner of ['and', 'or', 'operands', 'not']) {
    const joined: unknown = Reflect.get(filter, joiner) ?? [];
    for (const one of Array.isArray(joined) ? joined : [joined]) {
      parts += 1 + partsOf(one, most - parts);
      if (parts > most) return parts;
    }
  }
  return parts;
}
