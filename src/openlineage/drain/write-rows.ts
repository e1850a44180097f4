// Writes what was heard of datasets, jobs and runs, and how the flows of runs change.

import type { Context } from '../../context.ts';
import { execute } from '../../database/rows.ts';
import { textOf } from '../events/loose.ts';
import { latestOf, type Said, timeOf } from '../folding/register.ts';
import { datasetsOf, type RunFlow, stateOf } from '../folding/run-flows.ts';
import type { DescribedPlaces } from './describe-batch.ts';
import type { KnownDataset, KnownRun, KnownThing } from './known-rows.ts';

/** How often a flow is seen more than before: less where a run turns out not to show it. */
export interface FlowChange extends RunFlow {
  readonly jobId: string;
  readonly runs: number;
  /** When the run was that showed it. */
  readonly at: Date;
}

/** Write datasets. */
export async function writeDatasets(
  tx: Context,
  datasets: Iterable<KnownDataset>,
  places: DescribedPlaces,
): Promise<void> {
  const list = [...datasets].map((one) => ({ ...one, ...places.get(one.id), said: one.said }));
  await execute(
    tx,
    `insert into openlineage_dataset as d (workspace_id, id, namespace, name, said, stands_for,
        integration_id, key, described)
      select $1::uuid, n.id, n.namespace, n.name, n.said, n."standsFor", n."integrationId", n.key, n.described
      from jsonb_to_recordset($2::jsonb) n(id uuid, namespace text, name text, said jsonb,
        "standsFor" uuid, "integrationId" uuid, key text, described uuid)
      on conflict (workspace_id, id) do update set said = excluded.said,
        namespace = excluded.namespace, name = excluded.name, stands_for = excluded.stands_for, integration_id = excluded.integration_id,
        key = excluded.key, described = excluded.described
      where (d.said, d.stands_for, d.integration_id, d.key, d.described) is distinct from
        (excluded.said, excluded.stands_for, excluded.integration_id, excluded.key, excluded.described)`,
    [tx.workspaceId, JSON.stringify(list)],
  );
}

/** Write jobs. */
export async function writeJobs(
  tx: Context,
  jobs: Iterable<KnownThing>,
  places: DescribedPlaces,
): Promise<void> {
  const list = [...jobs].map((one) => ({ ...one, ...places.get(one.id), said: one.said }));
  await execute(
    tx,
    `insert into openlineage_job as j (workspace_id, id, namespace, name, said, integration_id, key,
        described)
      select $1::uuid, n.id, n.namespace, n.name, n.said, n."integrationId", n.key, n.described
      from jsonb_to_recordset($2::jsonb) n(id uuid, namespace text, name text, said jsonb,
        "integrationId" uuid, key text, described uuid)
      on conflict (workspace_id, id) do update set said = excluded.said,
        integration_id = excluded.integration_id, key = excluded.key, described = excluded.described
      where (j.said, j.integration_id, j.key, j.described) is distinct from
        (excluded.said, excluded.integration_id, excluded.key, excluded.described)`,
    [tx.workspaceId, JSON.stringify(list)],
  );
}

/** When a run began: as its start says, or when it was first heard of. */
export function startOf(said: Said): Date {
  return timeOf(said['<start']?.[0] ?? said['<first']?.[0] ?? '1970-01-01T00:00:00.000Z ');
}

