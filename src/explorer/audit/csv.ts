// The entries of the audit log as CSV, by the filters of the page.

import { ask } from '../asking/ask.ts';
import { csvOf } from '../window/save-file.ts';
import { auditWords as words } from '../words/audit.ts';
import { activityName, fieldTitle, subjectName } from '../words/names/activities.ts';
import {
  type AuditEntry,
  AuditPage,
  type AuditPageData,
  type AuditPageVariables,
} from './page.graphql';
import { textOf } from './value-text.ts';

const perRequest = 500;

/** Entries of a file at most, the newest; all of them are exported with their proofs. */
export const mostInCsv = 10_000;

/** The entries that filters leave, the newest first. */
export async function auditCsv(where: AuditPageVariables['where']): Promise<string> {
  const entries: AuditEntry[] = [];
  let after: string | null = null;
  do {
    const { auditLogs }: AuditPageData = await ask(AuditPage, { where, first: perRequest, after });
    entries.push(...auditLogs.nodes);
    after = auditLogs.pageInfo.hasNextPage ? auditLogs.pageInfo.endCursor : null;
  } while (after !== null && entries.length < mostInCsv);
  return csvOf([words.csvColumns, ...entries.map(cellsOf)]);
}

function cellsOf(entry: AuditEntry): readonly string[] {
  const { loggedAt, performerType, performerMetadata, activityType, resourceType } = entry;
  return [
    loggedAt,
    performerType === 'SYSTEM' ? words.system : performerMetadata.name,
    activityName(activityType),
    resourceType === null ? '' : subjectName(resourceType),
    entry.resourceMetadata.title ?? entry.resourceMetadata.name ?? '',
    entry.changes.map(changeOf).join('\n'),
  ];
}

function changeOf({ field, before, after }: AuditEntry['changes'][number]): string {
  return `${fieldTitle(field)}: ${textOf(before) || words.nothing} → ${textOf(after) || words.nothing}`;
}
