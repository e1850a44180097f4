// What the page of a resource shows.

import type { ResourcePageData } from './page.graphql';

/** A resource that is there. */
export type ResourceShown = NonNullable<ResourcePageData['resource']>;

/** What data does not flow through: such a thing has lineage only where somebody drew it. */
const withoutFlow: readonly string[] = [
  ...['database', 'schema', 'dashboard_group', 'collection', 'category', 'document', 'glossary'],
  ...['question', 'question_reply', 'event_property'],
];

/** Whether there is, or may be, lineage to show. */
export function hasLineage({ kind, upstream, downstream }: ResourceShown): boolean {
  return !withoutFlow.includes(kind) || upstream.length + downstream.length > 0;
}

/** The SQL that it is made by, or that it is, and the code as written in its project; null where neither is known. */
export function sqlOf(resource: ResourceShown): { sql: string | null; raw: string | null } | null {
  const sql =
    'sql' in resource ? resource.sql : 'creationQuery' in resource ? resource.creationQuery : null;
  const raw = resource.sourceFile?.rawCode ?? null;
  return sql || raw ? { sql: sql || null, raw: raw || null } : null;
}
