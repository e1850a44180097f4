// Some rows of a table, for the roles that an admin allows to see rows of its source; they are kept nowhere.

import { record } from '../../audit/audit.ts';
import { changeOf } from '../../audit/changes.ts';
import type { ServerContext } from '../../context.ts';
import { rows } from '../../database/rows.ts';
import { forbidden, invalid, invalidField } from '../../errors.ts';
import { Prisma, type Resource } from '../../generated/prisma/client.ts';
import { openConnector } from '../../integrations/connectors/open.ts';
import { sampleOf } from '../runs/check-rows.ts';
import type { FailingSample } from '../scans/reading.ts';
import { limits } from '../scans/run-scans.ts';
import { tablePath } from '../scans/scan.ts';
import { type ColumnRef, type SourceDialect, sourceDialect } from '../scans/source-dialect.ts';
import { columnsToProfile, findTable, subjectOf } from './profile.ts';
import { openTable } from './take-profile.ts';

/** Rows that one request may read, and columns of them. */
const mostSampled = 100;
const mostColumns = 100;

/** Rows of a table, and the columns that are left out, as they are personal. */
export interface TableSample extends FailingSample {
  readonly personal: readonly string[];
}

/**
 * Read some rows of a table, whichever its source answers first. Throws FORBIDDEN for a role that no admin allowed rows of the
 * source, and BAD_REQUEST where nothing can be read.
 */
export async function sampleTable(
  ctx: ServerContext,
  tableId: string,
  count: number,
): Promise<TableSample> {
  const table = await findTable(ctx, tableId);
  await mustMayPreview(ctx, table);
  if (!Number.isInteger(count) || count < 1 || count > mostSampled) {
    throw invalidField('rows', `Use 1 to ${mostSampled}.`);
  }
  const all = await columnsToProfile(ctx, table.id);
  const shown = all.filter(({ isPersonal }) => !isPersonal).slice(0, mostColumns);
  if (shown.length === 0) throw invalid('The table has no column whose values may be seen.');
  const { path, source } = await openTable(ctx, table, openConnector);
  try {
    const sql = sampleStatement(sourceDialect(source.dialect ?? ''), path, shown, count);
    const answer = await source.query(sql, limits(ctx));
    await record(ctx, {
      activity: 'table_sampled',
      subject: subjectOf(table),
      changes: [changeOf('rows', null, answer.rows.length)],
    });
    const personal = all.flatMap(({ name, isPersonal }) => (isPersonal ? [name] : []));
    return { ...sampleOf(shown, answer.rows), personal };
  } finally {
    await source.close();
  }
}

/** Throw FORBIDDEN unless an admin allowed the viewer's role rows of the source that a table lies in. */
async function mustMayPreview(
  ctx: ServerContext,
  { integrationId }: Pick<Resource, 'integrationId'>,
): Promise<void> {
  const { role } = ctx.viewer;
  const [source] = await rows<{ roles: string[] }>(
    ctx,
    Prisma.sql`select i.preview_access_roles as roles from integration i
      where i.workspace_id = ${ctx.workspaceId}::uuid and i.id = ${integrationId}::uuid`,
  );
  if (source?.roles.includes(role)) return;
  throw forbidden(
    `The role ${role} can't see rows of this source: an admin allows that with previewRoles of the integration.`,
  );
}

/** The statement that answers some rows. */
function sampleStatement(
  dialect: SourceDialect,
  table: readonly string[],
  columns: readonly ColumnRef[],
  count: number,
): string {
  const list = columns.map(({ name }) => dialect.quote(name)).join(', ');
  // SQL Server keeps the first rows of an order alone.
  const order = dialect.name === 'tsql' ? 'ORDER BY (SELECT NULL) ' : '';
  return `SELECT ${list}\nFROM ${tablePath(dialect, table)}\n${order}${dialect.limit(count)}`;
}
