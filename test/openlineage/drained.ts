// Sends events through the door, drains them, and reads the graph that comes of them.

import { serverViewer } from '../../src/auth/viewer.ts';
import { contextFor, type ServerContext } from '../../src/context.ts';
import { rows } from '../../src/database/rows.ts';
import { runDrain } from '../../src/openlineage/drain/drain.ts';
import type { Catalog } from '../catalog.ts';
import type { Event } from './events.ts';

/** The context of the server itself, as a job has it. */
export function serverOf({ database, surroundings, workspaceId }: Catalog): ServerContext {
  return { ...contextFor(database, serverViewer(workspaceId)), surroundings };
}

/** Send events in one request. */
export async function report(catalog: Catalog, events: readonly Event[]): Promise<void> {
  const { status, text } = await catalog.rest('POST', '/lineage', { body: [...events] });
  if (status !== 200 || !text.includes('"rejected":[]')) throw new Error(text);
}

/** Drain what waits. */
export async function drain(catalog: Catalog): Promise<void> {
  await runDrain({ ctx: serverOf(catalog), log() {}, progress() {} });
}

/** Send events, and drain them. */
export async function reportAndDrain(catalog: Catalog, events: readonly Event[]): Promise<void> {
  await report(catalog, events);
  await drain(catalog);
}

interface RunEdge {
  readonly edge: string;
  readonly strength: string;
  readonly uses: readonly string[];
  readonly implied: boolean;
}

/** The edges that runs showed, by the titles of their ends. */
export function edgesOf(catalog: Catalog): Promise<RunEdge[]> {
  return rows(
    catalog.admin,
    `select distinct lower(s.title_full || ' -> ' || t.title_full) as edge, e.strength, e.uses, e.implied
      from lineage_edge e join resource s on s.id = e.source_id join resource t on t.id = e.target_id
      where e.workspace_id = $1::uuid and e.origin = 'RUN' and e.valid_to is null
      order by edge`,
    [catalog.workspaceId],
  );
}

/**
 * All that events made of the catalog, without ids and times of ours. How a database is spelled that only names of tables
 * imply is left to what came first: titles are in small letters.
 */
export async function graphOf(catalog: Catalog): Promise<Record<string, unknown[]>> {
  const read = (sql: string) => rows(catalog.admin, sql, [catalog.workspaceId]);
  return {
    resources:
      await read(`select r.kind, lower(r.title_full) as title_full, r.native_type, r.type, r.description, r.definition,
        r.row_count, r.byte_size, r.sort_order, i.name as integration, r.source_metadata,
        array(select t.name from tag t where t.id = any(r.tag_ids) order by 1) as tags
      from resource r left join integration i on i.id = r.integration_id
      where r.workspace_id = $1::uuid and not r.stale order by r.kind, lower(r.title_full), i.name`),
    edges: await edgesOf(catalog),
    flows:
      await read(`select j.name as job, s.name as source, f.from_column, t.name as target, f.to_column,
        f.indirect, f.uses, f.runs, f.first_seen_at, f.last_seen_at, f.edge_id is not null as linked
      from openlineage_flow f join openlineage_job j on j.id = f.job_id and j.workspace_id = f.workspace_id
      join openlineage_dataset s on s.id = f.from_dataset and s.workspace_id = f.workspace_id
      join openlineage_dataset t on t.id = f.to_dataset and t.workspace_id = f.workspace_id
      where f.workspace_id = $1::uuid order by lower(j.name), lower(s.name), 3, lower(t.name), 5, 6`),
    runs: await read(`select j.name as job, u.run_id, u.state, u.started_at, u.ended_at, u.nominal_start,
        u.error, u.last_event_at, cardinality(u.outputs) as outputs
      from openlineage_run u join openlineage_job j on j.id = u.job_id and j.workspace_id = u.workspace_id
      where u.workspace_id = $1::uuid order by 1, 2`),
    jobs: await read(`select j.name, j.namespace, j.last_run_at from openlineage_job j
      where j.workspace_id = $1::uuid order by 1, 2`),
    tests:
      await read(`select d.name, d.status, d.severity, d.message, d.last_run_at, lower(r.title_full) as title_full,
        c.title as "column"
      from data_test d left join resource r on r.id = d.resource_id left join resource c on c.id = d.column_id
      where d.workspace_id = $1::uuid order by 1`),
  };
}
