// Finds out which functions in FROM only name a table, and which table that is.

import {
  bodyOf,
  columnPath,
  type Identifier,
  identifierOf,
  identifiersAt,
  kindOf,
  listAt,
  type Node,
  namesOfText,
  textAt,
} from '../node.ts';
import { words } from '../word-set.ts';
import { isNamed, type Scope } from './scope.ts';

const HINT = words(
  'nolock readpast readuncommitted readcommitted repeatableread serializable holdlock updlock',
  'xlock tablock tablockx rowlock paglock nowait noexpand snapshot',
);

/** Old T-SQL writes a table's hints without WITH, as in `FROM t (NOLOCK)`. */
export function isHinted(body: Node): boolean {
  const args = listAt(body, 'args');
  return (
    args.length > 0 &&
    args.every((argument) => {
      const [only, another] = kindOf(argument) === 'column' ? (columnPath(argument) ?? []) : [];
      return only !== undefined && !another && HINT.has(only.name.toLowerCase());
    })
  );
}

const TABLE_FUNCTION = words(
  'table stream live identifier dictionary table_changes table_query remote remotesecure',
  'cluster clusterallreplicas',
);

/** Whether an argument of the function is the name of a table. */
export function namesTable(name: string): boolean {
  return TABLE_FUNCTION.has(name.toLowerCase());
}

/** The name of the table that a function reads; null for a function that reads none by name. */
export function namedTable(body: Node, scope: Scope): Identifier[] | null {
  const name = (textAt(body, 'name') ?? '').toLowerCase();
  const args = listAt(body, 'args');
  if (isHinted(body)) return namesOfText(textAt(body, 'name') ?? '');
  if (!namesTable(name)) return null;
  if (!/^(?:remote|cluster)/.test(name)) return tableArgument(args[0], scope);
  // ClickHouse's `remote('host', db.t)` and `cluster('c', db, t)`.
  const first = tableArgument(args[1], scope);
  const second = first?.length === 1 ? tableArgument(args[2], scope) : null;
  return first && second?.length === 1 ? [...first, ...second] : first;
}

/** The table that an argument names, as a name or as a text. */
export function tableArgument(argument: unknown, scope?: Scope): Identifier[] | null {
  if (kindOf(argument) === 'literal') {
    const text = textAt(bodyOf(argument), 'value') ?? '';
    const isPath = /^[\w$"`.-]+$/.test(text) && !/^\d/.test(text);
    return isPath ? namesOfText(text) : null;
  }
  const path =
    kindOf(argument) === 'column' || kindOf(argument) === 'dot' ? columnPath(argument) : null;
  const head = path?.[0];
  // `TABLE(t.nested)` is a nested table in a column of t, `STREAM(t)` the table t.
  if (!path || !head || scope?.items.some((item) => isNamed(item, [head]))) return null;
  return path;
}

/** The table behind T-SQL's INTO, which with a column list looks like a call of a function or a method. */
export function loggedInto(node: unknown): { path: Identifier[]; columns: Identifier[] } | null {
  const kind = kindOf(node);
  const body = bodyOf(node);
  const columns = identifiersAt(body, 'args');
  if (kind === 'function') {
    return { path: namesOfText(textAt(body, 'name') ?? ''), columns };
  }
  // `log (a, b)` reads like the logarithm.
  if (kind === 'ln' || kind === 'log') {
    const listed = [body.this, body.base].map(identifierOf).filter((name) => name !== null);
    return { path: [{ name: 'log', quoted: false }], columns: listed };
  }
  if (kind === 'method_call') {
    const method = identifierOf(body.method);
    return { path: [...(columnPath(body.this) ?? []), ...(method ? [method] : [])], columns };
  }
  const path = columnPath(node);
  return path ? { path, columns: [] } : null;
}
