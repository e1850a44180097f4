// How a project's tables and columns look in the catalog.

import { ancestorsOf, type ExtractedResource } from '../extraction.ts';
import { ownersOf } from '../owner-name.ts';
import type { ProjectColumn, ProjectNode, ProjectSource } from './project-node.ts';

/** A node and the name by which its project knows it. */
export interface NamedNode<Node> {
  readonly key: string;
  readonly line: number;
  readonly node: Node;
}

/** The table a model, seed or snapshot makes, with its columns and what holds it. */
export function describeNode({ key, line, node }: NamedNode<ProjectNode>): ExtractedResource[] {
  const { config } = node;
  const place = placeOf(line, node.database, node.schema);
  const isModel = node.resource_type === 'model';
  const isSql = (node.language ?? 'sql') === 'sql';
  const table: ExtractedResource = {
    line,
    kind: 'table',
    key,
    standing: 'named',
    ...place,
    // The alias is the name in the warehouse; the name is what the project calls it.
    title: node.alias || node.name,
    description: node.description ?? undefined,
    nativeType: isModel ? (config?.materialized ?? 'model') : node.resource_type,
    // Lineage is read from it, so that it has to be SQL.
    creationQuery: isSql ? codeOf(node) : undefined,
    hidden: (config?.docs ?? node.docs)?.show === false,
    tags: union(node.tags, config?.tags),
    owners: ownersIn(metaOf(node)),
    metadata: present({
      name: node.name,
      resource_type: node.resource_type,
      package: node.package_name,
      path: node.original_file_path,
      materialized: config?.materialized,
      group: node.group ?? config?.group,
      access: node.access,
      version: node.version,
      latest_version: node.latest_version,
      deprecation_date: node.deprecation_date,
      relation_name: node.relation_name,
      contract: node.contract ?? config?.contract,
      constraints: node.constraints?.length ? node.constraints : null,
      ...madeBy(config),
      language: isSql ? null : node.language,
      raw_code: rawCodeOf(node),
      meta: metaOf(node),
    }),
  };
  const keyColumns = new Set(lower([...(node.primary_key ?? []), ...primaryKeyOf(node)]));
  return [...ancestorsOf({ line, ...place }), table, ...columnsOf(table, node.columns, keyColumns)];
}

/** How a model's table is made, as its configuration says it. */
function madeBy(config: ProjectNode['config']) {
  const { incremental_strategy, unique_key, partition_by, cluster_by, grants } = config ?? {};
  const isEmpty = typeof grants === 'object' && Object.keys(grants ?? {}).length === 0;
  return {
    incremental_strategy,
    unique_key,
    partition_by,
    cluster_by,
    grants: isEmpty ? null : grants,
  };
}

/** The SQL that makes it; where the project was only parsed, as somebody wrote it. */
function codeOf(node: ProjectNode): string | undefined {
  return node.compiled_code ?? node.compiled_sql ?? node.raw_code ?? node.raw_sql ?? undefined;
}

/** Longer code is left in the repository, to which its path leads. */
const maxRawCode = 50_000;

/** What somebody wrote, where it isn't what was made of it. */
function rawCodeOf(node: ProjectNode): string | undefined {
  const raw = node.raw_code ?? node.raw_sql ?? '';
  const compiled = node.compiled_code ?? node.compiled_sql;
  return raw !== '' && raw.length <= maxRawCode && raw !== compiled ? raw : undefined;
}

/** The rule of a source that says how old its newest data may be; absent where it has none. */
export function freshnessOf(source: ProjectSource) {
  const rule = source.freshness ?? source.config?.freshness;
  return rule?.warn_after?.count || rule?.error_after?.count ? rule : undefined;
}

