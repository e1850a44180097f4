// What columns are used for: as a value, as they are or changed, or only to decide about one.

/** Uses by which a value flows, then those that decide about values or rows; OpenLineage's terms. */
export const USES = [
  'IDENTITY',
  'TRANSFORMATION',
  'AGGREGATION',
  'WINDOW',
  'CONDITIONAL',
  'FILTER',
  'JOIN',
  'GROUP_BY',
  'SORT',
] as const;
export type Use = (typeof USES)[number];

/** Whether a word is one of them. */
export function isUse(word: string): word is Use {
  return USES.some((use) => use === word);
}

/** Several uses at once, a bit each in the order of `USES`: there are many of them in a text. */
export type Uses = number;

const NONE: Uses = 0;
const bits = new Map<Use, Uses>(USES.map((use, i) => [use, 1 << i]));

export function usesOf(...names: readonly Use[]): Uses {
  return names.reduce((all, name) => all | (bits.get(name) ?? NONE), NONE);
}

export function namesOfUses(uses: Uses): Use[] {
  return USES.filter((use) => (uses & usesOf(use)) !== 0);
}

const IDENTITY = usesOf('IDENTITY');
const FLOWS = usesOf('IDENTITY', 'TRANSFORMATION', 'AGGREGATION');

/**
 * The uses of a column whose value (used as `inner`) goes into an expression that uses it as `outer`.
 * What only decides does nothing else, however it was made; what is changed is no longer identical.
 */
export function usedWithin(outer: Uses, inner: Uses): Uses {
  if (outer === IDENTITY) return inner;
  if ((outer & FLOWS) === 0) return outer;
  const both = (outer | inner) & ~IDENTITY;
  return both === NONE ? IDENTITY : both;
}

/** The uses of what decides about a part of an expression that itself is used as `outer`. */
export function decidingWithin(outer: Uses, own: Uses): Uses {
  return (outer & FLOWS) === 0 ? outer | own : own;
}
