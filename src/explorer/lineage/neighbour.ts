// Arrow keys on a card: along a line, or to the card above or below.

import type { KeyboardEvent } from 'react';
import type { Laid } from './layout/use-layout.ts';
import type { Placed, Scene } from './scene.ts';

/** The card that an arrow key leads to; undefined where it leads to none. */
export function neighbourOf(
  event: KeyboardEvent<HTMLElement>,
  { model }: Laid,
  scene: Scene | null,
): Placed | undefined {
  const { key, target } = event;
  if (!(target instanceof HTMLElement) || !target.matches('.name')) return undefined;
  const id = target.closest<HTMLElement>('[data-card]')?.dataset.card;
  const here = scene?.cards.find(({ card }) => card.id === id);
  if (!here || !scene || !key.startsWith('Arrow')) return undefined;
  event.preventDefault();
  const linked = new Set(
    model.lines.flatMap(({ from, to }) => {
      if (key === 'ArrowRight' && from === id) return [to];
      return key === 'ArrowLeft' && to === id ? [from] : [];
    }),
  );
  const isThere = ({ card, x, y }: Placed) => {
    if (key === 'ArrowUp') return x === here.x && y < here.y;
    return key === 'ArrowDown' ? x === here.x && y > here.y : linked.has(card.id);
  };
  const distance = ({ x, y }: Placed) => Math.hypot(x - here.x, y - here.y);
  return scene.cards.filter(isThere).sort((a, b) => distance(a) - distance(b))[0];
}
