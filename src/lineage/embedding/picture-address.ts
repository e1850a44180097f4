// Addresses of pictures of lineage: signed, with an end, for the frame of another page.

import { timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { record } from '../../audit/audit.ts';
import { changeOf } from '../../audit/changes.ts';
import { viewerOfUser } from '../../auth/account.ts';
import { storedHash } from '../../auth/authentication.ts';
import { hasScope, isApiKeyScope } from '../../auth/key-scope.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { type Context, contextFor, type ServerContext } from '../../context.ts';
import type { Database } from '../../database/database.ts';
import { inWorkspace } from '../../database/outside.ts';
import { rows } from '../../database/rows.ts';
import { transaction } from '../../database/transaction.ts';
import { invalidField } from '../../errors.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { getResource } from '../../resources/resource.ts';
import { type LineageDirection, lineageDirections } from '../walk.ts';

/** Where pictures are served. */
export const picturePath = '/embed/lineage';

const maxDepth = 10;
const usualDepth = 2;
const dayMs = 86_400_000;
const usualDays = 30;
const maxDays = 366;

/** What a picture shows, and until when. Absent takes the default. */
export interface PictureInput {
  readonly resourceId: string;
  readonly depth?: number | null | undefined;
  readonly direction?: LineageDirection | null | undefined;
  readonly expiresAt?: Date | null | undefined;
}

/** An address that was made just now. */
export interface PictureAddress {
  /** Whole where the server knows its own address, else from `/` on. */
  readonly url: string;
  readonly expiresAt: Date;
}

/** What an address says: whose picture it is, of what, and until when. */
const signed = z.object({
  workspaceId: z.uuid(),
  userId: z.uuid(),
  /** The key that it was made with; null where somebody was signed in. */
  keyId: z.uuid().nullable(),
  resourceId: z.uuid(),
  depth: z.number().int().min(1).max(maxDepth),
  direction: z.enum(lineageDirections),
  /** In seconds. */
  until: z.number().int(),
});

export type SignedPicture = z.output<typeof signed>;

/**
 * Make an address of the picture of a resource's lineage. Everybody may, of what they may see: it shows what they may see
 * when it is looked at, and ends with its time, with the key that it was made with, and with their account. Throws
 * NOT_FOUND for a resource, BAD_REQUEST for a depth or a time out of range.
 */
export async function makePictureAddress(
  ctx: ServerContext,
  { resourceId, depth, direction, expiresAt }: PictureInput,
): Promise<PictureAddress> {
  const resource = await getResource(ctx, resourceId);
  const steps = depth ?? usualDepth;
  if (!Number.isInteger(steps) || steps < 1 || steps > maxDepth) {
    throw invalidField('depth', `Use a whole number from 1 to ${maxDepth}.`);
  }
  const now = ctx.now().getTime();
  const end = expiresAt ?? new Date(now + usualDays * dayMs);
  if (end.getTime() <= now || end.getTime() > now + maxDays * dayMs) {
    throw invalidField('expires_at', `Use a time within the next ${maxDays} days.`);
  }
  const until = Math.floor(end.getTime() / 1_000);
  const { id: userId, keyId = null } = ctx.viewer;
  const picture: SignedPicture = {
    ...{ workspaceId: ctx.workspaceId, userId, keyId, resourceId: resource.id },
    ...{ depth: steps, direction: direction ?? 'BOTH', until },
  };
  const token = await tokenOf(ctx.database, picture);
  const expires = new Date(until * 1_000);
  const changes = [changeOf('expiresAt', null, expires)];
  await transaction(ctx, (tx) =>
    record(tx, { activity: 'lineage_embedded', subject: resource, changes }),
  );
  const origin = ctx.surroundings.signIn.publicUrl ?? '';
  return { url: `${origin}${picturePath}?of=${token}`, expiresAt: expires };
}

async function tokenOf(database: Database, picture: SignedPicture): Promise<string> {
  const payload = Buffer.from(JSON.stringify(picture)).toString('base64url');
  return `${payload}.${await signatureOf(database, payload)}`;
}

/** No key and no session begins like this, so that none is signed. */
function signatureOf(database: Database, payload: string): Promise<string> {
  return storedHash(database, `picture of lineage ${payload}`);
}

const longest = 1_000;

/** What an address of ours says, and the context of who made it as they are now; null where it is none, or has ended. */
export async function openPicture(
  database: Database,
  token: string,
  now: Date,
): Promise<{ readonly ctx: Context; readonly picture: SignedPicture } | null> {
  const [payload = '', signature = ''] = token.length > longest ? [] : token.split('.');
  if (!isSame(signature, await signatureOf(database, payload))) return null;
  const picture = signed.parse(JSON.parse(Buffer.from(payload, 'base64url').toString()));
  if (picture.until * 1_000 <= now.getTime()) return null;
  const viewer = await viewerNow(database, picture, now);
  return viewer && { ctx: contextFor(database, viewer, { now: () => now }), picture };
}

function isSame(given: string, signature: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(signature)];
  return one.length === other.length && timingSafeEqual(one, other);
}

async function viewerNow(
  database: Database,
  { workspaceId, userId, keyId }: SignedPicture,
  now: Date,
): Promise<Viewer | null> {
  const db = inWorkspace(database, workspaceId);
  const viewer = await viewerOfUser(db, workspaceId, userId);
  if (!viewer || keyId === null) return viewer;
  const [key] = await rows<{ scopes: string[] }>(
    db,
    Prisma.sql`select k.scopes from api_key k where k.workspace_id = ${workspaceId}::uuid
      and k.id = ${keyId}::uuid and k.user_id = ${userId}::uuid and k.revoked_at is null
      and coalesce(k.expires_at > ${now}::timestamptz, true)`,
  );
  const limits = { keyId, scopes: key?.scopes.filter(isApiKeyScope) ?? [] };
  return key && hasScope(limits, 'READ') ? { ...viewer, ...limits } : null;
}
