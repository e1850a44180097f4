// In charge of the word on a card that came or went.

import { lineageWords } from '../../words/lineage.ts';
import type { Change } from '../model.ts';

/** The word; nothing where the card was there all along. */
export function ChangeBadge({ change }: { change: Change }) {
  if (change === 'new') return <span className="badge good">{lineageWords.came}</span>;
  if (change === 'gone') return <span className="badge alarm">{lineageWords.gone}</span>;
  return null;
}
