// The name that PostgreSQL figures out for an output without alias, by the rule of its `FigureColname`.

import {
  at,
  bodyOf,
  columnPath,
  type Identifier,
  identifierOf,
  isSetOperation,
  kindOf,
  listAt,
  type Node,
  namesOfText,
  textAt,
  unwrap,
} from '../node.ts';
import { writtenName } from './written-name.ts';

/** A name, and whether a cast or a CASE around it leaves it as it is. */
interface Figured {
  readonly name: Identifier;
  readonly isStrong: boolean;
}

/** The name of an output without alias; null where PostgreSQL has none and writes `?column?`. */
export function figuredName(expression: unknown): Identifier | null {
  return figured(expression)?.name ?? null;
}

function figured(expression: unknown): Figured | null {
  const kind = kindOf(expression);
  return kind === null ? null : (FIGURES.get(kind) ?? ofCall)(bodyOf(expression), expression);
}

type Figure = (body: Node, node: unknown) => Figured | null;

function strong(name: Identifier | string | null | undefined): Figured | null {
  if (!name) return null;
  return { name: typeof name === 'string' ? { name, quoted: false } : name, isStrong: true };
}

/** What stands around a value that keeps its name. */
const ofThis: Figure = (body) => figured(body.this);

const ofCall: Figure = (body, node) => {
  const name = textAt(body, 'original_name') ?? textAt(body, 'name') ?? writtenName(node);
  return strong(name && namesOfText(name.toLowerCase()).at(-1));
};

/** The name of what is cast, or else that of the type, by which a CASE around it is not called. */
const ofCast: Figure = (body) => {
  const inner = figured(body.this);
  if (inner?.isStrong) return inner;
  const name = typeName(body.to);
  return name ? { name, isStrong: false } : inner;
};

const ofCase: Figure = (body) => {
  const inner = figured(body.else_ ?? body.else);
  return inner?.isStrong ? inner : { name: { name: 'case', quoted: false }, isStrong: false };
};

/** The name of the only column of a query. */
const ofQuery: Figure = (body) => {
  let query = unwrap(body.this);
  while (isSetOperation(kindOf(query))) query = unwrap(bodyOf(query).left);
  if (kindOf(query) === 'values') return strong('column1');
  const [only] = listAt(bodyOf(query), 'expressions');
  const name = kindOf(only) === 'alias' ? identifierOf(bodyOf(only).alias) : figuredName(only);
  return strong(name ?? '?column?');
};

/** `DATE '2026-01-01'` is a cast. */
const ofLiteral: Figure = (body) => {
  const type = textAt(body, 'literal_type') ?? '';
  const isTyped = /^(?:date|time|timestamp)$/.test(type);
  return isTyped ? { name: { name: type, quoted: false }, isStrong: false } : null;
};

const TRIMS: Readonly<Record<string, string>> = { Leading: 'ltrim', Trailing: 'rtrim' };

const FIGURES = new Map<string, Figure>([
  ['column', (body) => strong(identifierOf(body))],
  ['dot', (body) => strong(columnPath({ dot: body })?.at(-1) ?? identifierOf(body.field))],
  ...['annotated', 'paren', 'collation', 'format_phrase', 'subscript', 'array_slice'].map(
    (kind): [string, Figure] => [kind, ofThis],
  ),
  ...['window_function', 'within_group', 'filter'].map((kind): [string, Figure] => [kind, ofThis]),
  ...['cast', 'try_cast', 'safe_cast'].map((kind): [string, Figure] => [kind, ofCast]),
  ['case', ofCase],
  ['subquery', ofQuery],
  ['literal', ofLiteral],
  ['interval', () => ({ name: { name: 'interval', quoted: false }, isStrong: false })],
  ['exists', () => strong('exists')],
  ['array_func', () => strong('array')],
  ['array', () => strong('array')],
  ['tuple', () => strong('row')],
  ['at_time_zone', () => strong('timezone')],
  ['method_call', (body) => strong(identifierOf(body.method))],
  ['trim', (body) => strong(TRIMS[textAt(body, 'position') ?? ''] ?? 'btrim')],
  ['mod_func', () => strong('mod')],
]);

/** Types by other names than the parser's. */
const TYPES: Readonly<Record<string, string>> = {
  int: 'int4',
  small_int: 'int2',
  big_int: 'int8',
  double: 'float8',
  decimal: 'numeric',
  var_char: 'varchar',
  char: 'bpchar',
  boolean: 'bool',
  json_b: 'jsonb',
  var_binary: 'bytea',
  var_bit: 'varbit',
};

/** The name by which the catalog of PostgreSQL has a type; an array is called after its elements. */
function typeName(type: unknown): Identifier | null {
  const kind = textAt(type, 'data_type') ?? '';
  if (kind === 'array') return typeName(at(type, 'element_type'));
  if (kind === 'custom') {
    const name = namesOfText((textAt(type, 'name') ?? '').replace(/\(.*$/s, '')).at(-1);
    return name ? { ...name, name: name.quoted ? name.name : name.name.toLowerCase() } : null;
  }
  const { precision, timezone, real_spelling: isReal } = at({ type }, 'type');
  const isShort = isReal === true || (typeof precision === 'number' && precision < 25);
  const name =
    kind === 'float'
      ? `float${isShort ? 4 : 8}`
      : /^time(?:stamp)?$/.test(kind) && timezone === true
        ? `${kind}tz`
        : (TYPES[kind] ?? kind);
  return name === '' ? null : { name, quoted: false };
}
