// Mends a tree in which the parser bound a set operation to the wrong query, or left a path in one piece.
import {
  identifierOf,
  isNode,
  isSet,
  isSetOperation,
  isTableBody,
  kindOf,
  listAt,
  type Node,
  walk,
} from '../node.ts';
import { tableOfVariable } from '../tokens/templated.ts';

/** A node that may be changed: the tree is ours alone until it is traced. */
interface Mutable {
  [field: string]: unknown;
}

/**
 * The parser reads `SELECT a FROM t WHERE b > (SELECT 1) UNION SELECT c` as if the UNION were part
 * of the comparison, without a word. A set operation that hangs on the right edge of a clause's
 * expression, and whose left side is a subquery without alias, is moved up around its SELECT,
 * which takes its WITH along. Changes the tree in place and gives its root.
 */
export function repairSetOperations(root: unknown): unknown {
  const selects: { holder: Mutable | null; field: string; node: Mutable }[] = [];
  const stack: { holder: Mutable | null; field: string; value: unknown }[] = [
    { holder: null, field: '', value: root },
  ];
  let misplaced = false;
  while (stack.length > 0) {
    const { holder, field, value } = stack.pop() ?? { holder: null, field: '', value: null };
    if (!isMutable(value)) continue;
    const kind = Array.isArray(value) ? null : kindOf(value);
    if (kind === 'select') selects.push({ holder, field, node: value });
    if (isSetOperation(kind)) misplaced = true;
    for (const name in value) {
      const child = value[name];
      if (typeof child === 'object' && child !== null) {
        stack.push({ holder: value, field: name, value: child });
      }
    }
  }
  if (!misplaced) return root;
  let repaired = root;
  for (const { holder, node } of selects.reverse()) {
    const lifted = liftFrom(node);
    if (lifted && holder === null) repaired = lifted;
  }
  return repaired;
}

function isMutable(value: unknown): value is Mutable {
  return typeof value === 'object' && value !== null;
}

/** Cut a set operation out of a SELECT's last clause and put it around the SELECT. */
function liftFrom(node: Mutable): Mutable | null {
  const select = node.select;
  if (!isMutable(select)) return null;
  const place = lastExpression(select);
  const cut = place ? detach(place.holder, place.field) : null;
  if (!cut) return null;
  const { with: clause, ...rest } = select;
  const left = { select: { ...rest, with: null } };
  delete node.select;
  node[cut.kind] = { ...cut.body, left, with: clause ?? null };
  return node;
}

/** Where the expression stands that ends the text of a SELECT, as far as it ends with one. */
function lastExpression(select: Mutable): { holder: Mutable; field: string } | null {
  for (const clause of ['qualify', 'having']) {
    const holder = select[clause];
    if (isMutable(holder)) return { holder, field: 'this' };
  }
  const keys = isMutable(select.group_by) ? select.group_by.expressions : null;
  if (Array.isArray(keys) && keys.length > 0) return lastOf(keys);
  const where = select.where_clause;
  if (isMutable(where)) return { holder: where, field: 'this' };
  const join: unknown = listAt(select, 'joins').at(-1);
  if (isMutable(join)) return join.on ? { holder: join, field: 'on' } : null;
  const list = select.expressions;
  if (isSet(select, 'from') || !Array.isArray(list) || list.length === 0) return null;
  return lastOf(list);
}

function lastOf(list: unknown[]): { holder: Mutable; field: string } | null {
  const holder: unknown = list;
  return isMutable(holder) ? { holder, field: String(list.length - 1) } : null;
}

const CLOSED = new Set(['subquery', 'paren', 'in', 'exists', 'select']);
const DEEPEST = 5000;

/** Follow the right edge of an expression; cut off a set operation whose left is a subquery. */
function detach(from: Mutable, at: string): { kind: string; body: Node } | null {
  let holder = from;
  let field = at;
  for (let depth = 0; depth < DEEPEST; depth++) {
    const value = holder[field];
    const kind = kindOf(value);
    if (kind === null || !isMutable(value)) return null;
    const body = value[kind];
    if (!isMutable(body)) return null;
    if (isSetOperation(kind)) {
      const left = body.left;
      const isPlain = kindOf(left) === 'subquery' && isNode(left) && !isSet(left.subquery, 'alias');
      if (!isPlain || !isNode(body)) return null;
      holder[field] = left;
      return { kind, body };
    }
    if (CLOSED.has(kind)) return null;
    const next = rightEdge(body);
    if (!next) return null;
    holder = body;
    field = next;
  }
  return null;
}

function rightEdge(body: Mutable): string | null {
  for (const field of ['right', 'high']) if (isMutable(body[field])) return field;
  const isUnary = Object.keys(body).every(
    (field) => field === 'this' || field === 'inferred_type' || field.endsWith('comments'),
  );
  return isUnary && isMutable(body.this) ? 'this' : null;
}

/** A dot between the parts of a path: what stands before a colon is the domain of a project. */
const partDot = /\.(?![^:]*:)/;

/**
 * Take a path apart that stands within one pair of quotes, as `a-b.c.d` or `a-b.c`.d. Changes the tree in place and
 * gives it.
 */
export function spreadQuotedPaths(root: unknown): unknown {
  walk(root, (value) => {
    if (!isTableBody(value) || !isMutable(value)) return;
    const parts = [value.catalog, value.schema, value.name].flatMap((part) => {
      const { name = '', quoted = false } = identifierOf(part) ?? {};
      const names = quoted && !name.includes('/') ? name.split(partDot) : [name];
      return isNode(part) ? names.map((one) => ({ ...part, name: one })) : [];
    });
    const [name, schema = null, ...above] = parts.toReversed();
    const catalog =
      above.length > 1
        ? above
            .map(({ name: one }) => one)
            .reverse()
            .join('.')
        : null;
    Object.assign(value, {
      name,
      schema,
      catalog: catalog ? { name: catalog } : (above[0] ?? null),
    });
  });
  return root;
}

/** A column that is called `interval` arrives as a bare word. Changes the tree in place and gives it. */
export function intervalColumns(root: unknown): unknown {
  walk(root, (value) => {
    const name = kindOf(value) === 'identifier' ? identifierOf(value) : null;
    if (!name || name.quoted || !/^interval$/i.test(name.name) || !isMutable(value)) return;
    const node: Mutable = value;
    delete node.identifier;
    node.column = { name, table: null };
  });
  return root;
}

/** Put tables in the place of the variables of a template that stand for them. Changes the trees in place. */
export function tablesOfVariables(
  trees: readonly unknown[],
  tables: ReadonlyMap<string, string>,
): void {
  walk(trees, (value) => {
    const name = isTableBody(value) && !isSet(value, 'schema') ? identifierOf(value.name) : null;
    const path = name && tableOfVariable(name.name, tables);
    if (!path || !isMutable(value)) return;
    const [schema, table] = path.map((part) => ({ name: part, quoted: false }));
    Object.assign(value, { schema, name: table });
  });
}
