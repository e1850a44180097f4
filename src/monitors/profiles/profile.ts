// Profiles of tables: the latest that was taken of each, when the next one is due, and who asks for one.

import { record } from '../../audit/audit.ts';
import { mustBeAllowed, visibleResources } from '../../auth/permission.ts';
import type { Context } from '../../context.ts';
import { loaderOf } from '../../database/loader.ts';
import { execute, rows } from '../../database/rows.ts';
import { transaction } from '../../database/transaction.ts';
import { invalid, invalidField, notFound } from '../../errors.ts';
import { type Job, Prisma, type Resource } from '../../generated/prisma/client.ts';
import { connectors, hasDriver } from '../../integrations/connectors/open.ts';
import { enqueueJob } from '../../jobs/job.ts';
import type { JobKind } from '../../jobs/job-kind.ts';
import { groupBy } from '../../lists/group-by.ts';
import { findResource } from '../../resources/resource.ts';
import {
  mostColumns,
  type ProfiledColumn,
  type ProfiledFacts,
  type TableFacts,
} from './profile-scan.ts';

/** The kind of job that takes the profile of a table. */
export const profileJob = 'tables.profile' satisfies JobKind;

/** Longest time between two profiles, in hours: a month. */
const mostHours = 24 * 31;

/** A profile of a table, as the viewer may see it. */
export interface TableProfileSeen {
  readonly takenAt: Date | null;
  readonly rowCount: number | null;
  readonly everyHours: number | null;
  readonly nextAt: Date | null;
  readonly columns: readonly ColumnProfile[];
}

/** A profile of a column. */
export interface ColumnProfile extends ProfiledFacts {
  readonly title: string;
  readonly isPersonal: boolean;
}

/** The key by which only one job profiles a table. */
const profileKey = (tableId: string) => `${profileJob}:${tableId}`;

/**
 * Take the profile of a table now, in the background; editors may. With hours it is taken again each time so many are over, 0
 * ends that. Throws BAD_REQUEST for what no source that is connected to holds, and NOT_FOUND.
 */
export async function startProfile(
  ctx: Context,
  tableId: string,
  everyHours?: number | null,
): Promise<Job> {
  mustBeAllowed(ctx, 'edit monitors');
  const table = await findTable(ctx, tableId);
  await sourceOf(ctx, table);
  if (everyHours != null && (everyHours < 0 || everyHours > mostHours)) {
    throw invalidField('every_hours', `Use 0 to ${mostHours}; 0 takes no more profiles.`);
  }
  return transaction(ctx, async (tx) => {
    if (everyHours != null) await setSchedule(tx, table.id, everyHours);
    const { job } = await enqueueJob(tx, {
      kind: profileJob,
      title: `Profile of ${table.title}`,
      payload: { tableId: table.id },
      dedupeKey: profileKey(table.id),
      maxAttempts: 2,
    });
    await record(tx, {
      activity: 'table_profiled',
      subject: subjectOf(table),
      related: { ids: [job.id], type: 'job' },
    });
    return job;
  });
}

/** A table that the viewer may see. Throws NOT_FOUND. */
export async function findTable(ctx: Context, id: string): Promise<Resource> {
  const table = await findResource(ctx, id, { kinds: ['table'] });
  if (!table) throw notFound('Table');
  return table;
}

export function subjectOf({ id, kind, title, integrationId }: Resource) {
  return { id, kind, title, integrationId };
}

/** A source that can be asked by SQL. */
export interface ProfiledSource {
  readonly id: string;
  readonly type: string;
}

/** The source that a table lies in. Throws BAD_REQUEST where none is connected to, or where it is not asked by SQL. */
export async function sourceOf(
  ctx: Context,
  { integrationId }: Pick<Resource, 'integrationId'>,
): Promise<ProfiledSource> {
  const [source] = await rows<ProfiledSource & { isConnected: boolean }>(
    ctx,
    Prisma.sql`select i.id, i.type, i.credentials is not null as "isConnected"
      from integration i where i.workspace_id = ${ctx.workspaceId}::uuid and i.id = ${integrationId}::uuid`,
  );
  const isAsked = source && hasDriver(source.type) && connectors[source.type]?.dialect != null;
  if (isAsked && source.isConnected) return source;
  throw invalid('The table lies in no source that is connected to: nothing of it can be read.');
}

async function setSchedule(tx: Context, tableId: string, hours: number): Promise<void> {
  const every = hours === 0 ? null : hours;
  await execute(
    tx,
    Prisma.sql`insert into table_profile as p (workspace_id, table_id, every_hours, next_run_at)
      values (${tx.workspaceId}::uuid, ${tableId}::uuid, ${every}::int,
        now() + make_interval(hours => ${every}::int))
      on conflict (workspace_id, table_id)
        do update set every_hours = excluded.every_hours, next_run_at = excluded.next_run_at`,
  );
}

