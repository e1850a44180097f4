// The scratch tables of an import: what was read, before anything touches the catalog.

import type { Context } from '../../../context.ts';
import type { Connection } from '../../../database/rows.ts';
import {
  type CopiedValue,
  copyIntoScratch,
  dropScratch,
  makeScratch,
  scratch,
  scratchSchema,
} from '../../../database/scratch.ts';
import { namesOf } from '../../../fields.ts';
import { lineOf } from '../../../text/text.ts';
import type { ExtractedResource, ExtractedRun, ExtractedTest } from '../../readers/extraction.ts';
import { IdSequence } from './id-sequence.ts';

/** What was read of a resource besides its key and place, by column; each null says nothing. */
export const stagedFields = {
  title: 'text',
  description: 'text',
  definition: 'text',
  native_type: 'text',
  external_updated_at: 'timestamptz',
  url: 'text',
  cluster: 'text',
  database_name: 'text',
  schema_name: 'text',
  creation_query: 'text',
  row_count: 'float8',
  byte_size: 'float8',
  type: 'text',
  sort_order: 'integer',
  is_pk: 'boolean',
  hidden: 'boolean',
  group_name: 'text',
  product: 'text',
  external_usage: 'float8',
  tag_ids: 'uuid[]',
  owner_ids: 'uuid[]',
  source_metadata: 'jsonb',
} as const;

const resourceColumns = {
  /** Order in which the resources were read. */
  seq: 'integer',
  line: 'integer',
  /** The id it gets, should it be new. */
  id: 'uuid',
  standing: 'text',
  kind: 'text',
  key: 'text',
  parent_key: 'text',
  ...stagedFields,
} as const;

const testColumns = {
  key: 'text',
  name: 'text',
  description: 'text',
  test_kind: 'text',
  table_key: 'text',
  column_key: 'text',
  severity: 'text',
  arguments: 'jsonb',
} as const;

const runColumns = {
  invocation_id: 'text',
  node_key: 'text',
  status: 'text',
  execution_seconds: 'float8',
  failures: 'integer',
  message: 'text',
  completed_at: 'timestamptz',
  executed: 'boolean',
} as const;

/** The scratch tables of one import, by their names in SQL. */
export interface Stage {
  /** What was read of resources. */
  readonly resources: string;
  /** Keys that stand for something else: another key, or a resource that is in the catalog. */
  readonly matches: string;
  /** Which resource each key names, and what is to become of it. */
  readonly plan: string;
  /** Resources of the catalog that are to be changed, numbered (`k`), and what becomes of each. */
  readonly changes: string;
  /** Resources whose changes people are notified of. */
  readonly watched: string;
  /** Which resource each table of the workspace is, by name. */
  readonly names: string;
  /** Lineage by the keys of its ends, as it was read. */
  readonly edgesByKey: string;
  /** Which resource each key of the integration names. */
  readonly keys: string;
  /** Lineage edges, by the ids of their ends. */
  readonly edges: string;
  /** In which table each end of an edge between columns lies. */
  readonly tables: string;
  /** The edges, each once and in order. */
  readonly edgePlan: string;
  /** Ends of new edges that were in the catalog before. */
  readonly oldEnds: string;
  /** Edges of the catalog that are to be changed, and what becomes of each. */
  readonly edgeChanges: string;
  readonly tests: string;
  readonly runs: string;
  readonly ids: IdSequence;
}

const parts = [
  'resources',
  'matches',
  'plan',
  'plan_known',
  'plan_links',
  'plan_skipped',
  'changes',
  'watched',
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
  await makeScratch(ctx, name('matches'), 'key text, id uuid, same_as text');
  await makeScratch(ctx, name('edges_by_key'), 'line integer, f_key text, t_key text');
  await makeScratch(ctx, name('edges'), 'source_id uuid, target_id uuid, level text');
  await makeScratch(ctx, name('tests'), columnList(testColumns));
  await makeScratch(ctx, name('runs'), columnList(runColumns));
  const table = (part: string) => `${scratchSchema}.${name(part)}`;
  return {
    resources: table('resources'),
    matches: table('matches'),
    plan: table('plan'),
    changes: table('changes'),
    watched: table('watched'),
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

/** A resource as it is staged: its tags and owners are known by id. */
export interface StagedResource {
  readonly resource: ExtractedResource;
  readonly seq: number;
  readonly tagIds?: readonly string[] | undefined;
  readonly ownerIds?: readonly string[] | undefined;
}

/** Stage resources: one statement for a batch. */
export async function stageResources(
  ctx: Context,
  stage: Stage,
  batch: readonly StagedResource[],
): Promise<void> {
  const rows = batch.map(({ resource, seq, tagIds, ownerIds }) => ({
    seq,
    line: resource.line,
    id: stage.ids.next(),
    standing: resource.standing,
    kind: resource.kind,
    key: resource.key,
    parent_key: resource.parentKey,
    title: resource.title && lineOf(resource.title),
    description: resource.description,
    definition: resource.definition,
    native_type: resource.nativeType,
    external_updated_at: resource.externalUpdatedAt,
    url: resource.url,
    cluster: resource.cluster,
    database_name: resource.database,
    schema_name: resource.schema,
    creation_query: resource.creationQuery,
    row_count: resource.rowCount,
    byte_size: resource.byteSize,
    type: resource.type,
    sort_order: resource.sortOrder,
    is_pk: resource.isPk,
    hidden: resource.hidden,
    group_name: resource.group,
    product: resource.product,
    external_usage: resource.externalUsage,
    tag_ids: tagIds,
    owner_ids: ownerIds,
    source_metadata: resource.metadata,
  }));
  await insert(ctx, stage.resources, resourceColumns, rows);
}

/** Stage tests: one statement for a batch. */
export async function stageTests(
  ctx: Context,
  stage: Stage,
  batch: readonly ExtractedTest[],
): Promise<void> {
  const rows = batch.map((test) => ({
    key: test.key,
    name: test.name,
    description: test.description,
    test_kind: test.testKind,
    table_key: test.tableKey,
    column_key: test.columnKey,
    severity: test.severity,
    arguments: test.arguments,
  }));
  await insert(ctx, stage.tests, testColumns, rows);
}

/** Stage results of a run: one statement for a batch. */
export async function stageRuns(
  ctx: Context,
  stage: Stage,
  batch: readonly ExtractedRun[],
): Promise<void> {
  const rows = batch.map((run) => ({
    invocation_id: run.invocationId,
    node_key: run.nodeKey,
    status: run.status,
    execution_seconds: run.executionSeconds,
    failures: run.failures,
    message: run.message,
    completed_at: run.completedAt,
    executed: run.executed,
  }));
  await insert(ctx, stage.runs, runColumns, rows);
}

// Most fields of most rows are absent: columns of which no row says anything are left out.
async function insert<Name extends string>(
  ctx: Context,
  table: string,
  columns: Readonly<Record<Name, string>>,
  rows: readonly Readonly<Partial<Record<Name, CopiedValue>>>[],
): Promise<void> {
  const names = namesOf(columns).filter((name) => rows.some((row) => row[name] !== undefined));
  await copyIntoScratch(ctx, table, names, valuesOf(rows, names));
}

function* valuesOf<Name extends string>(
  rows: readonly Readonly<Partial<Record<Name, CopiedValue>>>[],
  names: readonly Name[],
): Generator<CopiedValue[]> {
  for (const row of rows) yield names.map((name) => row[name]);
}

function columnList(columns: Readonly<Record<string, string>>): string {
  return Object.entries(columns)
    .map(([name, type]) => `${name} ${type}`)
    .join(', ');
}
