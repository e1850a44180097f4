// Names the output of an expression that was given no alias.
import type { Dialect } from '../dialect.ts';
import {
  bodyOf,
  columnPath,
  type Identifier,
  identifierOf,
  kindOf,
  listAt,
  textAt,
  unwrap,
} from '../node.ts';

/** The name of an item of a select list without alias; `_col_3` where the dialect gives none. */
export function outputName(dialect: Dialect, expression: unknown, position: number): Identifier {
  const name = nameOf(dialect, expression);
  return name ?? { name: `_col_${position}`, quoted: false };
}

const TRANSPARENT = new Set([
  'annotated',
  'cast',
  'try_cast',
  'safe_cast',
  'paren',
  'collation',
  'format_phrase',
]);

function nameOf(dialect: Dialect, expression: unknown): Identifier | null {
  const kind = kindOf(expression);
  if (kind === null) return null;
  const body = bodyOf(expression);
  if (kind === 'column') return identifierOf(body);
  if (kind === 'dot') return columnPath(expression)?.at(-1) ?? identifierOf(body.field);
  if (TRANSPARENT.has(kind)) return nameOf(dialect, body.this);
  if (kind === 'subquery') {
    const [only, another] = listAt(bodyOf(unwrap(expression)), 'expressions');
    if (another !== undefined) return null;
    if (kindOf(only) === 'alias') return identifierOf(bodyOf(only).alias);
    return nameOf(dialect, only);
  }
  return dialect.namesByFunction ? functionName(kind, body) : null;
}

const BY_KIND: Record<string, string> = { case: 'case', exists: 'exists', array_func: 'array' };

/** PostgreSQL calls an unnamed output after its function. */
function functionName(kind: string, body: unknown): Identifier | null {
  const inner = kind === 'window_function' || kind === 'within_group' ? bodyOf(body) : null;
  if (inner) return null;
  const name = textAt(body, 'original_name') ?? textAt(body, 'name') ?? BY_KIND[kind];
  return name ? { name: name.toLowerCase(), quoted: false } : null;
}
