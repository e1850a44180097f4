// In charge of a card that stands for several resources; a click shows each of them.

import { memo } from 'react';
import { Chip } from '../../parts/icon.tsx';
import { lineageWords } from '../../words/lineage.ts';
import type { CardActs } from '../card.tsx';
import { CardBadges } from '../card-badges.tsx';
import type { Placed } from '../scene.ts';

interface BundleProps {
  readonly placed: Placed;
  readonly state: string;
  readonly acts: CardActs;
}

/** The card: "marts, 41 tables", or "24 charts". */
export const BundleView = memo(function BundleView({ placed, state, acts }: BundleProps) {
  const { card, x, y } = placed;
  const { id, kind, title } = card.resource;
  return (
    <article
      className={`card bundle ${state}`}
      style={{ transform: `translate(${x}px, ${y}px)`, width: card.width, height: card.height }}
      data-kind={kind}
      data-card={id}
      aria-label={title}
      onMouseEnter={() => acts.point(id)}
      onMouseLeave={() => acts.point(null)}
    >
      <header>
        <Chip kind={kind} />
        <button
          type="button"
          className="name"
          aria-expanded={false}
          title={lineageWords.openBundle(title)}
          onClick={() => acts.unfold(id)}
        >
          <b>{title}</b>
          <small>{card.bundle?.place}</small>
        </button>
        <CardBadges card={card} />
      </header>
    </article>
  );
});
