// Brings the edges of lineage in line with the flows of runs.

import type { Context } from '../../context.ts';
import { execute, rows } from '../../database/rows.ts';
import { connect, disconnect, type LineageStrength } from '../../lineage/connect.ts';
import { isUse } from '../../lineage/sql/scope/use.ts';

/** A flow whose ends are known, and the edge that it is now. */
interface Linked {
  readonly id: string;
  readonly sourceId: string | null;
  readonly targetId: string | null;
  readonly strength: LineageStrength;
  readonly uses: readonly string[];
  readonly integrationId: string | null;
  readonly since: Date;
}

/** Which flows are linked: all of some datasets, and of some jobs those that are new or gone. */
export interface FlowsToLink {
  readonly datasets: readonly string[];
  readonly jobs: readonly string[];
}

/**
 * Make the edges of flows, of all or of some, and end those that no flow shows any more. Within a transaction that holds the flows.
 * A flow between columns of which one is not known is one between their tables.
 */
export async function linkFlows(tx: Context, which: FlowsToLink | null): Promise<void> {
  const among = [tx.workspaceId, which && [...which.datasets], which && [...which.jobs]];
  const workspaceId = tx.workspaceId;
  const before = await rows<{ edgeId: string }>(
    tx,
    `select distinct f.edge_id as "edgeId" from openlineage_flow f
      where f.workspace_id = $1::uuid and f.edge_id is not null and ${isAmong}`,
    among,
  );
  await execute(
    tx,
    `delete from openlineage_flow f where f.workspace_id = $1::uuid and f.runs <= 0 and ${isAmong}`,
    among,
  );
  const flows = await rows<Linked>(tx, flowsWithEnds, among);
  for (const [integrationId, some] of byIntegration(flows)) {
    const pairs = some.flatMap(({ sourceId, targetId, strength, uses, since }) =>
      sourceId === null || targetId === null || sourceId === targetId
        ? []
        : [{ sourceId, targetId, strength, uses: uses.filter(isUse), since }],
    );
    await connect(tx, pairs, { origin: 'RUN', integrationId });
  }
  await execute(
    tx,
    `update openlineage_flow f set edge_id = e.id
      from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[]) n(id, source_id, target_id, integration_id)
      left join lineage_edge e on e.workspace_id = $1::uuid and e.source_id = n.source_id
        and e.target_id = n.target_id and e.origin = 'RUN' and e.valid_to is null
        and e.integration_id is not distinct from n.integration_id
      where f.workspace_id = $1::uuid and f.id = n.id and f.edge_id is distinct from e.id`,
    [
      workspaceId,
      flows.map(({ id }) => id),
      flows.map(({ sourceId }) => sourceId),
      flows.map(({ targetId }) => targetId),
      flows.map(({ integrationId }) => integrationId),
    ],
  );
  const lost = await rows<{ id: string }>(
    tx,
    `select e.id from unnest($2::uuid[]) x(id) join lineage_edge e on e.workspace_id = $1::uuid
        and e.id = x.id and e.valid_to is null and not e.implied
      where not exists (select from openlineage_flow f where f.workspace_id = $1::uuid and f.edge_id = e.id)
      order by e.id`,
    [workspaceId, before.map(({ edgeId }) => edgeId)],
  );
  if (lost.length > 0) {
    await disconnect(
      tx,
      lost.map(({ id }) => id),
    );
  }
}

/** Whether a flow `f` is one of those that are linked. */
const isAmong = `($2::uuid[] is null or f.from_dataset = any($2::uuid[]) or f.to_dataset = any($2::uuid[])
  or f.job_id = any($3::uuid[]) and (f.edge_id is null or f.runs <= 0))`;

/** What the dataset of a flow is in the catalog: the resource that has the key, or on which there is a claim under it. */
const resourceOf = (end: string, as: string) => `
  left join openlineage_dataset ${as}n on ${as}n.workspace_id = $1::uuid and ${as}n.id = f.${end}_dataset
  left join openlineage_dataset ${as} on ${as}.workspace_id = $1::uuid
    and ${as}.id = coalesce(${as}n.stands_for, ${as}n.id)
  left join lateral (select coalesce(
    (select r.id from resource r where r.workspace_id = $1::uuid and r.integration_id = ${as}.integration_id
      and r.databuilder_id = ${as}.key),
    (select c.resource_id from resource_claim c where c.workspace_id = $1::uuid
      and c.integration_id = ${as}.integration_id and c.key = ${as}.key)) as id) ${as}r on true
  left join lateral (select c.id from resource c where f.${end}_column is not null
      and c.workspace_id = $1::uuid and c.parent_id = ${as}r.id and c.kind = 'column' and not c.archived
      and lower(c.title collate "C") in (f.${end}_column, split_part(f.${end}_column, '.', 1))
    order by lower(c.title collate "C") = f.${end}_column desc, c.stale, c.id limit 1) ${as}c on true`;

const flowsWithEnds = `select f.id, f.uses, j.integration_id as "integrationId", f.first_seen_at as since,
    case when f.from_column is null then sr.id
      when sc.id is null then sr.id
      when f.indirect then sc.id
      when f.to_column is null or tc.id is null then sr.id else sc.id end as "sourceId",
    case when f.indirect or f.to_column is null or f.from_column is null or tc.id is null or sc.id is null
      then tr.id else tc.id end as "targetId",
    case when f.indirect and sc.id is not null then 'INDIRECT' else 'DIRECT' end as strength
  from openlineage_flow f join openlineage_job j on j.workspace_id = $1::uuid and j.id = f.job_id
  ${resourceOf('from', 's')} ${resourceOf('to', 't')}
  where f.workspace_id = $1::uuid and ${isAmong} order by f.id`;

function byIntegration(flows: readonly Linked[]): Map<string | null, Linked[]> {
  const found = new Map<string | null, Linked[]>();
  for (const flow of flows) {
    const list = found.get(flow.integrationId);
    if (list) list.push(flow);
    else found.set(flow.integrationId, [flow]);
  }
  return found;
}
