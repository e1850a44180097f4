// The tests of a project and what its runs said: writing them, and who fails them.

import type { Context } from '../../context.ts';
import { rows } from '../../database/rows.ts';
import { scratch } from '../../database/scratch.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { Stage } from '../imports/staging/stage.ts';
import { getIntegration } from '../integration.ts';

/** What an import makes of tests and run results. */
export interface TestCounts {
  readonly created: number;
  readonly updated: number;
  readonly staled: number;
  readonly unchanged: number;
  /** Results of runs that were not known yet. */
  readonly results: number;
}

export interface TestOptions {
  readonly integrationId: string;
  /** True where tests that the project no longer declares become stale. */
  readonly stale: boolean;
}

/** The staged tests with what they are about: its key is in the plan, or else in the catalog. */
const found = ({ tests, plan }: Stage) => {
  const resource = (key: string) => `coalesce(
    (select p.id from ${plan} p where p.key = ${key}),
    (select r.id from resource r where r.workspace_id = $1::uuid and r.integration_id = $2::uuid
      and r.databuilder_id = ${key}),
    (select c.resource_id from resource_claim c where c.workspace_id = $1::uuid
      and c.integration_id = $2::uuid and c.key = ${key}))`;
  return `select distinct on (t.key) t.key, t.name, t.description, t.test_kind, t.severity, t.arguments,
    ${resource('t.table_key')} as resource_id, ${resource('t.column_key')} as column_id,
    false as stale from ${tests} t order by t.key`;
};

const fields = [
  'name',
  'description',
  'test_kind',
  'severity',
  'arguments',
  'resource_id',
  'column_id',
  'stale',
] as const;

const list = (alias: string) => fields.map((field) => `${alias}.${field}`).join(', ');

/** What `applyTests` would do, without doing it. */
export async function countTests(
  ctx: Context,
  stage: Stage,
  options: TestOptions,
): Promise<TestCounts> {
  const [counted] = await scratch<TestCounts>(
    ctx,
    `with f as (${found(stage)}),
      d as (select * from data_test where workspace_id = $1::uuid and integration_id = $2::uuid)
      select (count(*) filter (where d.id is null))::integer as created,
        (count(*) filter (where d.id is not null and (${list('d')}) is distinct from (${list('f')}))
          )::integer as updated,
        (count(*) filter (where (${list('d')}) is not distinct from (${list('f')})))::integer
          as unchanged,
        (select count(*) from d where $3 and not d.stale
          and not exists (select from f where f.key = d.key))::integer as staled,
        (select count(*) from (select distinct invocation_id, node_key from ${stage.runs} where executed) u
          where not exists (select from run_result x where x.workspace_id = $1::uuid
            and x.integration_id = $2::uuid and x.invocation_id = u.invocation_id
            and x.node_key = u.node_key))::integer as results
      from f left join d on d.key = f.key`,
    [ctx.workspaceId, options.integrationId, options.stale],
  );
  return counted ?? { created: 0, updated: 0, staled: 0, unchanged: 0, results: 0 };
}

/** Write the staged tests and results within a transaction, after the resources they are about. */
export async function applyTests(
  tx: Context,
  stage: Stage,
  options: TestOptions,
): Promise<TestCounts> {
  const counts = await countTests(tx, stage, options);
  const ids = [tx.workspaceId, options.integrationId, tx.now()];
  await scratch(
    tx,
    `insert into data_test as d (workspace_id, integration_id, created_at, updated_at, key,
        ${fields.join(', ')})
      select $1::uuid, $2::uuid, $3::timestamptz, $3::timestamptz, f.key, ${list('f')}
      from (${found(stage)}) f
      on conflict (workspace_id, integration_id, key) do update set updated_at = excluded.updated_at,
        ${fields.map((field) => `${field} = excluded.${field}`).join(', ')}
      where (${list('d')}) is distinct from (${list('excluded')})`,
    ids,
  );
  if (options.stale) {
    await scratch(
      tx,
      `update data_test d set stale = true, updated_at = $3 where d.workspace_id = $1::uuid
        and d.integration_id = $2::uuid and not d.stale
        and not exists (select from ${stage.tests} t where t.key = d.key)`,
      ids,
    );
  }
  await applyRuns(tx, stage, ids);
  return counts;
}

