// A front end's code that asks the ten questions of the guide: typed by a generator, without a cast.

/**
 * TypeScript that sends each question with its variables and reads its answer, all of it typed by what the client
 * preset of graphql-codegen makes of the guide. A name that is wrong, or a null that is not thought of, does not compile.
 */
export const typedAnswers = `
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import {
  AuditFeedDocument, ColumnLineageDocument, DocumentationCoverageDocument, GlossaryDocument,
  IncidentBoardDocument, MonitorMonthDocument, OwnershipReportDocument, ResourcePageDocument,
  SearchDocument, WhatBreaksDocument,
} from './preset/graphql.js';

declare function ask<Answer, Variables>(
  question: TypedDocumentNode<Answer, Variables>,
  variables: Variables,
): Promise<Answer>;

export async function lineageView(column: string): Promise<string[]> {
  const { lineage } = await ask(ColumnLineageDocument, { column });
  return (lineage?.nodes ?? []).flatMap(({ depth, direction, resource }) => [
    \`\${depth} \${direction} \${resource.title}\`,
    ...resource.openIncidents.map(({ name, severity }): string => \`\${name}: \${severity}\`),
    ...(resource.parent?.owners.map((owner): string => owner.name) ?? []),
  ]);
}

export async function resourcePage(id: string): Promise<string> {
  const { resource, openIncidents } = await ask(ResourcePageDocument, { id });
  if (!resource) return 'not found';
  const columns = resource.__typename === 'Table' ? resource.columns.map(({ title }) => title) : [];
  const rows: number | null = resource.__typename === 'Table' ? resource.rowCount : null;
  const version = resource.versions.nodes[0]?.author?.name ?? resource.createdBy?.name ?? 'an import';
  return [resource.titleFull, version, rows, openIncidents.totalCount, ...columns].join(' ');
}

export async function search(words: string): Promise<string[]> {
  const { search } = await ask(SearchDocument, { words, kinds: ['table', 'dashboard'] });
  const found = search.nodes.map(({ resource, highlights }) =>
    [resource.titleFull, ...highlights.map(({ text }) => text)].join(': '));
  return [...found, ...search.facets.owner.map(({ label, count }) => \`\${label} (\${count.toFixed()})\`)];
}

export async function board(assignee: string | null): Promise<string[]> {
  const { incidents, critical, unassigned } = await ask(IncidentBoardDocument, { assignee });
  const counts: number = critical.totalCount + unassigned.totalCount;
  const rank = { critical: 0, high: 1, medium: 2, low: 3 } satisfies Record<
    (typeof incidents.nodes)[number]['severity'], number>;
  return [...incidents.nodes]
    .sort((one, other) => rank[one.severity] - rank[other.severity])
    .map(({ name, assignee, target }) => \`\${name} \${assignee?.name ?? counts} \${target?.titleFull ?? ''}\`);
}

export async function chart(id: string): Promise<[string, number][]> {
  const month = { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' };
  const { monitor } = await ask(MonitorMonthDocument, { id, ...month });
  const points = monitor?.series.points ?? [];
  return points.map(({ createdAt, value, upperThreshold }) => [createdAt, upperThreshold ?? value]);
}

export async function feed(person: string): Promise<string[]> {
  const { auditLogs } = await ask(AuditFeedDocument, { person, since: '2026-01-01T00:00:00Z' });
  return auditLogs.nodes.map(({ loggedAt, activityType, performer, resource }) => {
    const isNew = activityType === 'table_created';
    return [loggedAt.slice(0, 10), performer?.name, isNew, resource?.titleFull].join(' ');
  });
}

export async function owners(): Promise<string[]> {
  const { coverage, people, orphans } = await ask(OwnershipReportDocument, {});
  const share = coverage.owned / coverage.total;
  const teams = coverage.teams.map(({ label, owned, total }) => \`\${label} \${owned} of \${total}\`);
  const most = people.nodes.map(({ name, ownedResources }) => name + ownedResources.totalCount.toFixed());
  return [share.toFixed(2), ...teams, ...most, ...orphans.nodes.map(({ titleFull }) => titleFull)];
}

export async function breaks(column: string): Promise<string[]> {
  const { impact } = await ask(WhatBreaksDocument, { column });
  if (!impact) return ['not found'];
  const people = impact.owners.map(({ user }) => user?.email);
  return [impact.truncatedReason ?? 'all', impact.hiddenNodes.toFixed(), ...people];
}

export async function documentation(): Promise<[string, number][]> {
  const { coverage, undocumented } = await ask(DocumentationCoverageDocument, {});
  const byTeam = coverage.by.map(({ label, documented, total }): [string, number] => [
    label ?? 'no team', documented / total,
  ]);
  return [...byTeam, ['to do', undocumented.totalCount]];
}

export async function glossary(): Promise<string[]> {
  const { resources } = await ask(GlossaryDocument, {});
  return resources.nodes.flatMap((term) =>
    term.__typename === 'GlossaryTerm'
      ? [term.title, ...term.relatedTerms.map(({ title }) => title), term.linkedResources.totalCount.toFixed()]
      : []);
}
`;
