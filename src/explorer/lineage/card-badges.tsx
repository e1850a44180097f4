// The words on a card next to its name: that it came or went, and its open incidents.

import { lineageWords } from '../words/lineage.ts';
import { words } from '../words.ts';
import type { Card, Change } from './model.ts';

/** What there is to say next to the name of a card. */
export function CardBadges({ card }: { card: Card }) {
  const incidents = card.resource.openIncidents.length;
  return (
    <>
      <ChangeBadge change={card.change} />
      {incidents > 0 && (
        <span className="badge alarm">
          {incidents}
          <span className="spoken"> {words.incidents(incidents)}</span>
        </span>
      )}
    </>
  );
}

/** The word; nothing where the card was there all along. */
export function ChangeBadge({ change }: { change: Change }) {
  if (change === 'new') return <span className="badge good">{lineageWords.came}</span>;
  if (change === 'gone') return <span className="badge alarm">{lineageWords.gone}</span>;
  return null;
}
