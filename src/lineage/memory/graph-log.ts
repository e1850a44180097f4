// In charge of the log of changes to the lineage graph: what has been committed since a moment.
//
// A moment is a snapshot of PostgreSQL. What a later statement sees and the snapshot does not was committed in
// between, in whatever order numbers were given out. The epoch is another one after the log was lost.

import { edgeBits, originCodes } from './layout.ts';

/** The snapshot of the statement it is part of. */
export const snapshotSql = 'pg_current_snapshot()::text';

/** Which log it is: another one after a crash, a restart or a failover. `$1` is the workspace. */
export const epochSql = `coalesce((select e.changed_id::text from lineage_log e
  where e.workspace_id = $1::uuid and e.seq = 0), 'none') || pg_postmaster_start_time()::text`;

/** Begin the log of a workspace, unless it has one. */
export const makeEpochSql = `insert into lineage_log (workspace_id, seq, transaction, what, changed_id)
  values ($1::uuid, 0, 0, 'epoch', gen_random_uuid()) on conflict do nothing`;

/** Changes that are taken over one by one at most; past them the graph is read anew. */
export const maxChanges = 5_000;

/** A change, or null beside it where there was none: what is so many rows later has the same moment. */
export interface LogRow {
  readonly snapshot: string;
  readonly epoch: string;
  readonly what: 'edge' | 'resource' | 'all' | null;
  readonly id: string | null;
  /** Of an edge: the node that it leaves. */
  readonly sourceId: string | null;
}

/** What was committed since the snapshot `$2`, and the moment of this statement. */
export const sinceSql = `select ${snapshotSql} as snapshot, ${epochSql} as epoch,
    c.what, c.changed_id as id, c.source_id as "sourceId"
  from (select 1) one left join lateral (
    select distinct l.what, l.changed_id, l.source_id from lineage_log l
      where l.workspace_id = $1::uuid
        and l.transaction >= pg_snapshot_xmin($2::text::pg_snapshot)::text::bigint
        and l.transaction > 0
        and not pg_visible_in_snapshot(l.transaction::text::xid8, $2::text::pg_snapshot)
      limit ${maxChanges + 1}) c on true`;

/** The flags of an edge as the graph keeps them, of a row of the table by its name or alias. */
export function flagsSql(edge: string): string {
  const codes = originCodes.map((origin, code) => `when '${origin}' then ${code}`).join(' ');
  return `(case ${edge}.origin ${codes} else ${originCodes.length - 1} end
    | case when ${edge}.implied then ${edgeBits.implied} else 0 end
    | case when ${edge}.strength = 'INDIRECT' then ${edgeBits.indirect} else 0 end
    | case when ${edge}.expression is null and cardinality(coalesce(${edge}.uses, '{}')) = 0
        then 0 else ${edgeBits.detail} end)`;
}

/** What is written down of changes is kept for so long: whoever hasn't asked for less reads the graph anew. */
const keptHours = 24;

/** Forget what nobody asks for any more. */
export const forgetSql = `delete from lineage_log
  where logged_at < now() - interval '${keptHours} hours' and seq > 0`;
