// In charge of the queries that lineage was read from: each kept once, with how often it was seen.

import type { Context } from '../context.ts';
import { execute, rows } from '../database/rows.ts';
import { Prisma, type Resource } from '../generated/prisma/client.ts';
import { resourceColumns } from '../resources/resource.ts';
import type { SqlLineage } from './sql/answer.ts';

/** A query that was traced. */
export interface TracedQuery {
  readonly sql: string;
  readonly traced: Pick<SqlLineage, 'dialect' | 'fingerprint' | 'statements'>;
  readonly integrationId: string | null;
}

const maxTitle = 120;

/**
 * Keep a query as a resource, within a transaction. Queries that differ in blanks, comments and
 * constants only are one, whose text is the latest and whose count grows.
 */
export async function keepQuery(tx: Context, query: TracedQuery): Promise<Resource> {
  const { sql, traced, integrationId } = query;
  const key = `sql:${traced.dialect}:${traced.fingerprint}`;
  // Two requests with the same new query must not both make it.
  await execute(
    tx,
    Prisma.sql`select pg_advisory_xact_lock(hashtextextended(${tx.workspaceId + key}, 0))`,
  );
  const [known] = await rows<Resource>(
    tx,
    Prisma.sql`update resource r set freq = r.freq + 1, sql = ${sql}, archived = false,
        archived_at = null, updated_at = ${tx.now()}::timestamptz
      where r.workspace_id = ${tx.workspaceId}::uuid and r.kind = 'query'
        and r.databuilder_id = ${key}
        and r.integration_id is not distinct from ${integrationId}::uuid
      returning ${resourceColumns}`,
  );
  if (known) return known;
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
      freq: 1,
      databuilderId: key,
      integrationId,
      createdById: tx.viewer.id,
    },
  });
}

function titleOf(sql: string): string {
  const line = sql.replace(/\s+/g, ' ').trim();
  const characters = [...line];
  return characters.length > maxTitle ? `${characters.slice(0, maxTitle).join('')}...` : line;
}
