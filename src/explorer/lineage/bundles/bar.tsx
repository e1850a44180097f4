// The line above a picture with bundles: how much they stand for, and how to see it otherwise.

import type { AddressView } from '../../asking/address.ts';
import { lineageWords as words } from '../../words/lineage.ts';
import { groupings, type Model } from '../model.ts';
import { mostCards } from './bundle.ts';
import { groupingIn } from './grouping-in.ts';

interface BundlesProps {
  readonly model: Model;
  readonly view: AddressView;
}

/** The line; nothing where no card stands for several. */
export function Bundles({ model, view }: BundlesProps) {
  const isPlain = view.one('plain') !== '';
  const by = groupingIn(view);
  const isLarge = by !== null || model.all.size > mostCards;
  const bundles = [...model.cards.values()].flatMap(({ bundle }) => bundle ?? []);
  if (bundles.length === 0 && model.opened.length === 0 && !isPlain) return null;
  const isGrouped =
    bundles.some(({ of }) => of !== 'siblings') || model.opened.some(({ id }) => !isLike(id));
  const [all, cards] = [countOf(model.all), countOf(model.cards)];
  const says = isGrouped ? words.grouped(all, cards, by ?? 'schema') : words.folded(all, cards);
  const close = (id: string) =>
    view.change({ unfold: view.list('unfold').filter((one) => one !== id) });
  return (
    <div className="bundles">
      {bundles.length > 0 && <span>{says}</span>}
      {isLarge ? (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a legend in sight
        <div className="seg" role="group" aria-label={words.groupBy}>
          {groupings.map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={!isPlain && one === (by ?? 'schema')}
              onClick={() => view.change({ group: one, plain: null, unfold: null })}
            >
              {words.groupings[one]}
            </button>
          ))}
          <button
            type="button"
            aria-pressed={isPlain}
            onClick={() => view.change({ plain: '1', unfold: null })}
          >
            {words.ungrouped}
          </button>
        </div>
      ) : (
        <button
          type="button"
          onClick={() => view.change({ plain: isPlain ? null : '1', unfold: null })}
        >
          {isPlain ? words.bundle : words.plain}
        </button>
      )}
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
