// Statements on the log of changes of the lineage graph.

import { epochSqlOf, sinceSqlOf, snapshotSql } from '../../database/change-log.ts';
import { edgeBits, originCodes } from './layout.ts';

/** Which log it is: another one after a crash, a restart or a failover. `$1` is the workspace. */
export const epochSql = epochSqlOf('$1::uuid');

/** Changes that are taken over one by one at most; past them the next graph is made of this one and of them. */
export const maxChanges = 5_000;

/** A change, or null next to it where there was none: what is so many rows later has the same moment. */
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
    select distinct l.what, l.changed_id, l.source_id
      from ${sinceSqlOf('$1::uuid', '$2::text')} and l.what <> 'new'
      limit ${maxChanges + 1}) c on true`;

/** The flags of an edge as the graph keeps them, of a row of the table by its name or alias. */
export function flagsSql(edge: string): string {
  const codes = Object.entries(originCodes)
    .map(([origin, code]) => `when '${origin}' then ${code}`)
    .join(' ');
  return `(case ${edge}.origin ${codes} else ${originCodes.IMPORT} end
    | case when ${edge}.implied then ${edgeBits.implied} else 0 end
    | case when ${edge}.strength = 'INDIRECT' then ${edgeBits.indirect} else 0 end
    | case when ${edge}.expression is null and cardinality(coalesce(${edge}.uses, '{}')) = 0
        then 0 else ${edgeBits.detail} end)`;
}
