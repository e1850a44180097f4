// The log of changes to resources and edges: what has been committed since a moment.
//
// A moment is a snapshot of PostgreSQL. What a later statement sees and the snapshot does not was committed in
// between, in whatever order numbers were given out. The epoch is another one after the log was lost.

/** The snapshot of the statement it is part of. */
export const snapshotSql = 'pg_current_snapshot()::text';

/** The epoch of a workspace that has no log. */
export const noEpoch = 'none';

/** Which log it is: another one after a crash, a restart or a failover. `workspace` is an expression. */
export function epochSqlOf(workspace: string): string {
  return `coalesce((select e.changed_id::text || pg_postmaster_start_time()::text from lineage_log e
    where e.workspace_id = ${workspace} and e.seq = 0), '${noEpoch}')`;
}

/**
 * No transaction ever has this number. A plan for all values takes the rows after an unknown one for a third of the log,
 * and reads all of it; between two bounds they are few, and found by their index.
 */
const everLater = '9223372036854775807';

/** The rows `l` of the log of a workspace that were committed since a snapshot; both are expressions. */
export function sinceSqlOf(workspace: string, snapshot: string): string {
  return `lineage_log l where l.workspace_id = ${workspace}
    and l.transaction >= pg_snapshot_xmin(${snapshot}::pg_snapshot)::text::bigint
    and l.transaction > 0 and l.transaction < ${everLater}
    and not pg_visible_in_snapshot(l.transaction::text::xid8, ${snapshot}::pg_snapshot)`;
}

/** Begin the log of a workspace, unless it has one. */
export const makeEpochSql = `insert into lineage_log (workspace_id, seq, transaction, what, changed_id)
  values ($1::uuid, 0, 0, 'epoch', gen_random_uuid()) on conflict do nothing`;

/** What is written down of changes is kept for so long: anyone who hasn't asked for less reads again. */
const keptHours = 24;

/** Forget what no one asks for any more. */
export const forgetSql = `delete from lineage_log
  where logged_at < now() - interval '${keptHours} hours' and seq > 0`;
