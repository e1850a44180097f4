// Lists the tables that trees mention, so that the caller can load their columns at once.
import {
  at,
  bodyOf,
  columnPath,
  type Identifier,
  identifierOf,
  isSet,
  isTableBody,
  kindOf,
  listAt,
  type Node,
  namesOfText,
  tablePath,
  textAt,
  walk,
} from '../node.ts';
import { isTemplate } from '../tokens/templated.ts';
import type { Defaults } from './default-names.ts';
import { isHinted, loggedInto, namesTable, tableArgument } from './named-table.ts';
import { withDefaults } from './table.ts';

/** The names in the trees with defaults put before them, each once; those that mean CTEs are left out. */
export function mentionedNames(trees: readonly unknown[], defaults: Defaults): string[][] {
  const names = new Map<string, string[]>();
  for (const tree of trees) {
    const ctes = new Set<string>();
    const beside = new Set<string>();
    walk(tree, (value) => {
      if (!('ctes' in value)) return;
      for (const cte of listAt(value, 'ctes')) {
        const name = identifierOf(at({ cte }, 'cte').alias)?.name ?? '';
        ctes.add(name);
        // `WITH orders AS (SELECT ... FROM orders)` reads the table.
        if (!isSet(value, 'recursive') && pathsIn(at({ cte }, 'cte').this).has(name))
          beside.add(name);
      }
    });
    for (const [key, path] of pathsIn(tree)) {
      if (ctes.has(key) && !beside.has(key)) continue;
      for (const schema of [defaults.schema, ...(defaults.further ?? [])]) {
        const full = asked(path, { ...defaults, schema });
        if (full.length > 0) names.set(full.join('\u0000'), full);
      }
    }
  }
  return [...names.values()];
}

/** What to look for: what a template makes is not known, but the parts behind it are. */
function asked(path: Path, defaults: Defaults): string[] {
  const all = withDefaults(path, defaults).map((part) => part.name);
  return all.slice(all.findLastIndex(isTemplate) + 1);
}

type Path = readonly Identifier[];

/** The paths that a tree names where tables may stand, by their parts as written. */
function pathsIn(tree: unknown): Map<string, Path> {
  const paths = new Map<string, Path>();
  const add = (path: Path) => {
    if (path.length > 0) paths.set(path.map((part) => part.name).join('\u0000'), path);
  };
  walk(tree, (value) => {
    const kind = kindOf(value);
    if (isTableBody(value)) add(tablePath(value));
    else if (kind === 'function') for (const path of namedByCall(bodyOf(value))) add(path);
    else if (kind === 'pivot' || kind === 'unpivot') add(columnPath(bodyOf(value).this) ?? []);
    else if ('into_table' in value) add(loggedInto(value.into_table)?.path ?? []);
  });
  return paths;
}

/** The tables that a call names: by its own name where it holds hints, else by its arguments. */
function namedByCall(body: Node): Path[] {
  const name = textAt(body, 'name') ?? '';
  if (isHinted(body)) return [namesOfText(name)];
  // ClickHouse's dictionaries are named by the first argument.
  if (/^dictget/i.test(name)) return [tableArgument(listAt(body, 'args')[0]) ?? []];
  if (!namesTable(name)) return [];
  return listAt(body, 'args').map((argument) => tableArgument(argument) ?? []);
}
