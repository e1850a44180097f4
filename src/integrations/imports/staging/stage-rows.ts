// The rows of the scratch tables of an import: what was read of resources, tests and runs.

import type { Context } from '../../../context.ts';
import { type CopiedValue, copyIntoScratch } from '../../../database/scratch.ts';
import { namesOf } from '../../../fields.ts';
import { lineOf } from '../../../text/text.ts';
import type { ExtractedResource, ExtractedRun, ExtractedTest } from '../../readers/extraction.ts';
import type { Owners } from '../planning/owners.ts';
import type { Stage } from './stage.ts';

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
  owner_group_ids: 'uuid[]',
  source_metadata: 'jsonb',
  synonyms: 'text[]',
  term_status: 'text',
  approved_at: 'timestamptz',
  /** As it was read, and when (`at`). */
  deprecation: 'jsonb',
  /** What its successor is, once all of it is planned. */
  successor_id: 'uuid',
  related_keys: 'text[]',
  /** Whether its links with related terms are to change, once all of it is planned. */
  related_changes: 'boolean',
} as const;

/** Columns of what was read of resources. */
export const resourceColumns = {
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

/** Columns of what was read of tests. */
export const testColumns = {
  key: 'text',
  name: 'text',
  description: 'text',
  test_kind: 'text',
  table_key: 'text',
  column_key: 'text',
  severity: 'text',
  arguments: 'jsonb',
} as const;

/** Columns of what was read of runs. */
export const runColumns = {
  invocation_id: 'text',
  node_key: 'text',
  status: 'text',
  execution_seconds: 'float8',
  failures: 'integer',
  message: 'text',
  completed_at: 'timestamptz',
  executed: 'boolean',
} as const;

/** A resource as it is staged: its tags and owners are known by id. */
export interface StagedResource {
  readonly resource: ExtractedResource;
  readonly seq: number;
  readonly tagIds?: readonly string[] | undefined;
  readonly owners?: Owners | undefined;
}

/** Stage resources: one statement for a batch. */
export async function stageResources(
  ctx: Context,
  stage: Stage,
  batch: readonly StagedResource[],
): Promise<void> {
  const rows = batch.map(({ resource, seq, tagIds, owners }) => ({
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
    owner_ids: owners?.userIds,
    owner_group_ids: owners?.groupIds,
    source_metadata: owners?.metadata ?? resource.metadata,
    synonyms: resource.synonyms,
    term_status: resource.termStatus,
    approved_at: resource.termStatus === 'approved' ? ctx.now() : undefined,
    related_keys: resource.relatedKeys,
    deprecation: resource.deprecation && { ...resource.deprecation, at: ctx.now() },
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

/** Columns as a table is made with them. */
export function columnList(columns: Readonly<Record<string, string>>): string {
  return Object.entries(columns)
    .map(([name, type]) => `${name} ${type}`)
    .join(', ');
}
