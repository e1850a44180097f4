// How a project's tests, exposures and metrics look in the catalog.

import { isWebAddress } from '../../text/text.ts';
import type { ExtractedResource, ExtractedTest } from './extraction.ts';
import {
  columnKey,
  emailsOf,
  metaOf,
  type NamedNode,
  ownersIn,
  present,
  union,
} from './project.ts';
import type { ProjectExposure, ProjectMetric, ProjectNode } from './project-node.ts';

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
  };
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
export function describeExposure({
  key,
  line,
  node,
}: NamedNode<ProjectExposure>): ExtractedResource {
  const email = node.owner?.email;
  return {
    line,
    kind: 'dashboard',
    key,
    standing: 'named',
    title: node.label || node.name,
    description: node.description ?? undefined,
    nativeType: node.type ?? 'exposure',
    url: node.url && isWebAddress(node.url) ? node.url : undefined,
    tags: union(node.tags, node.config?.tags),
    owners: emailsOf([email].flat()),
    metadata: present({
      name: node.name,
      resource_type: 'exposure',
      maturity: node.maturity,
      owner: node.owner?.name,
      package: node.package_name,
      path: node.original_file_path,
      meta: metaOf(node),
    }),
  };
}

/** A metric: a number that people look at, kept as a chart of the native type `metric`. */
export function describeMetric({ key, line, node }: NamedNode<ProjectMetric>): ExtractedResource {
  return {
    line,
    kind: 'chart',
    key,
    standing: 'named',
    title: node.label || node.name,
    description: node.description ?? undefined,
    nativeType: 'metric',
    tags: union(node.tags, node.config?.tags),
    owners: ownersIn(metaOf(node)),
    metadata: present({
      name: node.name,
      resource_type: 'metric',
      type: node.calculation_method ?? node.type,
      expression: node.expression ?? node.sql ?? node.type_params?.expr,
      group: node.group ?? node.config?.group,
      package: node.package_name,
      path: node.original_file_path,
      meta: metaOf(node),
    }),
  };
}
