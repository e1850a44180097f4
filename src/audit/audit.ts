// Writes the audit log: who did what to which thing, in the transaction of the deed itself.

import { randomUUID } from 'node:crypto';
import { serverId, type Viewer } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import { channel, payloadsOf } from '../database/announce.ts';
import { rows } from '../database/rows.ts';
import { Prisma } from '../generated/prisma/client.ts';
import type { FieldChange } from './changes.ts';
import { type Activity, sentenceOf } from './sentence.ts';

/** What was done, in the words of the log. */
export interface Deed {
  /** Past tense with its object, such as `monitor_created`. */
  readonly activity: Activity;
  /** What it was done to. */
  readonly subject?: DeedSubject;
  /** Id of what it would have been done to, where no more of it is known than that. */
  readonly targetId?: string | null;
  /** Other things involved, all of one kind. */
  readonly related?: { readonly ids: readonly string[]; readonly type: string };
  /** The deed in words; made from all else where absent. */
  readonly says?: string;
  /** The version of the documentation that the deed made. */
  readonly versionId?: string;
  /** What it changed. */
  readonly changes?: readonly FieldChange[];
  /** Id of the entry, where others have to name it as what they are part of. */
  readonly id?: string;
  /** The entry that this one is part of; that of the context where absent. */
  readonly partOf?: string | null;
}

/** What a deed was done to, as much as is known of it. */
export interface DeedSubject {
  readonly id: string;
  /** Kind of resource, or `team`, `tag`, `monitor` and so on. */
  readonly kind: string;
  readonly title: string;
  readonly icon?: string | null;
  readonly integrationId?: string | null;
  /** Its version after the deed; absent where the deed makes none. */
  readonly version?: number;
}

/** Write one entry, in the transaction of the deed. */
export async function record(ctx: Context, deed: Deed): Promise<void> {
  await recordAll(ctx, [deed]);
}

/** Entries that one statement writes. */
const batch = 1_000;

/** Write many entries, and announce in the same statement what they say was changed. */
export async function recordAll(ctx: Context, deeds: readonly Deed[]): Promise<void> {
  for (let from = 0; from < deeds.length; from += batch) {
    await write(ctx, deeds.slice(from, from + batch));
  }
}

async function write(ctx: Context, deeds: readonly Deed[]): Promise<void> {
  const { viewer } = ctx;
  const who = nameOf(viewer);
  const entries = JSON.stringify(deeds.map((deed) => rowOf(ctx, deed, who)));
  const changed = new Set(deeds.flatMap(({ subject }) => (subject ? [subject.id] : [])));
  const notices = changed.size > 0 ? payloadsOf('resource', [...changed]) : [];
  await rows(
    ctx,
    Prisma.sql`with written as (
        insert into audit_log (workspace_id, id, parent_id, activity_type, performer_id,
          performer_type, performer_metadata, request_id, client_address, credential, key_id,
          resource_id, resource_type,
          resource_version, changed_fields, changes, resource_metadata, related_resource_ids,
          related_resource_type, event_blocks, version_history_id, logged_at)
        select ${ctx.workspaceId}::uuid, e.id, e.parent_id, e.activity,
          ${idOf(viewer)}::uuid, ${viewer.performer}, ${JSON.stringify(metadataOf(viewer))}::jsonb,
          ${ctx.requestId}, ${ctx.clientAddress}, ${ctx.credential}, ${viewer.keyId ?? null}::uuid, e.resource_id, e.resource_type,
          e.resource_version, e.changed_fields, e.changes, e.resource_metadata, e.related_ids,
          e.related_type, e.event_blocks, e.version_id, ${ctx.now()}::timestamptz
        from jsonb_to_recordset(${entries}::jsonb) as e(id uuid, parent_id uuid, activity text, resource_id uuid,
          resource_type text, resource_version int, changed_fields text[], changes jsonb,
          resource_metadata jsonb, related_ids uuid[], related_type text, event_blocks jsonb,
          version_id uuid))
      select pg_notify(${channel}, n) from unnest(${notices}::text[]) n`,
  );
}

function rowOf({ partOf }: Context, deed: Deed, who: string) {
  const { activity, subject, related, changes = [] } = deed;
  return {
    id: deed.id ?? randomUUID(),
    parent_id: deed.partOf ?? partOf,
    activity,
    resource_id: subject?.id ?? deed.targetId ?? null,
    resource_type: subject?.kind ?? null,
    resource_version: subject?.version ?? null,
    // Of a field that holds others, such as customProperties.Tier, the input knows the first part.
    changed_fields: [...new Set(changes.map(({ field }) => field.split('.')[0]))],
    changes,
    resource_metadata: subject ? subjectMetadata(subject) : {},
    related_ids: related?.ids ?? [],
    related_type: related?.type ?? null,
    event_blocks: [
      { type: 'text', style: 'normal', value: deed.says ?? sentenceOf(who, activity, deed) },
    ],
    version_id: deed.versionId ?? null,
  };
}

/** What the log calls somebody: by name, or by address without one. */
export function nameOf({ firstName, lastName, email }: Viewer): string {
  return `${firstName} ${lastName}`.trim() || email;
}

function idOf({ id }: Viewer): string | null {
  return id === serverId ? null : id;
}

function metadataOf(viewer: Viewer) {
  return {
    id: idOf(viewer),
    email: viewer.email,
    first_name: viewer.firstName,
    last_name: viewer.lastName,
    name: nameOf(viewer),
  };
}

function subjectMetadata(subject: DeedSubject) {
  return {
    id: subject.id,
    title: subject.title,
    name: subject.title,
    icon: subject.icon ?? null,
    type: subject.kind,
    integration_id: subject.integrationId ?? null,
  };
}
