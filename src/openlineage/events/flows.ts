// What facets say of the flow of data into a dataset, in one form whichever facet says it.

import { isUse, type Use } from '../../lineage/sql/scope/use.ts';
import { type DatasetName, readName, textLimits } from './dataset-name.ts';
import { itemsOf, membersOf, textOf } from './loose.ts';

/** Data flows into a column of a dataset, or decides about its rows. */
export interface ColumnFlow {
  readonly from: DatasetName;
  /** The column that it comes from; absent for the dataset as a whole. */
  readonly field?: string | undefined;
  /** The column that it comes to; absent for the dataset as a whole. */
  readonly to?: string | undefined;
  readonly isIndirect?: true | undefined;
  readonly uses?: readonly Use[] | undefined;
}

/** Flows that one event may state. */
const most = 20_000;
const mostTransformations = 100;

/** What the facet `columnLineage` says; of facets before 1-1, which name no transformations, all is direct. */
export function columnLineageFlows(facet: unknown): ColumnFlow[] {
  const { fields, dataset } = membersOf(facet);
  const flows = Object.entries(membersOf(fields)).flatMap(([to, said]) => {
    const { inputFields, transformationType } = membersOf(said);
    return flowsFrom(itemsOf(inputFields, most), textOf(to, textLimits.name), transformationType);
  });
  return [...flows, ...flowsFrom(itemsOf(dataset, most), undefined)].slice(0, most);
}

/** What an entry of the facet `lineage` says of the dataset that it is of. */
export function lineageFlows(entry: unknown): ColumnFlow[] {
  const { inputs, fields } = membersOf(entry);
  const flows = Object.entries(membersOf(fields)).flatMap(([to, said]) =>
    flowsFrom(itemsOf(membersOf(said).inputs, most), textOf(to, textLimits.name)),
  );
  return [...flows, ...flowsFrom(itemsOf(inputs, most), undefined)].slice(0, most);
}

function flowsFrom(
  inputs: readonly unknown[],
  to: string | undefined,
  before: unknown = undefined,
): ColumnFlow[] {
  return inputs.flatMap((input) => {
    const from = readName(input);
    const { field, type, transformations } = membersOf(input);
    // Of a job that makes data from nothing there is nothing to draw.
    if (!from || type === 'JOB') return [];
    const column = textOf(field, textLimits.name);
    const { direct, indirect } = transformationsOf(transformations, before);
    const common = { from, ...(column === undefined ? {} : { field: column }) };
    const flows: ColumnFlow[] = [];
    if (column === undefined || to === undefined) {
      const isDeciding = column !== undefined;
      const uses = isDeciding ? [...direct, ...indirect] : [];
      flows.push({ ...common, ...(isDeciding ? { isIndirect: true } : {}), ...usesOf(uses) });
      return flows;
    }
    if (direct.length > 0 || indirect.length === 0) {
      flows.push({ ...common, to, ...usesOf(direct) });
    }
    // A column that decides about rows does so for all columns of the dataset.
    if (indirect.length > 0) flows.push({ ...common, isIndirect: true, ...usesOf(indirect) });
    return flows;
  });
}

const usesOf = (uses: readonly string[]) => {
  const words = [...new Set(uses.filter(isUse))].sort();
  return words.length > 0 ? { uses: words } : {};
};

/** The subtypes of transformations by their type; `?` stands for one that says no more. */
function transformationsOf(transformations: unknown, before: unknown) {
  const direct: string[] = [];
  const indirect: string[] = [];
  for (const one of itemsOf(transformations, mostTransformations)) {
    const { type, subtype } = membersOf(one);
    const word = textOf(subtype, 40)?.toUpperCase() ?? '?';
    (textOf(type, 20)?.toUpperCase() === 'INDIRECT' ? indirect : direct).push(word);
  }
  if (direct.length + indirect.length === 0) {
    const word = textOf(before, 40)?.toUpperCase();
    if (word !== undefined && word !== 'MASKED') direct.push(word);
  }
  return { direct, indirect };
}
