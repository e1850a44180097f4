// Which tables and columns a project's declarations are about, before they are written.

import type { Context } from '../../../context.ts';
import { scratch } from '../../../database/scratch.ts';
import { columnKey } from '../../readers/artifacts/project.ts';
import type { DeclaredTarget, TargetName } from '../declared.ts';
import type { StaleRule } from '../gone.ts';
import type { Stage } from '../staging/stage.ts';
import { desired } from './desired.ts';

interface Row extends DeclaredTarget {
  readonly n: number;
}

/**
 * The targets that names stand for, as they are once the plan is written; null for a name that
 * stands for nothing. A column may be one that only the catalog knows, unless this import makes it
 * stale.
 */
export async function declaredTargets(
  ctx: Context,
  { plan, resources, settling }: Stage,
  integrationId: string,
  rule: StaleRule,
  names: readonly TargetName[],
): Promise<(DeclaredTarget | null)[]> {
  if (names.length === 0) return [];
  const asked = names.map(({ key, column }) => ({
    key,
    column_name: column,
    column_key: column === null ? null : columnKey(key, column),
  }));
  const found = await scratch<Row>(
    ctx,
    `with asked as (
        select * from rows from (json_to_recordset($3::json)
          as (key text, column_name text, column_key text)) with ordinality
          as a(key, column_name, column_key, n)),
      found as (
        select a.n, case when a.column_name is null
          then (select p.id from ${plan} p where p.key = a.key)
          else coalesce((select p.id from ${plan} p where p.key = a.column_key), (
            select r.id from ${plan} p join resource r on r.workspace_id = $1::uuid
              and r.parent_id = p.id and r.kind = 'column' and not r.archived and not r.stale
              and lower(r.title) = lower(a.column_name)
              and not ($4::boolean and r.integration_id = $2::uuid)
            where p.key = a.key order by r.created_at, r.id limit 1)) end as id
        from asked a)
      select f.n::integer as n, f.id, coalesce(r.kind, p.kind) as kind,
        coalesce(p.title, r.title) as title, i.id as "integrationId",
        i.type as "integrationType", i.credentials is not null as "isConnected",
        coalesce(r.archived, false) as "isDeleted",
        case when t.id is not null then ${desired('shared').type} when s.seq is null or p.is_foreign then r.type
          else ${desired('own').type} end as type
      from found f
      left join lateral (select * from ${plan} q where q.id = f.id and q.seq is not null
        order by q.n limit 1) p on true
      left join ${resources} s on s.seq = p.seq
      left join resource r on r.workspace_id = $1::uuid and r.id = f.id
      left join ${settling.settled} t on t.id = f.id
      join integration i on i.workspace_id = $1::uuid
        and i.id = coalesce(r.integration_id, $2::uuid)
      where f.id is not null`,
    [ctx.workspaceId, integrationId, JSON.stringify(asked), rule === 'everything'],
  );
  const byNumber = new Map(found.map(({ n, ...target }) => [n, target]));
  return names.map((_, index) => byNumber.get(index + 1) ?? null);
}
