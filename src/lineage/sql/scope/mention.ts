// Lists the tables that trees mention, so that the caller can load their columns at once.
import {
  at,
  bodyOf,
  columnPath,
  identifierOf,
  isTableBody,
  kindOf,
  listAt,
  tablePath,
  textAt,
  walk,
} from '../node.ts';
import { isTemplate } from '../tokens/templated.ts';
import type { Defaults } from './default-names.ts';
import { isHinted, namesTable } from './named-table.ts';
import { withDefaults } from './table.ts';

/** The names in the trees with defaults put before them, each once, CTEs left out. */
export function mentionedNames(trees: readonly unknown[], defaults: Defaults): string[][] {
  const names = new Map<string, string[]>();
  const ctes = new Set<string>();
  const add = (path: ReturnType<typeof tablePath>) => {
    if (path.length === 0) return;
    const all = withDefaults(path, defaults).map((part) => part.name);
    // What a template makes is not known: the parts behind it are looked for.
    const full = all.slice(all.findLastIndex(isTemplate) + 1);
    if (full.length === 0) return;
    names.set(path.map((part) => part.name).join('\u0000'), full);
  };
  walk(trees, (value) => {
    if (isTableBody(value)) add(tablePath(value));
    else if ('ctes' in value) {
      for (const cte of listAt(value, 'ctes')) {
        ctes.add(identifierOf(at({ cte }, 'cte').alias)?.name ?? '');
      }
    } else if (kindOf(value) === 'function' && isHinted(bodyOf(value))) {
      const name = textAt(bodyOf(value), 'name') ?? '';
      add(name.split('.').map((part) => ({ name: part, quoted: false })));
    } else if (kindOf(value) === 'function' && namesTable(textAt(bodyOf(value), 'name') ?? '')) {
      for (const argument of listAt(bodyOf(value), 'args')) add(columnPath(argument) ?? []);
    } else if ('into_table' in value) add(columnPath(value.into_table) ?? []);
  });
  for (const name of ctes) names.delete(name);
  return [...names.values()];
}
