// In charge of which resources a batch of an import writes, and which of them it changes.

import { desired } from './desired.ts';
import type { Stage } from './stage.ts';

/** Workspace, integration, and the numbers of the plan: after the first, up to the last. */
export type Range = readonly [workspaceId: string, integrationId: string, from: number, to: number];

/** What was staged and planned of the resources of a range, as `s` and `p`. */
export const source = ({ plan, resources }: Stage) =>
  `${plan} p join ${resources} s on s.seq = p.seq and p.n > $3 and p.n <= $4`;

/** Which resources there are already, alias `r`, and differ from what they are to be. */
export function isChanged(isForeign: boolean): string {
  const columns = Object.keys(desired(isForeign));
  return `r.workspace_id = $1::uuid and r.id = p.id and not p.is_new and not r.archived
    and p.is_foreign = ${isForeign} and $2::uuid is not null
    and (${columns.map((column) => `r.${column}`).join(', ')})
      is distinct from (${Object.values(desired(isForeign)).join(', ')})`;
}
