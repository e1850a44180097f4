// Names the output of an expression that was given no alias, as each dialect's engine names it.
import type { Dialect } from '../dialect.ts';
import {
  bodyOf,
  columnPath,
  type Identifier,
  identifierOf,
  kindOf,
  listAt,
  unwrap,
} from '../node.ts';
import { writeExpression } from '../parser.ts';
import { figuredName } from './figured-name.ts';

/** Where an unnamed output stands: among all outputs, and among those without a name before it. */
export interface OutputPlace {
  readonly position: number;
  readonly unnamed: number;
}

/** The name of an item of a select list without alias. */
export function outputName(dialect: Dialect, expression: unknown, place: OutputPlace): Identifier {
  return ownName(dialect, expression) ?? madeUpName(dialect, expression, place);
}

/** The name that an expression brings along; null where the engine has to make one up. */
export function ownName(dialect: Dialect, expression: unknown): Identifier | null {
  if (dialect.unnamed === 'function') return figuredName(expression);
  const kind = kindOf(expression);
  if (kind === null) return null;
  const body = bodyOf(expression);
  if (kind === 'column') return identifierOf(body);
  if (kind === 'dot') return columnPath(expression)?.at(-1) ?? identifierOf(body.field);
  if (hands(dialect, kind)) return ownName(dialect, body.this);
  if (kind === 'subquery') {
    const [only, another] = listAt(bodyOf(unwrap(expression)), 'expressions');
    if (another !== undefined) return null;
    if (kindOf(only) === 'alias') return identifierOf(bodyOf(only).alias);
    return ownName(dialect, only);
  }
  return null;
}

const TRANSPARENT = new Set(['annotated', 'paren', 'collation', 'format_phrase']);
const CASTS = new Set(['cast', 'try_cast', 'safe_cast']);

/** Whether what stands around an expression leaves it its name; a cast does so in some engines only. */
function hands(dialect: Dialect, kind: string): boolean {
  return TRANSPARENT.has(kind) || (CASTS.has(kind) && dialect.unnamed !== '_c0');
}

function madeUpName(dialect: Dialect, expression: unknown, place: OutputPlace): Identifier {
  const { position, unnamed } = place;
  const plain = (name: string) => ({ name, quoted: false });
  switch (dialect.unnamed) {
    case 'text':
      return plain(writeExpression(expression, dialect) ?? `_col_${position}`);
    case 'upper text':
      return plain(writeExpression(expression, dialect)?.toUpperCase() ?? `_col_${position}`);
    case 'f0_':
      return plain(`f${unnamed}_`);
    case '_c0':
      return plain(`_c${position}`);
    case '_col0':
      return plain(`_col${position}`);
    case 'EXPR$0':
      return plain(`EXPR$${position}`);
    case 'function':
      return plain('?column?');
    case 'position':
      return plain(`_col_${position}`);
  }
}
