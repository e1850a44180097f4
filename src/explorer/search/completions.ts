// Completions of filters in the search field: keys, and the values of those that have few.

const values: Readonly<Record<string, readonly string[]>> = {
  kind: ['table', 'column', 'dashboard', 'chart', 'query', 'document', 'glossary', 'schema'],
  tag: [],
  owner: [],
  team: [],
  source: [],
  in: [],
  column: [],
  title: [],
  description: [],
  is: ['verified', 'pii', 'stale', 'deprecated', 'published', 'owned'],
  has: ['incident', 'monitor', 'owner', 'tag', 'description', 'documentation', 'sql', 'lineage'],
  no: ['owner', 'tag', 'description', 'documentation', 'monitor', 'lineage'],
};

const atMost = 8;

/** What was typed with its last word completed, each way that there is. */
export function completionsOf(typed: string): readonly string[] {
  const last = /(-?)([a-z]+)(?::([a-z]*))?$/i.exec(typed);
  if (!last) return [];
  const [word, minus = '', key = '', value] = last;
  const before = typed.slice(0, typed.length - word.length) + minus;
  if (before !== '' && !/[\s-]$/.test(before)) return [];
  const found =
    value === undefined
      ? Object.keys(values)
          .filter((one) => key.length > 1 && one.startsWith(key) && one !== key)
          .map((one) => `${one}:`)
      : (values[key] ?? [])
          .filter((one) => one.startsWith(value) && one !== value)
          .map((one) => `${key}:${one}`);
  return found.slice(0, atMost).map((one) => before + one);
}
