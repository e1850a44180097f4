// The part of a value that an expression takes: a field by its name.

import { bodyOf, type Identifier, identifierOf, kindOf, textAt } from '../../node.ts';
import { type Column, namedColumn } from '../../scope/relation.ts';
import type { Scope } from '../../scope/scope.ts';
import type { Trace } from '../trace.ts';
import { partsOf } from './value-parts.ts';

/** The part of a value that an expression takes, as `s['p']`, `s:p.q` and `(f(x)).p` do; null where it is not known. */
export function partTaken(trace: Trace, node: unknown, scope: Scope): Column | null {
  const body = bodyOf(node);
  switch (kindOf(node)) {
    case 'dot':
      return fieldIn(trace, scope, body.this, identifierOf(body.field));
    case 'subscript':
      return isText(body.index) ? fieldIn(trace, scope, body.this, identifierOf(body.index)) : null;
    case 'j_s_o_n_extract': {
      const path = textAt(bodyOf(body.expression), 'value')?.split('.') ?? [];
      let parts = partsOf(trace, body.this, scope);
      let part: Column | undefined;
      for (const name of path) {
        part = parts ? namedColumn(trace.dialect, parts, { name, quoted: false }) : undefined;
        parts = part?.parts ?? null;
        if (!part) break;
      }
      return part ?? null;
    }
    default:
      return null;
  }
}

/** Whether an index is a text, which names a field rather than an element. */
export function isText(index: unknown): boolean {
  return kindOf(index) === 'literal' && textAt(bodyOf(index), 'literal_type') === 'string';
}

function fieldIn(
  trace: Trace,
  scope: Scope,
  node: unknown,
  field: Identifier | null,
): Column | null {
  const parts = partsOf(trace, node, scope);
  return (parts && field && namedColumn(trace.dialect, parts, field)) ?? null;
}
