// What a table function gives, one for each row: elements, with their parts.

import { bodyOf, type Identifier, kindOf, listAt, namesOfText, textAt } from '../node.ts';
import type { Column, Relation, Sources } from '../scope/relation.ts';
import type { Scope } from '../scope/scope.ts';
import { resolveColumn } from './expressions/column.ts';
import { partsOf } from './expressions/value-parts.ts';
import type { Trace } from './trace.ts';

/** The columns of a function that takes arrays apart: its one value has their parts, INLINE gives the parts themselves. */
export function withParts(
  trace: Trace,
  node: unknown,
  names: readonly Identifier[],
  scope: Scope,
): (Pick<Column, 'name'> & Partial<Column>)[] {
  const body = bodyOf(node);
  const name = textAt(body, 'name') ?? kindOf(node) ?? '';
  const args = listAt(body, 'args').map((argument) =>
    kindOf(argument) === 'named_argument' ? bodyOf(argument).value : argument,
  );
  const inline = /^inline(?:_outer)?$/i.test(name);
  const isOne = /^(?:pos)?explode(?:_outer)?$|^flatten$|^unnest$/i.test(name);
  const parts = inline || isOne ? partsOf(trace, body.this ?? args[0], scope) : null;
  if (!parts) return names.map((each) => ({ name: each }));
  if (inline) {
    const given = names.length > 0 ? names : parts.columns.map((column) => column.name);
    return given.map((each, i) => ({ ...parts.columns[i], name: each }));
  }
  const value = /^flatten$/i.test(name)
    ? names.findIndex((each) => /^value$/i.test(each.name))
    : names.length - 1;
  return names.map((each, i) => (i === value ? { name: each, parts } : { name: each }));
}

/** Columns as the parts of a value; null where there are none. */
export function relationOfParts(columns: readonly Column[]): Relation | null {
  return columns.length > 0 ? { columns, open: [] } : null;
}

/** What the column of a method is made of: T-SQL's `t.doc.nodes('/a')` gives rows of the column doc. */
export function ownerOf(trace: Trace, name: string, scope: Scope): Sources | null {
  const path = namesOfText(name);
  const method = path.pop()?.name.toLowerCase() ?? '';
  const isMethod = path.length > 0 && trace.dialect.methods.has(method);
  return isMethod ? resolveColumn(trace, path, scope).sources : null;
}
