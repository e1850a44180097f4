// Versions: whether a record is still what a client read, and who changed it since.

import { isAllowed } from '../auth/permission.ts';
import type { Context } from '../context.ts';
import { rows } from '../database/rows.ts';
import { type Since, VersionConflict } from '../errors.ts';
import { type AuditLog, Prisma } from '../generated/prisma/client.ts';
import { performerOf } from './metadata.ts';

/** A record that counts its changes. */
export interface Versioned {
  readonly id: string;
  readonly version: number;
  readonly updatedAt: Date;
}

/** The version that a client expects a record at; absent or null expects nothing. */
export type ExpectedVersion = number | null | undefined;

/**
 * Throw a CONFLICT that says who changed the record, unless it is at the version that the client
 * expects. To be asked of a record that is locked: of one that is not, the answer may be old.
 */
export async function mustBeAtVersion(
  tx: Context,
  record: Versioned,
  expected: ExpectedVersion,
): Promise<void> {
  if (expected == null || expected === record.version) return;
  const since = await changesSince(tx, record, expected);
  throw new VersionConflict(inWords(since), since);
}

type Saved = Pick<
  AuditLog,
  'performerId' | 'performerMetadata' | 'changedFields' | 'loggedAt' | 'resourceVersion'
>;

/** Deeds that are looked through for what they changed. */
const maxDeeds = 100;

async function changesSince(
  tx: Context,
  { id, version, updatedAt }: Versioned,
  expected: number,
): Promise<Since> {
  const deeds = await rows<Saved>(
    tx,
    Prisma.sql`select a.performer_id as "performerId", a.logged_at as "loggedAt",
        a.performer_metadata as "performerMetadata", a.changed_fields as "changedFields",
        a.resource_version as "resourceVersion"
      from audit_log a
      where a.workspace_id = ${tx.workspaceId}::uuid and a.resource_id = ${id}::uuid
        and a.resource_version > ${expected} and a.resource_version <= ${version}
      order by a.resource_version desc limit ${maxDeeds}`,
  );
  // What is done to something else makes versions as well: an import, a tag that is deleted. Of these the
  // log says nothing here, so that anyone who made the version before one of them did not make the last one.
  const last = deeds.find(({ resourceVersion }) => resourceVersion === version);
  const made = new Set(deeds.map(({ resourceVersion }) => resourceVersion));
  const performer = last && performerOf(last);
  const isKnown = last?.performerId != null && performer && isAllowed(tx, 'read people');
  // What is no version of the record says nothing of what the client knows of it.
  const isComparable = expected > 0 && expected < version && made.size === version - expected;
  return {
    currentVersion: version,
    changedBy: isKnown
      ? { id: last.performerId ?? '', name: performer.name, email: performer.email }
      : null,
    changedAt: last?.loggedAt ?? updatedAt,
    changedFields: isComparable
      ? [...new Set(deeds.flatMap(({ changedFields }) => changedFields))].sort()
      : null,
  };
}

function inWords({ changedBy, changedFields }: Since): string {
  const who = changedBy?.name ?? 'Someone else';
  const what = changedFields && changedFields.length > 0 ? changedFields.join(', ') : 'this';
  return `${who} changed ${what}. Reload and try again.`;
}
