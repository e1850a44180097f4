// Reads the parser's syntax tree, whose nodes are `{ kind: { ...fields } }`, without trusting it.

/** An object of the tree: a node `{ kind: body }`, or the body of one. */
export interface Node {
  readonly [field: string]: unknown;
}

/** A name as written. Quoted names keep their case in every dialect. */
export interface Identifier {
  readonly name: string;
  readonly quoted: boolean;
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The kind of a node, or null for what is no node: a node has exactly one field. */
export function kindOf(value: unknown): string | null {
  if (!isNode(value)) return null;
  let kind: string | null = null;
  for (const field in value) {
    if (kind !== null) return null;
    kind = field;
  }
  return kind;
}

/** The body of a node; an empty one when it has none. */
export function bodyOf(value: unknown): Node {
  const kind = kindOf(value);
  return kind === null ? EMPTY : at(value, kind);
}

const EMPTY: Node = Object.freeze({});

/** The object in a field; an empty one when it is absent. */
export function at(value: unknown, field: string): Node {
  const child = isNode(value) ? value[field] : null;
  return isNode(child) ? child : EMPTY;
}

/** The list in a field; an empty one when it is absent. */
export function listAt(value: unknown, field: string): readonly unknown[] {
  const list = isNode(value) ? value[field] : null;
  return Array.isArray(list) ? list : [];
}

export function textAt(value: unknown, field: string): string | null {
  const text = isNode(value) ? value[field] : null;
  return typeof text === 'string' ? text : null;
}

export function isSet(value: unknown, field: string): boolean {
  const found = isNode(value) ? value[field] : null;
  return found !== null && found !== undefined && found !== false;
}

/** Fields that hold no expression: walks pass over them. */
export function isAside(field: string): boolean {
  return field === 'span' || field === 'inferred_type' || field.endsWith('comments');
}

/** The text of `$tag$text$tag$`, which the parser hands on as the tag, a NUL and the text. */
function untagged(text: string): string {
  return text.slice(text.lastIndexOf('\0') + 1);
}

/** The identifier in any shape that the parser gives names: plain, wrapped, column, literal. */
export function identifierOf(value: unknown): Identifier | null {
  if (typeof value === 'string') return value === '' ? null : { name: value, quoted: false };
  if (!isNode(value)) return null;
  const { name } = value;
  if (typeof name === 'string') {
    return name === '' ? null : { name: untagged(name), quoted: value.quoted === true };
  }
  if (isNode(name)) return identifierOf(name);
  const kind = kindOf(value);
  const body = bodyOf(value);
  if (kind === 'identifier' || kind === 'column') return identifierOf(body);
  if (kind === 'var') return identifierOf(body.this);
  if (kind === 'literal') {
    const text = textAt(body, 'value');
    return text === null ? null : { name: untagged(text), quoted: true };
  }
  return null;
}

/** The identifiers in a list, those that are none left out. */
export function identifiersAt(value: unknown, field: string): Identifier[] {
  return listAt(value, field)
    .map(identifierOf)
    .filter((name) => name !== null);
}

/** Whether an object is the body of a table reference. */
export function isTableBody(value: unknown): boolean {
  return isNode(value) && isNode(value.name) && 'schema' in value && 'catalog' in value;
}

/**
 * The path of a table reference, outermost part first: `[catalog, schema, name]` as far as given.
 * The first two of four parts arrive as one without quotes and are taken apart; a dot within quotes is a letter. A part
 * left out in the middle (`db..t`) is an empty name.
 */
export function tablePath(table: unknown): Identifier[] {
  const path: Identifier[] = [];
  if (!isNode(table)) return path;
  for (const field of ['catalog', 'schema', 'name']) {
    const part = identifierOf(table[field]);
    if (!part && path.length > 0 && isNode(table[field])) path.push({ name: '', quoted: false });
    if (!part) continue;
    if (part.quoted || part.name.includes('/')) path.push(part);
    else path.push(...part.name.split('.').map((name) => ({ name, quoted: false })));
  }
  return path.at(-1)?.name ? path : [];
}

/** The names in a text such as `a."b.c"`, as they are written. */
export function namesOfText(text: string): Identifier[] {
  return [...text.matchAll(/(?<quote>[`"])(?<quoted>.+?)\k<quote>|[^.`"]+/gs)].map(
    ({ 0: bare, groups }) =>
      groups?.quoted === undefined
        ? { name: bare, quoted: false }
        : { name: groups.quoted, quoted: true },
  );
}

/**
 * The parts of a column reference, outermost first: a column with its qualifier, or a path of dots.
 * Null when the node is none of these.
 */
export function columnPath(node: unknown): Identifier[] | null {
  const tail: Identifier[] = [];
  let current = node;
  while (kindOf(current) === 'dot') {
    const dot = bodyOf(current);
    const field = identifierOf(dot.field);
    if (!field) return null;
    tail.push(field);
    current = unwrapParens(dot.this);
  }
  const kind = kindOf(current);
  if (kind !== 'column' && kind !== 'identifier') return null;
  const body = bodyOf(current);
  const head = [kind === 'column' ? identifierOf(body.table) : null, identifierOf(body)];
  return [...head.flatMap(plainParts), ...tail.reverse()];
}

/** `(t).a` is the path t.a. */
function unwrapParens(node: unknown): unknown {
  let current = node;
  while (kindOf(current) === 'paren') current = bodyOf(current).this;
  return current;
}

/** Some paths arrive as one flat name. */
function plainParts(part: Identifier | null): Identifier[] {
  if (!part) return [];
  if (part.quoted || !/^[\p{L}_][\p{L}\w$]*(?:\.[\p{L}_][\p{L}\w$]*)+$/u.test(part.name))
    return [part];
  return part.name.split('.').map((name) => ({ name, quoted: false }));
}

const QUERIES = new Set(['select', 'union', 'intersect', 'except', 'values']);
const SET_OPERATIONS = new Set(['union', 'intersect', 'except']);

export function isQueryKind(kind: string | null): boolean {
  return kind !== null && QUERIES.has(kind);
}

export function isSetOperation(kind: string | null): kind is string {
  return kind !== null && SET_OPERATIONS.has(kind);
}

/** Whether a node is a query, perhaps in brackets. */
export function isQuery(node: unknown): boolean {
  return isQueryKind(kindOf(unwrap(node)));
}

/** The node inside brackets that add nothing to it. */
export function unwrap(node: unknown): unknown {
  let current = node;
  for (;;) {
    const kind = kindOf(current);
    if (kind !== 'subquery' && kind !== 'paren') return current;
    current = bodyOf(current).this;
  }
}

/** Visit every object below a value, iteratively: trees of long scripts are deep. */
export function walk(root: unknown, visit: (value: Node) => void): void {
  const stack: unknown[] = [root];
  while (stack.length > 0) {
    const value = stack.pop();
    if (isNode(value)) visit(value);
    pushChildren(stack, value);
  }
}

/** Push the objects in a value onto a stack, so that the first one is taken next. */
export function pushChildren(stack: unknown[], value: unknown): void {
  let low = stack.length;
  if (Array.isArray(value)) {
    for (const child of value) if (typeof child === 'object' && child !== null) stack.push(child);
  } else if (isNode(value)) {
    for (const field in value) {
      const child = value[field];
      if (typeof child === 'object' && child !== null && !isAside(field)) stack.push(child);
    }
  }
  for (let high = stack.length - 1; low < high; low++, high--) {
    const first = stack[low];
    stack[low] = stack[high];
    stack[high] = first;
  }
}
