// The flows of data that a run shows: as its facets say, or from each of its inputs to each of its outputs.

import { isUse, type Use } from '../../lineage/sql/scope/use.ts';
import { foldName } from '../../resources/identities/named-place.ts';
import { textLimits } from '../events/dataset-name.ts';
import { itemsOf, membersOf, textOf } from '../events/loose.ts';
import { idOf } from './fold-events.ts';
import { latestOf, type Said } from './register.ts';

/** Data that flows from one dataset or column to another. */
export interface RunFlow {
  readonly id: string;
  readonly from: string;
  /** In small letters; null for the dataset as a whole. */
  readonly fromColumn: string | null;
  readonly to: string;
  readonly toColumn: string | null;
  readonly isIndirect: boolean;
  readonly uses: readonly Use[];
}

/** What SQL says of the flow into the outputs of a run, by the output. */
export type SqlFlows = ReadonlyMap<string, readonly Omit<RunFlow, 'id' | 'to'>[]>;

/** Flows that one run may show. */
const most = 50_000;

/** What a run is at, by what was said of it. */
export function stateOf(said: Said): string {
  const end = latestOf(said, 'end');
  if (end === 'COMPLETE') return 'completed';
  if (end === 'FAIL') return 'failed';
  if (end === 'ABORT') return 'aborted';
  if (latestOf(said, 'running')) return 'running';
  return latestOf(said, 'stated') ? 'stated' : 'other';
}

/** Whether what a run reads and writes counts as lineage: it succeeded, or is one that never ends. */
export function showsLineage(said: Said): boolean {
  const state = stateOf(said);
  if (state === 'completed' || state === 'stated') return true;
  return state === 'running' && latestOf(said, 'streaming') === true;
}

/** The datasets that a run reads or writes. */
export function datasetsOf(said: Said, side: 'in' | 'out'): string[] {
  const prefix = `${side}:`;
  return Object.keys(said)
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length))
    .sort();
}

/**
 * The flows of a run of a job, each once: of each output what the facet `lineage` says, else `columnLineage`, else its SQL,
 * else that it is made of all inputs.
 */
export function flowsOf(jobId: string, said: Said, sql: SqlFlows): Map<string, RunFlow> {
  const found = new Map<string, RunFlow>();
  if (!showsLineage(said)) return found;
  const inputs = datasetsOf(said, 'in');
  for (const to of datasetsOf(said, 'out')) {
    for (const flow of flowsInto(said, to, inputs, sql)) {
      if (found.size === most) break;
      const { from, fromColumn, toColumn, isIndirect } = flow;
      if (from === to && fromColumn === null) continue;
      const id = idOf([jobId, from, fromColumn, to, toColumn, isIndirect ? 'indirect' : 'direct']);
      const known = found.get(id);
      const uses = known ? [...new Set([...known.uses, ...flow.uses])].sort() : flow.uses;
      found.set(id, { ...flow, id, to, uses });
    }
  }
  return found;
}

type Flow = Omit<RunFlow, 'id' | 'to'>;

function flowsInto(
  said: Said,
  to: string,
  inputs: readonly string[],
  sql: SqlFlows,
): readonly Flow[] {
  for (const facet of ['lineage', 'columnLineage']) {
    const flows = latestOf(said, `${facet}:${to}`);
    if (Array.isArray(flows) && flows.length > 0) return flows.flatMap(facetFlow);
  }
  const traced = sql.get(to);
  if (traced && traced.length > 0) return traced;
  return inputs.map((from) => ({
    ...{ from, fromColumn: null, toColumn: null, isIndirect: false, uses: [] },
  }));
}

/** A flow as it is kept with the run. */
function facetFlow(kept: unknown): Flow[] {
  const { from, field, to, isIndirect, uses } = membersOf(kept);
  const source = textOf(from, textLimits.name);
  if (source === undefined) return [];
  const column = (value: unknown) => {
    const name = textOf(value, textLimits.name);
    return name === undefined ? null : foldName(name);
  };
  return [
    {
      from: source,
      fromColumn: column(field),
      toColumn: column(to),
      isIndirect: isIndirect === true,
      uses: itemsOf(uses, 20)
        .flatMap((use) => textOf(use, 40) ?? [])
        .filter(isUse),
    },
  ];
}
