// Some rows that fail a check: sealed, for those who may read them anyway, and gone when the incident is over.

import type { Context, ServerContext } from '../../context.ts';
import { loaderOf } from '../../database/loader.ts';
import { execute, rows } from '../../database/rows.ts';
import { type Incident, Prisma } from '../../generated/prisma/client.ts';
import { mayWriteSql } from '../../integrations/sql-writers.ts';
import { seal, unseal } from '../../secrets/envelope.ts';
import type { FailingSample } from '../scans/reading.ts';

const ownerOf = (workspaceId: string, incidentId: string) =>
  `${workspaceId}|${incidentId}|failing rows`;

/** Keep rows that fail, in place of those of the run before. */
export async function keepFailingRows(
  tx: ServerContext,
  incidentId: string,
  sample: FailingSample,
): Promise<void> {
  const [master] = tx.surroundings.masterKeys();
  const sealed = seal(master, ownerOf(tx.workspaceId, incidentId), JSON.stringify(sample));
  await execute(
    tx,
    Prisma.sql`insert into failing_rows (workspace_id, incident_id, sealed, created_at)
      values (${tx.workspaceId}::uuid, ${incidentId}::uuid, ${sealed}, ${tx.now()})
      on conflict (workspace_id, incident_id)
        do update set sealed = excluded.sealed, created_at = excluded.created_at`,
  );
}

/** Drop what is kept of an incident that is over. */
export async function dropFailingRows(tx: Context, incidentId: string): Promise<void> {
  await execute(
    tx,
    Prisma.sql`delete from failing_rows where workspace_id = ${tx.workspaceId}::uuid
      and incident_id = ${incidentId}::uuid`,
  );
}

/**
 * The rows that are kept of an incident, for those who may write SQL for the source; null for anybody else, where none are
 * kept, and where they were sealed under a key that is gone.
 */
export async function failingRowsOf(
  ctx: ServerContext,
  { id }: Pick<Incident, 'id'>,
): Promise<FailingSample | null> {
  const found = await loaderOf(ctx, sealedByIncident).load(id);
  if (!found || !mayWriteSql(ctx, found)) return null;
  const text = unseal(ctx.surroundings.masterKeys(), ownerOf(ctx.workspaceId, id), found.sealed);
  return text === null ? null : sampleIn(JSON.parse(text));
}

interface Sealed {
  readonly id: string;
  readonly sealed: string;
  readonly executeAccess: string[];
}

async function sealedByIncident(
  ctx: Context,
  ids: readonly string[],
): Promise<Map<string, Sealed>> {
  const found = await rows<Sealed>(
    ctx,
    Prisma.sql`select f.incident_id as id, f.sealed, i.execute_access as "executeAccess"
      from failing_rows f
      join incident x on x.workspace_id = f.workspace_id and x.id = f.incident_id
      join resource r on r.workspace_id = x.workspace_id and r.id = x.target_id
      join integration i on i.workspace_id = r.workspace_id and i.id = r.integration_id
      where f.workspace_id = ${ctx.workspaceId}::uuid and f.incident_id = any(${[...ids]}::uuid[])
        and i.keeps_failing_rows`,
  );
  return new Map(found.map((one) => [one.id, one]));
}

function sampleIn(json: unknown): FailingSample | null {
  if (typeof json !== 'object' || json === null) return null;
  const columns: unknown = Reflect.get(json, 'columns');
  const kept: unknown = Reflect.get(json, 'rows');
  if (!Array.isArray(columns) || !Array.isArray(kept)) return null;
  const text = (value: unknown) => (value === null ? null : String(value));
  return {
    columns: columns.map(String),
    rows: kept.map((row: unknown) => (Array.isArray(row) ? row.map(text) : [])),
  };
}