/** Write runs. What only states something of a job is none to be shown, but is kept like one. */
export async function writeRuns(tx: Context, runs: readonly KnownRun[]): Promise<void> {
  const list = runs
    .filter(({ isKept }) => isKept)
    .map(({ id, jobId, runId, said }) => ({
      ...{ id, jobId, runId, said, state: stateOf(said), outputs: datasetsOf(said, 'out') },
      startedAt: startOf(said),
      endedAt: said.end ? timeOf(said.end[0]) : null,
      nominalStart: textOf(latestOf(said, 'nominalStart'), 30) ?? null,
      parentId: textOf(latestOf(said, 'parent'), 36) ?? null,
      error: textOf(latestOf(said, 'error'), 2_000) ?? null,
      lastEventAt: timeOf(said.last?.[0] ?? '1970-01-01T00:00:00.000Z '),
    }));
  await execute(
    tx,
    `insert into openlineage_run (workspace_id, id, job_id, run_id, state, started_at, ended_at,
        nominal_start, parent_id, error, last_event_at, outputs, said)
      select $1::uuid, n.id, n."jobId", n."runId", n.state, n."startedAt", n."endedAt",
        n."nominalStart", n."parentId", n.error, n."lastEventAt",
        array(select jsonb_array_elements_text(n.outputs)::uuid), n.said
      from jsonb_to_recordset($2::jsonb) n(id uuid, "jobId" uuid, "runId" text, state text,
        "startedAt" timestamptz, "endedAt" timestamptz, "nominalStart" timestamptz, "parentId" uuid,
        error text, "lastEventAt" timestamptz, outputs jsonb, said jsonb)
      on conflict (workspace_id, id) do update set state = excluded.state,
        started_at = excluded.started_at, ended_at = excluded.ended_at,
        nominal_start = excluded.nominal_start, parent_id = excluded.parent_id, error = excluded.error,
        last_event_at = excluded.last_event_at, outputs = excluded.outputs, said = excluded.said`,
    [tx.workspaceId, JSON.stringify(list)],
  );
}

/** Note when the last run of each job began. */
export async function noteLastRuns(tx: Context, runs: readonly KnownRun[]): Promise<void> {
  await execute(
    tx,
    `update openlineage_job j set last_run_at = l.at
      from unnest($2::uuid[]) n(id) cross join lateral (select r.started_at as at from openlineage_run r
        where r.workspace_id = $1::uuid and r.job_id = n.id and r.state <> 'stated'
        order by r.started_at desc limit 1) l
      where j.workspace_id = $1::uuid and j.id = n.id and j.last_run_at is distinct from l.at`,
    [tx.workspaceId, [...new Set(runs.map(({ jobId }) => jobId))]],
  );
}

/** Write how often flows are seen. Those that no run shows any more are left with none, until they are linked. */
export async function writeFlows(tx: Context, changes: readonly FlowChange[]): Promise<void> {
  const sums = new Map<string, FlowChange & { first: Date }>();
  for (const change of changes) {
    const known = sums.get(change.id);
    sums.set(change.id, {
      ...change,
      runs: (known?.runs ?? 0) + change.runs,
      uses: [...new Set([...(known?.uses ?? []), ...change.uses])].sort(),
      at: known && known.at > change.at ? known.at : change.at,
      first: known && known.first < change.at ? known.first : change.at,
    });
  }
  await execute(
    tx,
    `insert into openlineage_flow as f (workspace_id, id, job_id, from_dataset, from_column, to_dataset,
        to_column, indirect, uses, runs, first_seen_at, last_seen_at)
      select $1::uuid, n.id, n."jobId", n."from", n."fromColumn", n."to", n."toColumn", n."isIndirect",
        array(select jsonb_array_elements_text(n.uses)), n.runs, n.first, n.at
      from jsonb_to_recordset($2::jsonb) n(id uuid, "jobId" uuid, "from" uuid, "fromColumn" text,
        "to" uuid, "toColumn" text, "isIndirect" boolean, uses jsonb, runs integer, first timestamptz,
        at timestamptz)
      order by n.id
      on conflict (workspace_id, id) do update set runs = f.runs + excluded.runs,
        first_seen_at = least(f.first_seen_at, excluded.first_seen_at),
        last_seen_at = greatest(f.last_seen_at, excluded.last_seen_at),
        uses = array(select distinct u from unnest(f.uses || excluded.uses) u order by u)`,
    [tx.workspaceId, JSON.stringify([...sums.values()])],
  );
}
