// Dialog that moves a text: into another one that is found by name, or to the top level.

import { useState } from 'react';
import { useAnswer } from '../asking/use-answer.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Icon } from '../parts/icon.tsx';
import { placeOf } from '../parts/link.tsx';
import { shelfWords as words } from '../words/shelf.ts';
import { kindName } from '../words.ts';
import { ShelfBranch } from './shelf.graphql';
import { type Around, mayHold, type Shelf, type ShelfShown, whereIn, whereNamed } from './shelf.ts';

interface MovingProps {
  readonly shelf: Shelf;
  readonly text: ShelfShown;
  readonly move: (into: Around | null) => void;
  readonly close: () => void;
}

/** The dialog. */
export function Moving({ shelf, text, move, close }: MovingProps) {
  const [name, setName] = useState('');
  const sought = name.trim();
  const where = sought === '' ? whereIn(shelf, null) : whereNamed(shelf, sought);
  const { data } = useAnswer(ShelfBranch, { where, first: 20 }, { isKept: true });
  const places = (data?.resources.nodes ?? []).filter(
    (one) => one.id !== text.id && mayHold(one, text.kind),
  );
  const choose = (into: Around | null) => {
    move(into);
    close();
  };
  return (
    <Dialog title={words.moveTitle(text.title)} close={close}>
      <input
        type="search"
        value={name}
        maxLength={200}
        autoComplete="off"
        aria-label={words.findPlace}
        placeholder={words.findPlace}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <ul className="rows places">
        {sought === '' && (
          <li>
            <button type="button" className="row" onClick={() => choose(null)}>
              {words.topLevel}
            </button>
          </li>
        )}
        {places.map((one) => (
          <li key={one.id}>
            <button type="button" className="row" onClick={() => choose(one)}>
              <Icon kind={one.kind} />
              <span>
                <b>{one.title}</b>
                <small>{placeOf(one) || kindName(one.kind)}</small>
              </span>
            </button>
          </li>
        ))}
      </ul>
      {data && places.length === 0 && <p className="quiet">{words.noMatch}</p>}
    </Dialog>
  );
}
