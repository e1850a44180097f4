// In charge of forgetting what the log of the lineage graph says of yesterday.

import { forgetSql } from '../../database/change-log.ts';
import { type Connection, execute } from '../../database/rows.ts';

/** Delete what nobody asks for any more; answers how many rows. */
export function forgetLog(db: Connection): Promise<number> {
  return execute(db, forgetSql);
}
