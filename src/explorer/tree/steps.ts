// Steps in a tree by keys: where the focus goes, and what opens and closes.

/** Something in the tree that is in sight, from top to bottom. */
export interface TreeState {
  readonly id: string;
  /** Its name in small letters. */
  readonly name: string;
  readonly level: number;
  /** Null where nothing lies in it. */
  readonly isOpen: boolean | null;
}

/** What a key does. */
export interface TreeStep {
  /** The place of the one that has the focus next. */
  readonly to?: number;
  readonly open?: readonly string[];
  readonly close?: string;
}

/** What a key does at a place of the tree, after what was typed before it; null for nothing. */
export function stepBy(
  key: string,
  typed: string,
  items: readonly TreeState[],
  at: number,
): TreeStep | null {
  const item = items[at];
  if (!item) return null;
  const { id, level, isOpen } = item;
  if (key === 'ArrowDown') return { to: Math.min(at + 1, items.length - 1) };
  if (key === 'ArrowUp') return { to: Math.max(at - 1, 0) };
  if (key === 'Home') return { to: 0 };
  if (key === 'End') return { to: items.length - 1 };
  if (key === 'ArrowRight') {
    if (isOpen === null) return {};
    return isOpen ? { to: Math.min(at + 1, items.length - 1) } : { open: [id] };
  }
  if (key === 'ArrowLeft') {
    if (isOpen) return { close: id };
    const above = items.findLastIndex((one, place) => place < at && one.level < level);
    return above < 0 ? {} : { to: above };
  }
  if (key === '*') return { open: siblingsOf(items, at).map((one) => one.id) };
  if (key.length !== 1 || key === ' ') return null;
  // One letter again goes on to the next; several go on where they are.
  const isAgain = [...typed].every((letter) => letter === typed[0]);
  const sought = isAgain ? typed.slice(0, 1) : typed;
  const from = isAgain ? at + 1 : at;
  const order = [...items.keys()].map((step) => (from + step) % items.length);
  const to = order.find((place) => items[place]?.name.startsWith(sought));
  return to === undefined ? null : { to };
}

/** Those that lie in the same, as far as something lies in them. */
function siblingsOf(items: readonly TreeState[], at: number): readonly TreeState[] {
  const level = items[at]?.level ?? 0;
  const isAround = (one: TreeState) => one.level < level;
  const first = items.findLastIndex((one, place) => place < at && isAround(one));
  const next = items.findIndex((one, place) => place > at && isAround(one));
  return items
    .slice(first + 1, next < 0 ? items.length : next)
    .filter((one) => one.level === level && one.isOpen === false);
}
