// How a project's tests, exposures and metrics look in the catalog.

import { isWebAddress } from '../../../text/text.ts';
import type { ExtractedResource, ExtractedTest } from '../extraction.ts';
import { ownersOf } from '../owner-name.ts';
import {
  columnKey,
  freshnessOf,
  metaOf,
  type NamedNode,
  ownersIn,
  present,
  union,
} from './project.ts';
import type {
  ProjectExposure,
  ProjectMetric,
  ProjectNode,
  ProjectSavedQuery,
  ProjectSemanticModel,
  ProjectSource,
  ProjectUnitTest,
} from './project-node.ts';

/** A test that a project declares, and the table or column that it tests. */
export function describeTest({ key, node }: NamedNode<ProjectNode>): ExtractedTest {
  const { test_metadata: metadata, config } = node;
  const tableKey = testedNode(node);
  const column = node.column_name ?? metadata?.kwargs?.column_name;
  const isColumn = tableKey !== undefined && typeof column === 'string' && column !== '';
  return {
    key,
    name: node.name,
    description: node.description || undefined,
    testKind: metadata ? [metadata.namespace, metadata.name].filter(Boolean).join('.') : undefined,
    tableKey,
    columnKey: isColumn ? columnKey(tableKey, column) : undefined,
    severity: config?.severity?.toLowerCase() === 'warn' ? 'warn' : 'error',
    arguments: argumentsOf(node),
  };
}

/** Longer arguments, such as lists of ten thousand values, are left out. */
const maxArguments = 20_000;

/** What a test was told: its macro's arguments, and which rows and how many failures count. */
function argumentsOf({ test_metadata: metadata, config }: ProjectNode) {
  const { model: _model, column_name: _column, ...kwargs } = metadata?.kwargs ?? {};
  const told = present({
    ...kwargs,
    where: config?.where,
    limit: config?.limit,
    // Any failure counts, unless the project says otherwise.
    warn_if: config?.warn_if === '!= 0' ? null : config?.warn_if,
    error_if: config?.error_if === '!= 0' ? null : config?.error_if,
  });
  const isShort = JSON.stringify(told).length <= maxArguments;
  return isShort && Object.keys(told).length > 0 ? told : undefined;
}

/** A test of a model's logic on rows that the project gives. */
export function describeUnitTest({ key, node }: NamedNode<ProjectUnitTest>): ExtractedTest {
  const nodes = node.depends_on?.nodes ?? [];
  const model = nodes.find((one) => one.split('.').at(-1) === node.model) ?? nodes[0];
  return {
    key,
    name: node.name,
    description: node.description || undefined,
    testKind: 'unit_test',
    tableKey: model,
    severity: 'error',
  };
}

/** The key under which results of a source's freshness are kept. */
export function freshnessKey(source: string): string {
  return `freshness.${source}`;
}

/** What a source promises of the age of its newest data, as a test of its table; null where it promises nothing. */
export function describeFreshness({ key, node }: NamedNode<ProjectSource>): ExtractedTest | null {
  const rule = freshnessOf(node);
  if (!rule) return null;
  const after = [
    ['warns', rule.warn_after],
    ['fails', rule.error_after],
  ] as const;
  const says = after.flatMap(([word, age]) =>
    age?.count ? [`${word} after ${age.count} ${age.period}${age.count === 1 ? '' : 's'}`] : [],
  );
  return {
    key: freshnessKey(key),
    name: `freshness_${node.source_name ?? ''}_${node.name}`,
    description: `Without new data it ${says.join(' and ')}.`,
    testKind: 'freshness',
    tableKey: key,
    severity: rule.error_after?.count ? 'error' : 'warn',
    arguments: present({ ...rule, loaded_at_field: node.loaded_at_field }),
  };
}

/** What exposures, metrics and saved queries have in common; `facts` is what else is kept of one. */
function described(
  {
    key,
    line,
    node,
  }: NamedNode<Pick<ProjectSavedQuery, keyof ProjectExposure & keyof ProjectSavedQuery>>,
  facts: Readonly<Record<string, unknown>>,
) {
  const meta = metaOf(node);
  return {
    line,
    key,
    standing: 'named' as const,
    title: node.label || node.name,
    description: node.description ?? undefined,
    tags: union(node.tags, node.config?.tags),
    owners: ownersIn(meta),
    metadata: present({
      name: node.name,
      package: node.package_name,
      path: node.original_file_path,
      meta,
      ...facts,
    }),
  };
}

/** A saved query: metrics by dimensions, which a project asks for again and again. */
export function describeSavedQuery(query: NamedNode<ProjectSavedQuery>): ExtractedResource {
  const { query_params, exports, group, config } = query.node;
  const facts = { query_params, exports, group: group ?? config?.group };
  const common = described(query, { resource_type: 'saved_query', ...facts });
  return { ...common, kind: 'query', nativeType: 'saved_query' };
}

/** What a semantic model adds to the table that it is about. */
export function semanticsOf({ node, line }: NamedNode<ProjectSemanticModel>): ExtractedResource[] {
  const [table] = node.depends_on?.nodes ?? [];
  const { name, label, description, entities, dimensions, measures, defaults } = node;
  const model = present({ label, description, entities, dimensions, measures, defaults });
  if (table === undefined || Object.keys(model).length === 0) return [];
  const metadata = { [`semantic_model.${name}`]: model };
  return [{ line, kind: 'table', key: table, standing: 'addition', metadata }];
}

/**
 * The node a test is about. Later versions say so. Before, a test of several nodes (a relationship)
 * names its own in the arguments; one of its own SQL is about the first that it reads.
 */
function testedNode(node: ProjectNode): string | undefined {
  if (node.attached_node) return node.attached_node;
  const nodes = node.depends_on?.nodes ?? [];
  if (nodes.length <= 1) return nodes[0];
  const model = node.test_metadata?.kwargs?.model;
  const named = typeof model === 'string' ? lastName(model) : undefined;
  const tested = nodes.find((key) => named !== undefined && key.split('.').includes(named));
  return tested ?? (node.test_metadata ? nodes.at(-1) : nodes[0]);
}

/** The last name in `{{ get_where_subquery(ref('shop', 'orders')) }}`: `orders`. */
function lastName(call: string): string | undefined {
  const [, list] = /(?:ref|source)\(([^)]*)\)/.exec(call) ?? [];
  const names = [...(list ?? '').matchAll(/['"]([^'"]+)['"]/g)].map(([, name]) => name);
  return names.at(-1);
}

/** An exposure, which is where people see the data: a dashboard. */
export function describeExposure(exposure: NamedNode<ProjectExposure>): ExtractedResource {
  const { type, url, maturity, owner } = exposure.node;
  return {
    ...described(exposure, { resource_type: 'exposure', maturity, owner: owner?.name }),
    kind: 'dashboard',
    nativeType: type ?? 'exposure',
    url: url && isWebAddress(url) ? url : undefined,
    owners: ownersOf([owner]),
  };
}

/** A metric: a number that people look at, kept as a chart of the native type `metric`. */
export function describeMetric(metric: NamedNode<ProjectMetric>): ExtractedResource {
  const { type_params, filter, group, config, ...node } = metric.node;
  const common = described(metric, {
    resource_type: 'metric',
    type: node.calculation_method ?? node.type,
    expression: node.expression ?? node.sql ?? type_params?.expr,
    ...{ type_params, filter, group: group ?? config?.group },
  });
  return { ...common, kind: 'chart', nativeType: 'metric' };
}
