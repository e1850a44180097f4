// Lineage from the SQL that tables are made with, traced in the background.

import { record } from '../../audit/audit.ts';
import { changeOf } from '../../audit/changes.ts';
import type { Context } from '../../context.ts';
import { rows } from '../../database/rows.ts';
import { transaction } from '../../database/transaction.ts';
import { CatalogError } from '../../errors.ts';
import { type Job, type LineageEdge, Prisma } from '../../generated/prisma/client.ts';
import { enqueueJob, payloadOf } from '../../jobs/job.ts';
import type { JobKind } from '../../jobs/job-kind.ts';
import type { Run } from '../../jobs/run.ts';
import { wordOrder } from '../../resources/identities/claim-rank.ts';
import { certaintyOf, columnTitles, keepCertainty, unreadable } from '../certainty.ts';
import { connect, nameEdges } from '../connect.ts';
import type { OutputColumn } from '../sql/answer.ts';
import { findDialect } from '../sql/dialect.ts';
import type { QueryLineage } from './catalog-terms.ts';
import { endEdgesInto, holdTarget, previewQuery } from './from-query.ts';
import { placedReason } from './unread.ts';

/** The kind of job that traces the tables of an integration. */
export const traceJob = 'lineage.trace' satisfies JobKind;

/**
 * Ask for the tables of an integration to be traced, once however often it is asked. Null where no
 * table of it says with which SQL it is made.
 */
export async function enqueueTrace(
  ctx: Context,
  integration: { readonly id: string; readonly name: string },
): Promise<Job | null> {
  const [any] = await tablesAfter(ctx, integration.id, null, 1);
  if (!any) return null;
  const { job } = await enqueueJob(ctx, {
    kind: traceJob,
    title: `Trace the SQL of ${integration.name}`,
    payload: { integrationId: integration.id },
    dedupeKey: `${traceJob}:${integration.id}`,
  });
  return job;
}

/** What came of it, by number of columns: each is accounted for, or said to be missing and why. */
export interface TraceReport {
  tables: number;
  /** Columns with sources, constants, columns made from rows alone, and those that cannot be determined. */
  readonly columns: Record<OutputColumn['from'] | 'ABSENT', number>;
  /** What is not known: tables whose SQL cannot be read, and columns without sources; 1,000 at most. */
  readonly problems: { readonly name: string; readonly reason: string }[];
}

interface Made {
  readonly id: string;
  readonly titleFull: string;
  readonly databaseName: string | null;
  readonly schemaName: string | null;
  readonly sql: string;
  readonly dialect: string;
  /** The integration whose SQL it is. */
  readonly sqlOf: string | null;
}

const batch = 100;
const maxProblems = 1_000;

/** Trace all tables of the job's integration that say with which SQL they are made. */
export async function runTrace({ job, ctx, log, progress }: Run): Promise<TraceReport> {
  const integrationId = String(payloadOf(job).integrationId ?? '');
  const report: TraceReport = {
    tables: 0,
    columns: { COLUMNS: 0, CONSTANT: 0, ROWS: 0, EXTERNAL: 0, UNRESOLVED: 0, ABSENT: 0 },
    problems: [],
  };
  const total = await countTables(ctx, integrationId);
  for (let after: string | null = null; ; ) {
    const tables = await tablesAfter(ctx, integrationId, after);
    for (const table of tables) {
      ctx.signal.throwIfAborted();
      await traceTable({ ...ctx, loaders: new Map() }, table, report);
      report.tables += 1;
      progress('tracing SQL', report.tables, total);
    }
    after = tables.at(-1)?.id ?? null;
    if (after === null) break;
  }
  log(inWords(report));
  for (const { name, reason } of report.problems) log(`${name}: ${reason}`);
  return report;
}

/** What became of the columns, each kind that there is: of one, and of several. */
const KINDS = [
  ['COLUMNS', 'has sources', 'have sources'],
  ['CONSTANT', 'is a constant', 'are constants'],
  ['ROWS', 'counts or orders rows', 'count or order rows'],
  ['EXTERNAL', 'comes from outside of tables', 'come from outside of tables'],
  ['UNRESOLVED', 'cannot be determined', 'cannot be determined'],
  ['ABSENT', 'is not in the SQL', 'are not in the SQL'],
] as const;

function inWords({ tables, columns }: TraceReport): string {
  const total = KINDS.reduce((sum, [kind]) => sum + columns[kind], 0);
  const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
  const parts = KINDS.filter(([kind]) => columns[kind] > 0).map(
    ([kind, one, several]) => `${columns[kind]} ${columns[kind] === 1 ? one : several}`,
  );
  const head = `${counted(tables, 'table')}, ${counted(total, 'column')}`;
  return `${head}${parts.length > 0 ? `: ${parts.join(', ')}` : ''}.`;
}