async function applyRuns(tx: Context, stage: Stage, ids: readonly unknown[]): Promise<void> {
  const { runs, plan } = stage;
  await scratch(
    tx,
    `insert into run_result (workspace_id, integration_id, invocation_id, node_key, status,
        execution_seconds, failures, message, completed_at, resource_id, data_test_id)
      select distinct on (u.invocation_id, u.node_key) $1::uuid, $2::uuid, u.invocation_id,
        u.node_key, u.status, u.execution_seconds, u.failures, u.message, u.completed_at,
        coalesce(p.id, r.id, c.resource_id, d.resource_id), d.id
      from ${runs} u
      left join ${plan} p on p.key = u.node_key
      left join resource r on r.workspace_id = $1::uuid and r.integration_id = $2::uuid
        and r.databuilder_id = u.node_key
      left join resource_claim c on c.workspace_id = $1::uuid and c.integration_id = $2::uuid
        and c.key = u.node_key
      left join data_test d on d.workspace_id = $1::uuid and d.integration_id = $2::uuid
        and d.key = u.node_key
      where u.executed
      order by u.invocation_id, u.node_key, u.completed_at desc
      on conflict (workspace_id, integration_id, invocation_id, node_key) do nothing`,
    ids.slice(0, 2),
  );
  await forgetOldRuns(tx, stage, ids);
  // A run that only compiled a test says that it succeeded, though nothing was tested.
  const status = `case u.status when 'success' then 'pass' else u.status end`;
  await scratch(
    tx,
    `update data_test d set status = ${status}, failures = u.failures, message = u.message,
        last_run_at = u.completed_at, updated_at = $3
      from (select distinct on (node_key) * from ${runs} where executed and status <> 'skipped'
        order by node_key, completed_at desc) u
      where d.workspace_id = $1::uuid and d.integration_id = $2::uuid and d.key = u.node_key
        and (d.last_run_at is null or d.last_run_at <= u.completed_at)
        and (d.status, d.failures, d.message, d.last_run_at) is distinct from
          (${status}, u.failures, u.message, date_trunc('milliseconds', u.completed_at))`,
    ids,
  );
  // That a test was skipped, as something upstream failed, says nothing of its data: what it found last still holds.
  await scratch(
    tx,
    `update data_test d set status = coalesce(d.status, 'skipped'), skipped_at = u.skipped_at, updated_at = $3
      from (select node_key, date_trunc('milliseconds', max(completed_at)) as skipped_at
        from ${runs} where executed and status = 'skipped' group by node_key) u
      where d.workspace_id = $1::uuid and d.integration_id = $2::uuid and d.key = u.node_key
        and (d.skipped_at is null or d.skipped_at < u.skipped_at)`,
    ids,
  );
}

/** So many results of each node are kept, */
export const keptRuns = 1_000;
/** and all that are younger: metrics of pipelines look back for a month at most. */
export const keptDays = 31;

/** Forget the oldest results of the nodes that have new ones. */
async function forgetOldRuns(tx: Context, { runs }: Stage, ids: readonly unknown[]): Promise<void> {
  await scratch(
    tx,
    `delete from run_result x using (
        select u.node_key, (select k.completed_at from run_result k
            where k.workspace_id = $1::uuid and k.integration_id = $2::uuid
              and k.node_key = u.node_key
            order by k.completed_at desc offset ${keptRuns - 1} limit 1) as oldest
        from (select distinct node_key from ${runs}) u) kept
      where x.workspace_id = $1::uuid and x.integration_id = $2::uuid
        and x.node_key = kept.node_key and x.completed_at < kept.oldest
        and x.completed_at < $3::timestamptz - interval '${keptDays} days'`,
    ids,
  );
}

/** Resources whose tests fail, and those whose tests only warn. */
export interface FailingTests {
  readonly failing: readonly string[];
  readonly warning: readonly string[];
}

/**
 * The resources of an integration that have a failing or warning test in the latest run: the column a
 * test is about, or else its table. A resource that fails one test and warns in another is failing.
 * Admins and editors may read them.
 */
export async function listFailingTests(ctx: Context, integrationId: string): Promise<FailingTests> {
  const { id } = await getIntegration(ctx, integrationId);
  const found = await rows<{ id: string; isFailing: boolean }>(
    ctx,
    Prisma.sql`select coalesce(d.column_id, d.resource_id) as id,
        bool_or(d.status in ('fail', 'error')) as "isFailing"
      from data_test d where d.workspace_id = ${ctx.workspaceId}::uuid
        and d.integration_id = ${id}::uuid and not d.stale
        and d.status in ('warn', 'fail', 'error') and d.resource_id is not null
      group by 1 order by 1`,
  );
  const ids = (isFailing: boolean) =>
    found.filter((each) => each.isFailing === isFailing).map(({ id }) => id);
  return { failing: ids(true), warning: ids(false) };
}
