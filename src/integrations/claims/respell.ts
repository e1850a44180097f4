// The names of what lies in resources that are spelled in another way than before.

import type { Context } from '../../context.ts';
import { scratch } from '../../database/scratch.ts';
import { placeBelow, setPlace } from '../imports/hierarchy.ts';
import { maxLevels } from '../imports/planning/parents.ts';

/** Bring the names of what lies in settled resources in line with theirs. */
export async function respell(tx: Context, settled: string): Promise<void> {
  const full = `coalesce(h.title_full || '.', '') || c.title`;
  await scratch(
    tx,
    `with recursive down as (
        select ${placeBelow('h')}, 0 as level from ${settled} t
          join resource h on h.workspace_id = $1::uuid and h.id = t.id
          join resource c on c.workspace_id = $1::uuid and c.parent_id = h.id
          where c.title_full is distinct from ${full}
        union all
        select ${placeBelow('d')}, d.level + 1 from down d
          join resource c on c.workspace_id = $1::uuid and c.parent_id = d.id
          where d.level < ${maxLevels})
      update resource r set ${setPlace('d', '$2')}
      from (select distinct on (id) * from down order by id, level desc) d
      where r.workspace_id = $1::uuid and r.id = d.id`,
    [tx.workspaceId, tx.now()],
  );
}
