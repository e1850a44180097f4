// In charge of saying what the picture does not show, and why.

import { words } from '../words.ts';
import type { Model } from './model.ts';
import type { LineagePictureData } from './page.graphql';

type Tables = NonNullable<LineagePictureData['tables']>;

/** How much is shown, what was cut, and what the key may not see. */
export function honestly(tables: Tables, model: Model | undefined): string {
  const { nodes, totalNodes, truncatedReason, hiddenNodes } = tables;
  const shown = model?.cards.size ?? nodes.length;
  const [, limit = '', at = ''] = /^(\w+): .*?([\d,]+)?\D*$/.exec(truncatedReason ?? '') ?? [];
  return [
    words.lineage.shown(shown, totalNodes),
    ...(truncatedReason === null ? [] : [words.lineage.cut(limit, at)]),
    ...(hiddenNodes > 0 ? [words.lineage.hidden(hiddenNodes)] : []),
  ].join('; ');
}
