// Checks what SQL people write when they write it, by the dialect of its source.

import type { Context } from '../../context.ts';
import { rows } from '../../database/rows.ts';
import { invalidField } from '../../errors.ts';
import { Prisma, type Resource } from '../../generated/prisma/client.ts';
import { typeForSqlOf } from '../../integrations/sql-writers.ts';
import { findDialect } from '../../lineage/sql/dialect.ts';
import { findResource } from '../../resources/resource.ts';
import { isUuid, unknownIds } from '../../text/uuid.ts';
import { isOfAll, type MetricConfig } from '../metric-config.ts';
import { checkCondition, checkQuery } from './user-sql.ts';

/** What SQL is read as where the source is of no dialect that we know: the strictest common one. */
const usual = 'postgres';

/**
 * Check the query and the condition of a metric of a target. Throws FORBIDDEN where the viewer may not write SQL for the
 * source, BAD_REQUEST that names the field where one would not stay within its parentheses. The source has its own
 * say at each run.
 */
export async function checkSql(
  ctx: Context,
  target: Pick<Resource, 'integrationId' | 'kind'>,
  { query_select: query, where, dimension, references, ...config }: MetricConfig,
): Promise<void> {
  const { integrationId } = target;
  if (references !== undefined) await mustBeOfSource(ctx, integrationId, references);
  // A dimension shows values of rows, as a query may, and all tables show names of those that not all may see.
  const isPlain = query === undefined && where === undefined && dimension === undefined;
  if (isPlain && !isOfAll(target)) return;
  const type = (await typeForSqlOf(ctx, integrationId)) ?? usual;
  checkSqlOf(type, { query_select: query, where });
  const { other_query: other, other_integration: otherId } = config;
  if (other === undefined) return;
  const otherType = otherId === undefined ? type : await typeOfOther(ctx, otherId);
  checkSqlOf(otherType, { query_select: other }, 'metric_config.other_query');
}

/** The type of the source of the other query, which the viewer has to be allowed to write SQL for as well. */
async function typeOfOther(ctx: Context, id: string): Promise<string> {
  const isThere = isUuid(id) && (await typeOf(ctx, id)) !== undefined;
  if (!isThere) {
    throw invalidField('metric_config.other_integration', unknownIds('integration', [id]));
  }
  return (await typeForSqlOf(ctx, id)) ?? usual;
}

/** What a column refers to is a column of the same source. */
async function mustBeOfSource(
  ctx: Context,
  integrationId: string | null,
  id: string,
): Promise<void> {
  const column = isUuid(id) ? await findResource(ctx, id) : null;
  if (column?.kind === 'column' && column.integrationId === integrationId) return;
  const message = 'Use the id of a column of the same source.';
  throw invalidField('metric_config.references', message);
}

/** The type of an integration; undefined where there is none. */
export async function typeOf(ctx: Context, integrationId: string): Promise<string | undefined> {
  const [integration] = await rows<{ type: string }>(
    ctx,
    Prisma.sql`select type from integration
      where workspace_id = ${ctx.workspaceId}::uuid and id = ${integrationId}::uuid`,
  );
  return integration?.type;
}

/** The same for a source of a known type. */
export function checkSqlOf(
  type: string,
  { query_select: query, where }: MetricConfig,
  field?: string,
): void {
  const dialect = findDialect(type) ?? findDialect(usual);
  if (!dialect) throw new Error(`The dialect ${usual} is gone.`);
  if (query !== undefined) checkQuery(query, dialect.lexical, dialect.name, field);
  if (where !== undefined) checkCondition(where, dialect.lexical, dialect.name);
}
