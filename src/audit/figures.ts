// Figures of the audit log: what is to be sealed yet.

import { type Connection, rows } from '../database/rows.ts';

/** Entries that are no links of the chain yet, in all workspaces. */
export interface UnsealedFigure {
  /** At most `mostCounted`: where sealing has stopped they grow for good. */
  readonly count: number;
  /** Seconds since the first of them was written; 0 for none. */
  readonly oldestSeconds: number;
}

const mostCounted = 10_000;

/** Count what is to be sealed yet. */
export async function countUnsealed(db: Connection): Promise<UnsealedFigure> {
  const [figure] = await rows<UnsealedFigure>(
    db,
    `select count(*)::int,
        greatest(coalesce(extract(epoch from now() - min(created_at)), 0), 0)::float8 as "oldestSeconds"
      from (select a.created_at from workspace w cross join lateral (select a.created_at from audit_log a
          where a.workspace_id = w.id and a.sequence > coalesce(
            (select max(s.sequence) from audit_seal s where s.workspace_id = w.id), 0)
          order by a.sequence limit ${mostCounted}) a
        limit ${mostCounted}) unsealed`,
  );
  if (!figure) throw new Error('The entries that are not sealed could not be counted.');
  return figure;
}
