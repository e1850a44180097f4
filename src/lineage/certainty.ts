// Certainty of a table's lineage: how many columns its SQL determines, and why not all.

import { isAllowed, visibleResources } from '../auth/permission.ts';
import type { Context } from '../context.ts';
import { execute, rows } from '../database/rows.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { placedReason } from './queries/unread.ts';
import type { OutputColumn, SqlError, StatementLineage } from './sql/answer.ts';

/** How much is known of where the columns of a table come from. */
export interface Certainty {
  /** Columns that the table has. */
  readonly columns: number;
  /** Of them: columns whose sources are known; constants and counts of rows have none. */
  readonly traced: number;
  /** Columns that several tables may give. */
  readonly ambiguous: number;
  /** Columns that no known table gives, or that the SQL does not name. */
  readonly unresolved: number;
  /** Why not all is known, in sentences; empty when all is. */
  readonly reasons: readonly string[];
}

const maxReasons = 20;

/** What reading the SQL of a table found. */
interface TracedTable {
  readonly statements: readonly Pick<StatementLineage, 'outputs' | 'unresolved' | 'diagnostics'>[];
  readonly errors: readonly SqlError[];
}

/** What became of each column of a table, by the SQL that makes it. */
export function certaintyOf(
  titles: readonly string[],
  { statements, errors }: TracedTable,
): Certainty {
  const outputs = new Map<string, OutputColumn>();
  for (const { outputs: own } of statements) {
    for (const output of own) outputs.set(output.column.toLowerCase(), output);
  }
  const absent: string[] = [];
  let ambiguous = 0;
  let unresolved = 0;
  for (const title of titles) {
    const output = outputs.get(title.toLowerCase());
    if (!output) absent.push(title);
    else if (output.unresolved.some(({ reason }) => reason === 'AMBIGUOUS')) ambiguous += 1;
    else if (output.unresolved.length > 0) unresolved += 1;
  }
  const reasons = [
    ...errors.map((error) => placedReason(error, true)),
    ...statements.flatMap((one) => one.unresolved.map(({ message }) => message)),
    ...statements.flatMap((one) =>
      one.diagnostics.filter(({ code }) => LEAVES_OPEN.has(code)).map(({ message }) => message),
    ),
    ...(absent.length > 0 ? [`The SQL names no column ${listed(absent)}.`] : []),
  ];
  return {
    columns: titles.length,
    traced: titles.length - ambiguous - unresolved - absent.length,
    ambiguous,
    unresolved: unresolved + absent.length,
    reasons: [...new Set(reasons)].slice(0, maxReasons),
  };
}

/** Diagnostics that say that there may be lineage which is not known. */
const LEAVES_OPEN = new Set(['AMBIGUOUS_TABLE', 'UNEXPANDED_STAR', 'INCOMPLETE', 'TOO_LARGE']);

const maxListed = 5;

function listed(names: readonly string[]): string {
  const shown = names.slice(0, maxListed).join(', ');
  return names.length > maxListed ? `${shown} and ${names.length - maxListed} more` : shown;
}

/** A table whose SQL can't be read: nothing is known of its columns. */
export function unreadable(titles: readonly string[], reason: string): Certainty {
  return {
    columns: titles.length,
    traced: 0,
    ambiguous: 0,
    unresolved: titles.length,
    reasons: [reason],
  };
}

/** The columns of a table that are there, in order. */
export async function columnTitles(ctx: Context, tableId: string): Promise<string[]> {
  const columns = await rows<{ title: string }>(
    ctx,
    Prisma.sql`select r.title from resource r where r.workspace_id = ${ctx.workspaceId}::uuid
      and r.parent_id = ${tableId}::uuid and r.kind = 'column' and not r.archived and not r.stale
      order by r.sort_order nulls last, r.title`,
  );
  return columns.map(({ title }) => title);
}

/** Keep what reading the SQL of a table found, in place of what it found before. */
export async function keepCertainty(tx: Context, tableId: string, made: Certainty): Promise<void> {
  await execute(
    tx,
    Prisma.sql`insert into table_trace (workspace_id, table_id, traced_at, columns, traced,
        ambiguous, unresolved, reasons)
      values (${tx.workspaceId}::uuid, ${tableId}::uuid, ${tx.now()}::timestamptz, ${made.columns},
        ${made.traced}, ${made.ambiguous}, ${made.unresolved}, ${[...made.reasons]}::text[])
      on conflict (workspace_id, table_id) do update set traced_at = excluded.traced_at,
        columns = excluded.columns, traced = excluded.traced, ambiguous = excluded.ambiguous,
        unresolved = excluded.unresolved, reasons = excluded.reasons`,
  );
}

/**
 * How sure the lineage of each table is, for `loaderOf`. Of a table whose SQL was never read, or of which the
 * viewer may not see every column, columns count as traced that an edge says where they come from.
 */
export async function certaintiesOf(
  ctx: Context,
  tableIds: readonly string[],
): Promise<Map<string, Certainty>> {
  const columns = Prisma.sql`r.workspace_id = ${ctx.workspaceId}::uuid and r.parent_id = t.id
    and r.kind = 'column' and not r.archived and not r.stale`;
  const found = await rows<Found>(
    ctx,
    Prisma.sql`select t.id, k.table_id is not null as "isRead", w.table_id is not null as "isWhole",
        coalesce(w.columns, c.columns)::integer as columns,
        coalesce(w.traced, c.traced)::integer as traced, coalesce(w.ambiguous, 0) as ambiguous,
        coalesce(w.unresolved, c.columns - c.traced)::integer as unresolved,
        coalesce(k.reasons, '{}') as reasons
      from unnest(${[...tableIds]}::uuid[]) t(id)
      left join table_trace k on k.workspace_id = ${ctx.workspaceId}::uuid and k.table_id = t.id
      left join table_trace w on w.workspace_id = k.workspace_id and w.table_id = k.table_id
        and not exists (select from resource r where ${columns} and not (${visibleResources(ctx)}))
      cross join lateral (
        select count(*) as columns, count(*) filter (where exists (
            select from lineage_edge e where e.workspace_id = r.workspace_id
              and e.target_id = r.id and e.valid_to is null)) as traced
          from resource r where w.table_id is null and ${columns} and ${visibleResources(ctx)}) c`,
  );
  return new Map(
    found.map(({ id, isRead, isWhole, ...certainty }) => [
      id,
      { ...certainty, reasons: reasonsIn(ctx, { id, isRead, isWhole, ...certainty }) },
    ]),
  );
}

interface Found extends Certainty {
  readonly id: string;
  readonly isRead: boolean;
  /** Whether it was read and is shown as it was read. */
  readonly isWhole: boolean;
}

/**
 * Reading SQL sees the whole catalog, and its sentences name tables and columns of all of it: they are for those who
 * edit lineage. Others learn that something is not known.
 */
function reasonsIn(
  ctx: Context,
  { isRead, isWhole, reasons, unresolved }: Found,
): readonly string[] {
  if (!isRead) return unresolved === 0 ? [] : [notRead];
  if (isAllowed(ctx, 'edit lineage')) return reasons;
  const isOpen = isWhole ? reasons.length > 0 : unresolved > 0;
  return isOpen ? [notNamed] : [];
}

const notRead = 'The SQL that makes it is not known.';
const notNamed =
  'Its SQL leaves open where some of it comes from; editors of lineage are told why.';
