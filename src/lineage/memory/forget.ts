// Deletes old entries of the lineage graph's log.

import { forgetSql } from '../../database/change-log.ts';
import { type Connection, execute } from '../../database/rows.ts';

/** Delete what no one asks for any more; answers how many rows. */
export function forgetLog(db: Connection): Promise<number> {
  return execute(db, forgetSql);
}
