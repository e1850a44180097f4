// Makes the scratch tables of an import, and drops them.

import type { Context } from '../../../context.ts';
import type { Connection } from '../../../database/rows.ts';
import { dropScratch, makeScratch, scratch, scratchSchema } from '../../../database/scratch.ts';
import { settlingOf } from '../../claims/settle.ts';
import { IdSequence } from './id-sequence.ts';
import type { Stage } from './stage.ts';
import { columnList, resourceColumns, runColumns, testColumns } from './stage-rows.ts';

const parts = [
  'resources',
  'resources_nested',
  'matches',
  'plan',
  'plan_before',
  'plan_known',
  'plan_links',
  'plan_skipped',
  'paths',
  'placed',
  'things',
  'things_of',
  'things_heads',
  'things_holders',
  'things_columns',
  'things_staged',
  'things_staged_of',
  'moves',
  'pairs',
  'said',
  'touched',
  'claims',
  'settled',
  'changes',
  'watched',
  'terms',
  'term_links',
  'names',
  'edges_by_key',
  'keys',
  'edges',
  'tables',
  'edge_plan',
  'old_ends',
  'edge_changes',
  'tests',
  'runs',
];

/** Make the scratch tables for an import into an integration, in place of any that were left. */
export async function openStage(ctx: Context, integrationId: string): Promise<Stage> {
  const name = (part: string) => `import_${integrationId.replaceAll('-', '')}_${part}`;
  await closeStage(ctx, integrationId);
  await makeScratch(ctx, name('resources'), columnList(resourceColumns));
  await makeScratch(ctx, name('matches'), 'key text, id uuid, same_as text, shared boolean');
  await makeScratch(
    ctx,
    name('terms'),
    'id uuid, key text, is_said boolean, seq integer, line integer, related_keys text[]',
  );
  await makeScratch(ctx, name('term_links'), 'term_id uuid, related_id uuid');
  await makeScratch(ctx, name('edges_by_key'), 'line integer, f_key text, t_key text');
  await makeScratch(ctx, name('edges'), 'source_id uuid, target_id uuid, level text');
  await makeScratch(ctx, name('tests'), columnList(testColumns));
  await makeScratch(ctx, name('runs'), columnList(runColumns));
  const table = (part: string) => `${scratchSchema}.${name(part)}`;
  return {
    resources: table('resources'),
    matches: table('matches'),
    paths: table('paths'),
    placed: table('placed'),
    things: table('things'),
    moves: table('moves'),
    pairs: table('pairs'),
    said: table('said'),
    touched: table('touched'),
    settling: settlingOf(table('').replace(/_$/, '')),
    plan: table('plan'),
    changes: table('changes'),
    watched: table('watched'),
    terms: table('terms'),
    termLinks: table('term_links'),
    names: table('names'),
    edgesByKey: table('edges_by_key'),
    keys: table('keys'),
    edges: table('edges'),
    tables: table('tables'),
    edgePlan: table('edge_plan'),
    oldEnds: table('old_ends'),
    edgeChanges: table('edge_changes'),
    tests: table('tests'),
    runs: table('runs'),
    ids: new IdSequence(ctx.now()),
  };
}

/** The integrations that have scratch tables: those of imports in progress, or left by dead ones. */
export async function stagedIntegrations(ctx: Connection): Promise<string[]> {
  const found = await scratch<{ id: string }>(
    ctx,
    `select distinct substring(tablename from '^import_([0-9a-f]{32})_')::uuid::text as id
      from pg_catalog.pg_tables where schemaname = $1 and tablename ~ '^import_[0-9a-f]{32}_'`,
    [scratchSchema],
  );
  return found.map(({ id }) => id);
}

/** Drop the scratch tables of an import. */
export async function closeStage(ctx: Connection, integrationId: string): Promise<void> {
  const name = `import_${integrationId.replaceAll('-', '')}`;
  await dropScratch(
    ctx,
    parts.map((part) => `${name}_${part}`),
  );
}
