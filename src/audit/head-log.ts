// Writes the heads of the chains of the audit log into the process's log, for the one who keeps that elsewhere.

import { type Connection, rows } from '../database/rows.ts';
import type { LineLog } from '../tracing/access-log.ts';

interface Head {
  readonly workspaceId: string;
  readonly sealed: number;
  readonly head: string;
}

/** What logs, each time, a line for each workspace whose chain has grown since the time before. */
export function headLogger(log: Pick<LineLog, 'info'>): (db: Connection) => Promise<void> {
  const said = new Map<string, number>();
  return async (db) => {
    for (const { workspaceId, sealed, head } of await readHeads(db)) {
      if (said.get(workspaceId) === sealed) continue;
      said.set(workspaceId, sealed);
      log.info({ workspace: workspaceId, sealed, head }, 'Head of the audit log');
    }
  };
}

/** The last link of each workspace that has any; its position is how many entries are sealed. */
async function readHeads(db: Connection): Promise<Head[]> {
  return rows<Head>(
    db,
    `select w.id as "workspaceId", s.position as sealed, s.hash as head
      from workspace w cross join lateral (
        select s.position, s.hash from audit_seal s where s.workspace_id = w.id
        order by s.position desc limit 1) s
      order by w.id`,
  );
}
