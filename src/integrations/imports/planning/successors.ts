// The successors of what an import deprecates: which resource each line means.

import type { Context } from '../../../context.ts';
import { scratch } from '../../../database/scratch.ts';
import { findByKeyOrName, stageNames } from '../edges/edges.ts';
import { type ImportNotes, maxNamed } from '../staging/problems.ts';
import type { Stage } from '../staging/stage.ts';

const parts = ['key', 'cluster', 'database', 'schema', 'table', 'column'] as const;

/**
 * Find out which resources the staged deprecations name, once all are planned: those of the source by their keys, others by
 * their names, as ends of lineage are. What names nothing is noted, and so is what others describe as well: that is
 * deprecated by hand alone.
 */
export async function findSuccessors(
  tx: Context,
  stage: Stage,
  integrationId: string,
  { file, note }: ImportNotes,
): Promise<void> {
  const { resources, plan } = stage;
  const [said] = await scratch<{ any: boolean; named: boolean }>(
    tx,
    `select count(*) > 0 as any, coalesce(bool_or(deprecation ? 'successor'), false) as named
      from ${resources} where deprecation is not null`,
  );
  if (!said?.any) return;
  const shared = await scratch<{ line: number }>(
    tx,
    `select s.line from ${resources} s join ${plan} p on p.key = s.key
      left join resource r on r.workspace_id = $1::uuid and r.id = p.id
      where s.deprecation is not null and (p.is_foreign or p.claims or r.shared) order by s.line limit ${maxNamed}`,
    [tx.workspaceId],
  );
  for (const { line } of shared) {
    note(`${file}, line ${line}: deprecated is left out, for other sources describe it as well.`);
  }
  if (!said.named) return;
  await stageNames(tx, stage, integrationId);
  const named = parts.map((part) => `s.deprecation->'successor'->>'${part}' as f_${part}`);
  await scratch(
    tx,
    `update ${resources} r set successor_id = f.id
      from (select s.seq, ${named.join(', ')} from ${resources} s where s.deprecation ? 'successor') e
        ${findByKeyOrName(stage, 'f')}
      where r.seq = e.seq and f.id is distinct from (select p.id from ${plan} p where p.key = r.key)`,
    [tx.workspaceId],
  );
  const unknown = await scratch<{ line: number }>(
    tx,
    `select line from ${resources} where deprecation ? 'successor' and successor_id is null
      order by line limit ${maxNamed}`,
  );
  for (const { line } of unknown) {
    note(`${file}, line ${line}: deprecated.successor points at nothing known, or at itself.`);
  }
}