/** Trace one table. What cannot be read is noted; the edges it had stay until it can be read again. */
async function traceTable(ctx: Context, table: Made, report: TraceReport): Promise<void> {
  const note = (name: string, reason: string) => {
    if (report.problems.length < maxProblems) report.problems.push({ name, reason });
  };
  let found: QueryLineage;
  try {
    found = await previewQuery(ctx, {
      sql: table.sql,
      dialect: table.dialect,
      tableId: table.id,
      defaultDatabase: table.databaseName,
      defaultSchema: table.schemaName,
    });
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
    note(table.titleFull, error.message);
    const titles = await columnTitles(ctx, table.id);
    await transaction(ctx, (tx) => keepCertainty(tx, table.id, unreadable(titles, error.message)));
    return;
  }
  const titles = await columnTitles(ctx, table.id);
  await transaction(ctx, async (tx) => {
    await holdTarget(tx, found);
    await keepCertainty(tx, table.id, certaintyOf(titles, found.traced));
    // What queries say that people or the source's history gave is theirs.
    const which = Prisma.sql`e.origin = 'QUERY' and e.query_id is null`;
    const ended = await endEdgesInto(tx, found, which);
    const made = await connect(tx, found.edges, { origin: 'QUERY', integrationId: table.sqlOf });
    await recordTraced(tx, found, ended, made);
  });
  account(table, titles, found, report, note);
}

/** Enter into the audit log what the SQL of a table says now of what flows into it, where that is something else. */
async function recordTraced(
  tx: Context,
  { target }: QueryLineage,
  ended: readonly LineageEdge[],
  made: readonly LineageEdge[],
): Promise<void> {
  const subject = target?.known;
  if (!subject || ended.length + made.length === 0) return;
  const table = `the table ${subject.title}`;
  const [activity, says] =
    made.length === 0
      ? (['lineage_deleted', `The SQL of ${table} no longer says what it said of lineage`] as const)
      : ([
          ended.length === 0 ? 'lineage_created' : 'lineage_replaced',
          `The lineage of ${table} was read from its SQL`,
        ] as const);
  const changes = [changeOf('lineage', await nameEdges(tx, ended), await nameEdges(tx, made))];
  await record(tx, { activity, subject, says, changes });
}

/** Count each column of the table: none goes missing without being said. */
function account(
  table: Made,
  titles: readonly string[],
  { traced }: QueryLineage,
  report: TraceReport,
  note: (name: string, reason: string) => void,
): void {
  const outputs = new Map(
    traced.statements.flatMap((one) => one.outputs).map((one) => [one.column.toLowerCase(), one]),
  );
  for (const error of traced.errors) note(table.titleFull, placedReason(error, true));
  for (const title of titles) {
    const output = outputs.get(title.toLowerCase());
    report.columns[output?.from ?? 'ABSENT'] += 1;
    const name = `${table.titleFull}.${title}`;
    if (!output) note(name, 'The SQL makes no column of this name that could be determined.');
    else if (output.from === 'UNRESOLVED') {
      note(
        name,
        output.unresolved.map(({ message }) => message).join(' ') || 'It cannot be determined.',
      );
    }
  }
}

const hasSql = Prisma.sql`r.kind = 'table' and not r.archived and not r.stale
  and r.creation_query is not null`;

/** What an integration brought, and what it describes together with others. */
function isOf(integrationId: string): Prisma.Sql {
  return Prisma.sql`(r.integration_id = ${integrationId}::uuid
    or ${integrationId}::uuid = any(r.source_ids))`;
}

async function countTables(ctx: Context, integrationId: string): Promise<number> {
  const [row] = await rows<{ n: number }>(
    ctx,
    Prisma.sql`select count(*) as n from resource r where r.workspace_id = ${ctx.workspaceId}::uuid
      and ${isOf(integrationId)} and ${hasSql}`,
  );
  return row?.n ?? 0;
}

async function tablesAfter(
  ctx: Context,
  integrationId: string,
  after: string | null,
  limit: number = batch,
): Promise<Made[]> {
  const found = await rows<Omit<Made, 'dialect'> & { said: string | null; type: string }>(
    ctx,
    Prisma.sql`select r.id, r.title_full as "titleFull", r.database_name as "databaseName",
        r.schema_name as "schemaName", r.creation_query as sql, i.type,
        coalesce(r.dialect, r.source_metadata->>'dialect',
          r.source_metadata->'transform'->>'dialect') as said,
        case when r.shared then (select c.integration_id from resource_claim c
          join integration m on m.workspace_id = c.workspace_id and m.id = c.integration_id
          where c.workspace_id = r.workspace_id and c.resource_id = r.id and c.live
            and c.creation_query is not null
          order by array_position(${[...wordOrder]}::integer[], c.rank::integer), m.created_at, m.id
          limit 1) else r.integration_id end as "sqlOf"
      from resource r join integration i
        on i.workspace_id = r.workspace_id and i.id = r.integration_id
      where r.workspace_id = ${ctx.workspaceId}::uuid and ${isOf(integrationId)}
        and ${hasSql} and (${after}::uuid is null or r.id > ${after}::uuid)
      order by r.id limit ${limit}`,
  );
  return found.map(({ said, type, ...table }) => ({ ...table, dialect: dialectOf(said, type) }));
}

/** The dialect that the source names, else that of its type, else what most others come from. */
function dialectOf(said: string | null, type: string): string {
  return [said, type].find((name) => name !== null && findDialect(name) !== null) ?? 'postgres';
}
