// Who depends on whom in a project, and the lineage of tables that follows from it.

import type { ExtractedLineage } from '../extraction.ts';

/**
 * The nodes of a project and what each depends on. Nodes that are no resources, such as ephemeral
 * models and semantic models, are passed through: what depends on them depends on what they depend on.
 */
export class Dependencies {
  readonly #dependsOn = new Map<string, readonly string[]>();
  readonly #resources = new Set<string>();
  #usedBy: ReadonlyMap<string, readonly string[]> | undefined;

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

  /** Whether a node of the project is passed through, for it makes no table of its own. */
  isPassedThrough(key: string): boolean {
    return !this.#resources.has(key) && (this.#dependsOn.has(key) || this.#isUsed(key));
  }

  /** The first resource that uses a node, directly or through nodes that are passed through. */
  firstUserOf(key: string): string | undefined {
    const passed = new Set<string>([key]);
    // What is found is appended while this goes on, and each node comes once.
    for (const used of passed) {
      for (const user of this.#users().get(used) ?? []) {
        if (this.#resources.has(user)) return user;
        passed.add(user);
      }
    }
    return undefined;
  }

  #isUsed(key: string): boolean {
    return this.#users().has(key);
  }

  /** By node, what depends on it. Asked for when the whole project is known. */
  #users(): ReadonlyMap<string, readonly string[]> {
    if (this.#usedBy) return this.#usedBy;
    const users = new Map<string, string[]>();
    for (const [user, nodes] of this.#dependsOn) {
      for (const node of nodes) {
        const known = users.get(node);
        if (known) known.push(user);
        else users.set(node, [user]);
      }
    }
    this.#usedBy = users;
    return users;
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
