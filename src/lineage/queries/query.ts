// The queries that lineage was read from: each kept once, with how often it was seen.

import type { Context } from '../../context.ts';
import { execute, rows } from '../../database/rows.ts';
import { Prisma, type Resource } from '../../generated/prisma/client.ts';
import { mustFit } from '../../limits/workspace-limits.ts';
import { resourceColumns } from '../../resources/shown.ts';
import { lineOf } from '../../text/text.ts';
import type { SqlLineage } from '../sql/answer.ts';

/** A query that was traced. */
export interface TracedQuery {
  readonly sql: string;
  readonly traced: Pick<SqlLineage, 'dialect' | 'fingerprint' | 'statements'>;
  readonly integrationId: string | null;
  /** How often it ran on its source: of all time, or since that was last said. */
  readonly ran?: { readonly times: number; readonly counted: 'ever' | 'since' };
  /** Who may see it, for one that no one wrote here. */
  readonly holders?: { readonly teamIds: readonly string[]; readonly published: boolean };
}

const maxTitle = 120;
/** The count is a 32-bit integer. */
const maxFreq = 2_147_483_647;

/**
 * Keep a query as a resource, within a transaction. Queries that differ in blanks, comments and
 * constants only are one, whose text is the latest and whose count grows. Of one that somebody deleted
 * only the count grows, unless it is a person who asks for it: that takes the deletion back.
 */
export async function keepQuery(tx: Context, query: TracedQuery): Promise<Resource> {
  const { sql, traced, integrationId, ran, holders } = query;
  const key = `sql:${traced.dialect}:${traced.fingerprint}`;
  // Two requests with the same new query must not both make it.
  await execute(
    tx,
    Prisma.sql`select pg_advisory_xact_lock(hashtextextended(${tx.workspaceId + key}, 0))`,
  );
  // What a person deleted may hold what no one is to read: its text is not brought up to date either.
  const text = holders
    ? Prisma.sql`sql = case when r.archived then r.sql else ${sql} end`
    : Prisma.sql`sql = ${sql}, archived = false, archived_at = null`;
  const [known] = await rows<Resource>(
    tx,
    Prisma.sql`update resource r set freq = ${freqAfter(ran)}, ${text}, stale = false,
        stale_at = null, updated_at = ${tx.now()}::timestamptz
      where r.workspace_id = ${tx.workspaceId}::uuid and r.kind = 'query'
        and r.databuilder_id = ${key}
        and r.integration_id is not distinct from ${integrationId}::uuid
      returning ${resourceColumns}`,
  );
  if (known) {
    // It may have been deleted before.
    await mustFit(tx, 'resources', 0);
    return known;
  }
  await mustFit(tx, 'resources', 1);
  const title = titleOf(sql);
  return tx.db.resource.create({
    data: {
      workspaceId: tx.workspaceId,
      kind: 'query',
      title,
      titleFull: title,
      sql,
      dialect: traced.dialect,
      type: traced.statements.at(-1)?.kind ?? null,
      freq: ran ? Math.min(Math.trunc(ran.times), maxFreq) : 1,
      databuilderId: key,
      integrationId,
      createdById: holders ? null : tx.viewer.id,
      ...(holders ? { teamIds: [...holders.teamIds], published: holders.published } : {}),
    },
  });
}

/** How often a query was seen that was kept before. */
function freqAfter(ran: TracedQuery['ran']): Prisma.Sql {
  if (!ran) return Prisma.sql`r.freq + 1`;
  const times = Math.min(Math.trunc(ran.times), maxFreq);
  if (ran.counted === 'ever') return Prisma.sql`greatest(r.freq, ${times}::integer)`;
  return Prisma.sql`least(r.freq::bigint + ${times}::integer, ${maxFreq})::integer`;
}

function titleOf(sql: string): string {
  const line = lineOf(sql).replace(/\s+/g, ' ');
  const characters = [...line];
  return characters.length > maxTitle ? `${characters.slice(0, maxTitle).join('')}...` : line;
}
