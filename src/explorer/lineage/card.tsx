// One card of the picture: a resource, its state, and its columns once they are open.

import { memo } from 'react';
import { DeprecatedMark } from '../parts/badges.tsx';
import { Chip } from '../parts/icon.tsx';
import { placeOf } from '../parts/link.tsx';
import { lineageWords } from '../words/lineage.ts';
import { kindName } from '../words.ts';
import { CardBadges } from './card-badges.tsx';
import { type CardActs, CardFrame } from './card-frame.tsx';
import type { Row } from './model.ts';
import type { Placed } from './scene.ts';

interface CardProps {
  readonly placed: Placed;
  /** Words for the style: start, chosen, lit, faded. */
  readonly state: string;
  readonly isChosen: boolean;
  /** Rows on the path; null where none is lit. */
  readonly litRows: ReadonlySet<string> | null;
  readonly acts: CardActs;
}

/** The card. */
export const CardView = memo(function CardView(props: CardProps) {
  const { placed, state, isChosen, litRows, acts } = props;
  const { card } = placed;
  const { resource, rows, columns } = card;
  const { id, kind, title } = resource;
  return (
    <CardFrame placed={placed} state={state} acts={acts}>
      <header>
        <Chip kind={kind} />
        <button
          type="button"
          className="name"
          aria-pressed={isChosen}
          onClick={() => acts.choose(id)}
        >
          <b>{title}</b>
          <small>
            <span className="spoken">
              {kindName(kind)}
              {card.direction && `, ${lineageWords.away(card.depth, card.direction)}`}{' '}
            </span>
            <DeprecatedMark of={resource.deprecation} /> {placeOf(resource)}
          </small>
        </button>
        <CardBadges card={card} />
        {columns > 0 && (
          <button
            type="button"
            className="toggle"
            aria-expanded={rows.length > 0}
            onClick={() => acts.toggle(id)}
          >
            {rows.length > 0 ? '−' : columns}
            <span className="spoken"> {lineageWords.columnsOf(title)}</span>
          </button>
        )}
      </header>
      {rows.length > 0 && <Rows card={id} rows={rows} litRows={litRows} acts={acts} />}
      {card.moreRows > 0 && (
        <button type="button" className="more" onClick={() => acts.showAll(id)}>
          {lineageWords.moreColumns(card.moreRows)}
        </button>
      )}
    </CardFrame>
  );
});

interface RowsProps {
  readonly card: string;
  readonly rows: readonly Row[];
  readonly litRows: ReadonlySet<string> | null;
  readonly acts: CardActs;
}

function Rows({ card, rows, litRows, acts }: RowsProps) {
  const stateOf = (id: string) => (litRows === null ? '' : litRows.has(id) ? 'lit' : 'faded');
  return (
    <ul>
      {rows.map(({ id, title, type, isLinked }) => (
        <li key={id} className={stateOf(id)}>
          <button
            type="button"
            disabled={!isLinked}
            onClick={() => acts.choose(id)}
            onMouseEnter={() => isLinked && acts.point(id)}
            onMouseLeave={() => acts.point(card)}
          >
            <span>{title}</span> <i>{type}</i>
          </button>
        </li>
      ))}
    </ul>
  );
}
