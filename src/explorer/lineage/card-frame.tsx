// Frame of a card: its place, and how many neighbours are hidden.

import { type ReactNode, useEffect, useRef } from 'react';
import { lineageWords } from '../words/lineage.ts';
import { deprecationWords } from '../words/resource.ts';
import type { Card } from './model.ts';
import type { Placed } from './scene.ts';

/** What a person can do with a card. */
export interface CardActs {
  readonly choose: (id: string) => void;
  readonly toggle: (id: string) => void;
  readonly showAll: (id: string) => void;
  /** Fetch the neighbours of resources. */
  readonly grow: (ids: readonly string[]) => void;
  /** Show each of what a bundle stands for. */
  readonly unfold: (id: string) => void;
  readonly point: (id: string | null) => void;
}

interface CardFrameProps {
  readonly placed: Placed;
  /** Words for the style: start, chosen, lit, faded. */
  readonly state: string;
  readonly acts: CardActs;
  readonly children: ReactNode;
}

/** The card around what it says. */
export function CardFrame({ placed: { card, x, y }, state, acts, children }: CardFrameProps) {
  const { resource, bundle, width, height } = card;
  const { id, kind, title } = resource;
  const { point } = acts;
  const isOver = useRef(false);
  const hover = (isNow: boolean) => {
    isOver.current = isNow;
    point(isNow ? id : null);
  };
  // A card that is moved out of sight is gone without a leave.
  useEffect(
    () => () => {
      if (isOver.current) point(null);
    },
    [point],
  );
  return (
    <article
      className={`card ${bundle ? 'bundle' : ''} ${state}`}
      style={{ transform: `translate(${x}px, ${y}px)`, width, height }}
      data-kind={kind}
      data-card={id}
      aria-label={resource.deprecation ? deprecationWords.name(title) : title}
      onMouseEnter={() => hover(true)}
      onMouseLeave={() => hover(false)}
    >
      {children}
      <Grow card={card} acts={acts} />
    </article>
  );
}

/** How many neighbours are not in the picture; they are fetched on a click. */
function Grow({ card, acts }: { readonly card: Card; readonly acts: CardActs }) {
  const { title } = card.resource;
  const sides = [
    ['before', card.before, lineageWords.before(title)],
    ['after', card.after, lineageWords.after(title)],
  ] as const;
  return sides.map(
    ([side, more, says]) =>
      more.most > 0 && (
        <button
          key={side}
          type="button"
          className={`grow ${side}`}
          title={`${lineageWords.more(more)} ${says}`}
          onClick={() => acts.grow(more.around)}
        >
          +{lineageWords.more(more)}
          <span className="spoken"> {says}</span>
        </button>
      ),
  );
}
