// Which resources a batch of an import writes, and which of them it changes.

import { differs } from '../claims/settle.ts';
import { desired } from './planning/desired.ts';
import type { Stage } from './staging/stage.ts';

/** Workspace, integration, and numbers: after the first, up to the last. */
export type BatchRange = readonly [
  workspaceId: string,
  integrationId: string,
  from: number,
  to: number,
];

/** What is changed: what the integration describes alone, or what others describe as well. */
export type Sort = 'own' | 'shared';

/**
 * What was staged and planned of the resources of a range of the plan, as `s` and `p`. Neighbours in
 * the plan were read next to each other, as a rule: only what lies between the first and the last is
 * looked at.
 */
export function source({ plan, resources }: Stage): string {
  const outermost = (which: 'min' | 'max') =>
    `(select ${which}(o.seq) from ${plan} o where o.n > $3 and o.n <= $4)`;
  return `${plan} p join ${resources} s on s.seq = p.seq and p.n > $3 and p.n <= $4
    and s.seq between ${outermost('min')} and ${outermost('max')}`;
}

/** The same of a range of what is to be changed, as far as it is of one sort. */
export function changedSource({ changes, plan, resources, settling }: Stage, sort: Sort): string {
  if (sort === 'shared') return `${settling.settled} t`;
  return `${changes} x join ${plan} p on p.n = x.n and x.becomes = 'own'
    and x.k > $3 and x.k <= $4 join ${resources} s on s.seq = p.seq`;
}

/** Which resources there are already, alias `r`, and differ from what they are to be. */
export function isChanged(sort: Sort): string {
  if (sort === 'shared') {
    return `r.workspace_id = $1::uuid and r.id = t.id and $2::uuid is not null
      and t.k > $3 and t.k <= $4 and ${differs}`;
  }
  const columns = Object.keys(desired('own'));
  return `r.workspace_id = $1::uuid and r.id = p.id and not p.is_new and not r.archived
    and not p.is_foreign and not r.shared and $2::uuid is not null
    and ((${columns.map((column) => `r.${column}`).join(', ')})
      is distinct from (${Object.values(desired('own')).join(', ')}) or s.related_changes)`;
}
