// The line above a picture with bundles: how much they stand for, and how to see it otherwise.

import type { AddressView } from '../../asking/address.ts';
import { lineageWords as words } from '../../words/lineage.ts';
import type { Model } from '../model.ts';

interface BundlesProps {
  readonly model: Model;
  readonly view: AddressView;
}

/** The line; nothing where no card stands for several. */
export function Bundles({ model, view }: BundlesProps) {
  const isPlain = view.one('plain') !== '';
  const bundles = [...model.cards.values()].flatMap(({ bundle }) => bundle ?? []);
  if (bundles.length === 0 && model.opened.length === 0 && !isPlain) return null;
  const isGrouped =
    bundles.some(({ of }) => of === 'schema') || model.opened.some(({ id }) => !isLike(id));
  const say = isGrouped ? words.grouped : words.folded;
  const close = (id: string) =>
    view.change({ unfold: view.list('unfold').filter((one) => one !== id) });
  return (
    <div className="bundles">
      {bundles.length > 0 && <span>{say(countOf(model.all), countOf(model.cards))}</span>}
      <button
        type="button"
        onClick={() => view.change({ plain: isPlain ? null : '1', unfold: null })}
      >
        {isPlain ? words.bundle : words.plain}
      </button>
      {model.opened.map(({ id, name }) => (
        <button key={id} type="button" className="pill" onClick={() => close(id)}>
          {words.closeBundle(name)}
        </button>
      ))}
    </div>
  );
}

/** How many there are, without those that are gone. */
function countOf(cards: Model['cards']): number {
  return [...cards.values()].filter(({ change }) => change !== 'gone').length;
}

function isLike(id: string): boolean {
  return id.startsWith('like:');
}