/** The table a source stands for, with its columns and what holds it. */
export function describeSource({ key, line, node }: NamedNode<ProjectSource>): ExtractedResource[] {
  const place = placeOf(line, node.database, node.schema ?? node.source_name);
  const table: ExtractedResource = {
    line,
    kind: 'table',
    key,
    standing: 'named',
    ...place,
    title: node.identifier || node.name,
    description: node.description ?? undefined,
    nativeType: 'source',
    tags: union(node.tags, node.config?.tags),
    owners: ownersIn(metaOf(node)),
    metadata: present({
      name: node.name,
      resource_type: 'source',
      source_name: node.source_name,
      source_description: node.source_description || null,
      loader: node.loader,
      relation_name: node.relation_name,
      freshness: freshnessOf(node),
      loaded_at_field: node.loaded_at_field ?? node.config?.loaded_at_field,
      package: node.package_name,
      path: node.original_file_path,
      meta: { ...node.source_meta, ...metaOf(node) },
    }),
  };
  return [...ancestorsOf({ line, ...place }), table, ...columnsOf(table, node.columns, new Set())];
}

/** The key of a table's column: warehouses differ in the case they give to names. */
export function columnKey(tableKey: string, column: string): string {
  return `${tableKey}.${unquoted(column).toLowerCase()}`;
}

function columnsOf(
  table: ExtractedResource,
  columns: readonly ProjectColumn[],
  keyColumns: ReadonlySet<string>,
): ExtractedResource[] {
  return columns.flatMap((column, i): ExtractedResource[] => {
    if (!column.name) return [];
    const title = unquoted(column.name);
    const isKey = column.constraints?.some(({ type }) => type === 'primary_key');
    const meta = { ...column.config?.meta, ...column.meta };
    return [
      {
        line: table.line,
        kind: 'column',
        key: columnKey(table.key, title),
        parentKey: table.key,
        standing: 'named',
        title,
        description: column.description ?? undefined,
        type: column.data_type || undefined,
        sortOrder: i + 1,
        isPk: isKey || keyColumns.has(title.toLowerCase()),
        tags: union(column.tags, column.config?.tags),
        metadata: {
          ...(Object.keys(meta).length > 0 ? { meta } : {}),
          ...(column.constraints?.length ? { constraints: column.constraints } : {}),
          ...(column.data_type ? { data_type: column.data_type } : {}),
        },
      },
    ];
  });
}

function placeOf(
  line: number,
  database: string | null | undefined,
  schema: string | null | undefined,
) {
  const place = { database: database || undefined, schema: schema || undefined };
  return { ...place, parentKey: ancestorsOf({ line, ...place }).at(-1)?.key };
}

function primaryKeyOf(node: ProjectNode): string[] {
  const key = node.constraints?.find(({ type }) => type === 'primary_key');
  return key?.columns ?? [];
}

interface WithMeta {
  meta?: Record<string, unknown> | null | undefined;
  config?: { meta?: Record<string, unknown> | null | undefined } | null | undefined;
}

/** What people wrote about a node in their own words, next to the node or in its configuration. */
export function metaOf(node: WithMeta): Record<string, unknown> | undefined {
  const meta = { ...node.config?.meta, ...node.meta };
  return Object.keys(meta).length > 0 ? meta : undefined;
}

/** Owners that people name under `meta.owner` or `meta.owners`. */
export function ownersIn(meta: Record<string, unknown> | undefined): string[] {
  return ownersOf([meta?.owner, meta?.owners]);
}

/** Two lists of tags as one. */
export function union(one: readonly string[], other: readonly string[] | undefined): string[] {
  return [...new Set([...one, ...(other ?? [])])];
}

/** An object without its absent values. */
export function present(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value != null));
}

function lower(texts: readonly string[]): string[] {
  return texts.map((text) => text.toLowerCase());
}

/** A name as it is, where it was written in the quotes of one SQL dialect or another. */
function unquoted(name: string): string {
  const [, inner] = /^["'`[](.+)["'`\]]$/s.exec(name.trim()) ?? [];
  return inner ?? name.trim();
}
