// Who depends on whom in a project, and the lineage of tables that follows from it.

import type { ExtractedLineage } from './extraction.ts';

/**
 * The nodes of a project and what each depends on. Nodes that are no resources, such as ephemeral
 * models and semantic models, are passed through: what depends on them depends on what they depend on.
 */
export class Dependencies {
  readonly #dependsOn = new Map<string, readonly string[]>();
  readonly #resources = new Set<string>();

  /** Add a node; `isResource` is false for one that is passed through. */
  add(key: string, dependsOn: readonly string[], isResource: boolean): void {
    if (isResource) this.#resources.add(key);
    if (dependsOn.length > 0) this.#dependsOn.set(key, dependsOn);
  }

  /** Every edge between resources, each once. A node the project does not hold makes none. */
  *lineage(): Generator<ExtractedLineage> {
    for (const target of this.#resources) {
      for (const source of this.#sourcesOf(target)) {
        yield { line: 1, from: { by: 'key', key: source }, to: { by: 'key', key: target } };
      }
    }
  }

  #sourcesOf(target: string): Set<string> {
    const sources = new Set<string>();
    // A broken manifest may hold a cycle of ephemeral models: each is passed through once.
    const passed = new Set<string>();
    const open = [...(this.#dependsOn.get(target) ?? [])];
    for (let key = open.pop(); key !== undefined; key = open.pop()) {
      if (this.#resources.has(key)) {
        if (key !== target) sources.add(key);
      } else if (!passed.has(key)) {
        passed.add(key);
        open.push(...(this.#dependsOn.get(key) ?? []));
      }
    }
    return sources;
  }
}
