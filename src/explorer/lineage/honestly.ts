// Notes on what the picture leaves out, and why.

import { lineageWords } from '../words/lineage.ts';
import type { Compared } from './history/compared.ts';
import type { Model } from './model.ts';
import type { LineagePictureData } from './page.graphql';

type Tables = NonNullable<LineagePictureData['tables']>;

/** How much is shown, what was cut, what the key may not see, and what came and went. */
export function honestly(tables: Tables, model: Model | undefined, compared: Compared): string {
  const { nodes, totalNodes, truncatedBy, truncatedAt, hiddenNodes } = tables;
  const gone = compared.goneNodes.length;
  const shown = (model?.all.size ?? nodes.length + gone) - gone;
  return [
    lineageWords.shown(shown, totalNodes),
    ...(truncatedBy === null ? [] : [lineageWords.cut(truncatedBy, truncatedAt ?? 0)]),
    ...(hiddenNodes > 0 ? [lineageWords.hidden(hiddenNodes)] : []),
    ...compared.says,
  ].join('; ');
}