/** Keep what was found of a table, in place of what was found before. */
export async function keepProfile(tx: Context, tableId: string, facts: TableFacts): Promise<void> {
  await execute(
    tx,
    Prisma.sql`insert into table_profile as p (workspace_id, table_id, taken_at, row_count, columns)
      values (${tx.workspaceId}::uuid, ${tableId}::uuid, ${tx.now()}::timestamptz, ${facts.rowCount},
        ${JSON.stringify(facts.columns)}::jsonb)
      on conflict (workspace_id, table_id) do update set taken_at = excluded.taken_at,
        row_count = excluded.row_count, columns = excluded.columns`,
  );
}

/** The columns of a table that are profiled, in their order. */
export async function columnsToProfile(ctx: Context, tableId: string): Promise<ProfiledColumn[]> {
  return rows<ProfiledColumn>(
    ctx,
    Prisma.sql`select r.id, r.title as name, r.type, r.pii or t.pii as "isPersonal"
      from resource t join resource r on r.workspace_id = t.workspace_id and r.parent_id = t.id
      where t.workspace_id = ${ctx.workspaceId}::uuid and t.id = ${tableId}::uuid and r.kind = 'column'
        and not r.archived and not r.stale
      order by r.sort_order, r.title limit ${mostColumns}`,
  );
}

/** The latest profile of a table; null where none was taken, and none is due. */
export async function loadProfile(ctx: Context, tableId: string): Promise<TableProfileSeen | null> {
  return (await loaderOf(ctx, profilesByTable).load(tableId)) ?? null;
}

/** The latest profile of a table that the viewer may see; of one that has none, nothing. Throws NOT_FOUND. */
export async function getProfile(ctx: Context, tableId: string): Promise<TableProfileSeen> {
  const { id } = await findTable(ctx, tableId);
  return (await loadProfile(ctx, id)) ?? nothing;
}

const nothing: TableProfileSeen = {
  ...{ takenAt: null, rowCount: null, everyHours: null, nextAt: null, columns: [] },
};

/** The latest profile of a column; null where none was taken. */
export async function loadColumnProfile(
  ctx: Context,
  { id, parentId }: Pick<Resource, 'id' | 'parentId'>,
): Promise<ColumnProfile | null> {
  const profile = parentId === null ? null : await loadProfile(ctx, parentId);
  return profile?.columns.find((column) => column.id === id) ?? null;
}

interface ProfileRow {
  readonly tableId: string;
  readonly takenAt: Date | null;
  readonly rowCount: number | null;
  readonly everyHours: number | null;
  readonly nextAt: Date | null;
}

interface ColumnRow {
  readonly tableId: string;
  readonly id: string;
  readonly title: string;
  readonly isPersonal: boolean;
  readonly facts: ProfiledFacts;
}

async function profilesByTable(
  ctx: Context,
  ids: readonly string[],
): Promise<Map<string, TableProfileSeen>> {
  const among = Prisma.sql`p.workspace_id = ${ctx.workspaceId}::uuid and p.table_id = any(${[...ids]}::uuid[])`;
  const profiles = await rows<ProfileRow>(
    ctx,
    Prisma.sql`select p.table_id as "tableId", p.taken_at as "takenAt", p.row_count as "rowCount",
        p.every_hours as "everyHours", p.next_run_at as "nextAt"
      from table_profile p where ${among}`,
  );
  // Whether a column is personal is said by now: it may not have been when the profile was taken.
  const found = await rows<ColumnRow>(
    ctx,
    Prisma.sql`select p.table_id as "tableId", r.id, r.title, r.pii or t.pii as "isPersonal", c.facts
      from table_profile p
      join resource t on t.workspace_id = p.workspace_id and t.id = p.table_id
      cross join lateral jsonb_array_elements(p.columns) c(facts)
      join resource r on r.workspace_id = p.workspace_id and r.id = (c.facts ->> 'id')::uuid
        and r.parent_id = t.id and not r.archived
      where ${among} and ${visibleResources(ctx, 'r')}
      order by r.sort_order, r.title, r.id`,
  );
  const columns = groupBy(found, ({ tableId }) => tableId);
  return new Map(
    profiles.map(({ tableId, ...profile }) => [
      tableId,
      { ...profile, columns: (columns.get(tableId) ?? []).map(columnSeen) },
    ]),
  );
}

/** Of a personal column what says no value. */
function columnSeen({ id, title, isPersonal, facts }: ColumnRow): ColumnProfile {
  const shown = isPersonal ? { ...facts, ...withoutValues } : facts;
  return { ...shown, id, title, isPersonal };
}

const withoutValues = {
  ...{ minimum: null, maximum: null, mean: null, earliest: null, latest: null },
  ...{ averageLength: null, topValues: [] },
} as const;
