// A card that stands for several resources; a click shows each of them.

import { memo } from 'react';
import { Chip } from '../../parts/icon.tsx';
import { lineageWords } from '../../words/lineage.ts';
import { CardBadges } from '../card-badges.tsx';
import { type CardActs, CardFrame } from '../card-frame.tsx';
import type { Placed } from '../scene.ts';

interface BundleProps {
  readonly placed: Placed;
  readonly state: string;
  readonly acts: CardActs;
}

/** The card: "marts, 41 tables", or "24 charts". */
export const BundleView = memo(function BundleView({ placed, state, acts }: BundleProps) {
  const { card } = placed;
  const { id, kind, title } = card.resource;
  return (
    <CardFrame placed={placed} state={state} acts={acts}>
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
    </CardFrame>
  );
});
