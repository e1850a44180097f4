// A run of the dbt platform that ended, as its webhook says: signed, and followed by a sync of the project.

import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { serverViewer } from '../../auth/viewer.ts';
import { contextFor, type ServerContext } from '../../context.ts';
import { acrossWorkspaces } from '../../database/outside.ts';
import { rows } from '../../database/rows.ts';
import { CatalogError } from '../../errors.ts';
import { type Integration, Prisma } from '../../generated/prisma/client.ts';
import { isUuid } from '../../text/uuid.ts';
import { currentSource } from '../../tracing/request.ts';
import { type ArtifactLogin, artifactFields } from '../artifacts/artifact-fields.ts';
import { lastRun } from '../artifacts/platform-runs.ts';
import { readVersions } from '../artifacts/pull.ts';
import { readableFields } from '../connectors/read-fields.ts';
import { unsealCredentials } from '../credentials.ts';
import { jsonIn } from '../http-sources/http-api.ts';
import { pulledTypes } from '../integration-type.ts';
import { triggerSync } from './live-sync.ts';

/** A message of a webhook, as it came. */
export interface SignedMessage {
  /** The header `Authorization`: the HMAC-SHA256 of the body as hexadecimal digits. */
  readonly signature: string;
  readonly body: Buffer;
}

/** What a message led to: the job of a sync, or why there is none. */
export type WebhookOutcome = { readonly jobId: string } | { readonly ignored: string };

/** A workspace that was copied on one server has integrations of the same ids, and often the same secrets. */
const mostCopies = 100;

const id = z.union([z.string(), z.number()]).transform(String);
const message = z.object({
  accountId: id,
  eventType: z.string(),
  data: z.object({ jobId: id, runFinishedAt: z.string().nullish() }),
});

/**
 * Start a sync of a project after a run of its job, where the message is signed with the secret of its credentials: in each
 * workspace that has a copy of it with this secret. The answer is that of the oldest copy in which one was started. Throws
 * UNAUTHENTICATED for any other message, also where the integration is unknown or has no secret, and what a copy is refused for
 * once all were tried: CONFLICT while a sync is in progress, which may have read the runs already, so that the message is to come
 * again.
 */
export async function followRun(
  { database, surroundings, now }: Pick<ServerContext, 'database' | 'surroundings' | 'now'>,
  integrationId: string,
  given: SignedMessage,
): Promise<WebhookOutcome> {
  if (!isUuid(integrationId) || !/^[\da-f]{64}$/i.test(given.signature)) throw unsigned();
  const found = await rows<Pick<Integration, 'id' | 'workspaceId' | 'credentials'>>(
    acrossWorkspaces(database),
    Prisma.sql`select i.id, i.workspace_id as "workspaceId", i.credentials from integration i
      where i.id = ${integrationId}::uuid and i.type = any(${[...pulledTypes]}::text[])
        and i.credentials is not null order by i.created_at limit ${mostCopies}`,
  );
  const outcomes: WebhookOutcome[] = [];
  const refusals: unknown[] = [];
  for (const { id, workspaceId, credentials } of found) {
    const viewer = serverViewer(workspaceId);
    const ctx = { ...contextFor(database, viewer, { now, ...currentSource() }), surroundings };
    const login = loginOf(ctx, id, credentials);
    if (!login || !isSigned(given, login.webhook_secret.trim())) continue;
    await follow(ctx, id, login, given).then(
      (outcome) => outcomes.push(outcome),
      (error: unknown) => refusals.push(error),
    );
  }
  if (refusals.length > 0) throw refusals[0];
  const outcome = outcomes.find((one) => 'jobId' in one) ?? outcomes[0];
  if (!outcome) throw unsigned();
  return outcome;
}

/** How an integration signs in; null where its credentials are of another kind, or cannot be unsealed here. */
function loginOf(ctx: ServerContext, id: string, sealed: string | null): ArtifactLogin | null {
  try {
    return readableFields(artifactFields, unsealCredentials(ctx, id, sealed))?.fields ?? null;
  } catch {
    // A sync of the integration says so; one copy must not stand in the way of the others.
    return null;
  }
}

function isSigned({ signature, body }: SignedMessage, secret: string): boolean {
  if (secret === '') return false;
  const own = createHmac('sha256', secret).update(body).digest();
  return timingSafeEqual(own, Buffer.from(signature, 'hex'));
}

async function follow(
  ctx: ServerContext,
  integrationId: string,
  { artifacts, account_id, job_id }: ArtifactLogin,
  { body }: SignedMessage,
): Promise<WebhookOutcome> {
  const ignored = (why: string) => ({ ignored: why });
  const said = message.safeParse(jsonIn(body.toString())).data;
  if (!said) return ignored('Only messages about runs start a sync.');
  if (said.eventType !== 'job.run.completed')
    return ignored('Only job.run.completed starts a sync.');
  const isOwn = said.accountId === account_id.trim() && said.data.jobId === job_id.trim();
  if (artifacts !== 'platform' || !isOwn) {
    return ignored('Its run is of another job than the one in the credentials.');
  }
  const last = Number((await readVersions(ctx, integrationId)).get(lastRun) ?? Number.NaN);
  if (Date.parse(said.data.runFinishedAt ?? '') <= last)
    return ignored('This run was read before.');
  const job = await triggerSync(ctx, integrationId);
  return { jobId: job.id };
}

function unsigned(): CatalogError {
  return new CatalogError(
    'UNAUTHENTICATED',
    'Sign the body with the secret of the webhook that is in the credentials of this integration.',
  );
}
