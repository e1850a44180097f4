// Webhooks: other programs that are sent what happens.

import { randomUUID } from 'node:crypto';
import { record } from '../../audit/audit.ts';
import { changeOf, changesOf, changesOfGone, changesOfNew } from '../../audit/changes.ts';
import type { Activity } from '../../audit/sentence.ts';
import { type ExpectedVersion, mustBeAtVersion } from '../../audit/version.ts';
import { isAllowed, mustBeAllowed } from '../../auth/permission.ts';
import { serverViewer } from '../../auth/viewer.ts';
import type { Context, ServerContext } from '../../context.ts';
import { columnsOf } from '../../database/columns.ts';
import { holdName } from '../../database/held-name.ts';
import { loaderOf } from '../../database/loader.ts';
import { execute, rows } from '../../database/rows.ts';
import { transaction } from '../../database/transaction.ts';
import { invalidField, notFound } from '../../errors.ts';
import { checkFields, flag, kept, type Noun, name } from '../../fields.ts';
import { Prisma, type Webhook } from '../../generated/prisma/client.ts';
import { byName, listPage, type Page, type PageArgs } from '../../lists/page.ts';
import { makeSecret } from '../../network/signature.ts';
import { isUuid } from '../../text/uuid.ts';
import { checkWebhookEvent, webhookEvents } from '../event.ts';
import { sealSecret } from './secret.ts';
import { checkFormat, checkUrl, mustHaveForm } from './webhook-address.ts';

/** A webhook without its secret, which no one reads. */
export type KnownWebhook = Omit<Webhook, 'secret' | 'previousSecret'>;

/** A webhook as a client gives it: absent takes the default or leaves alone. */
export interface WebhookInput {
  name?: string | null | undefined;
  url?: string | null | undefined;
  isEnabled?: boolean | null | undefined;
  events?: readonly string[] | null | undefined;
}

/** What is said of a webhook once, when it is made. */
export interface NewWebhookInput extends WebhookInput {
  format?: string | null | undefined;
  /** Of the service whose form it has. */
  key?: string | null | undefined;
}

/** A webhook and its new secret, which is shown this once. */
export interface WebhookWithSecret {
  readonly webhook: KnownWebhook;
  readonly secret: string;
}

export const webhookNoun: Noun<WebhookInput, Pick<Webhook, keyof WebhookInput>> = {
  by: 'manage webhooks',
  fields: {
    name: kept(name('name')),
    url: kept({
      rest: 'url',
      holds: 'an http or https address of up to 2,000 characters, without a login',
      check: (given) => checkUrl(given ?? ''),
    }),
    isEnabled: flag('is_enabled'),
    events: kept({
      rest: 'events',
      holds: webhookEvents.join(', '),
      check: (given) => [
        ...new Set((given ?? []).map((event) => checkWebhookEvent('events', event))),
      ],
    }),
  },
};

/** Most webhooks that a workspace may have. */
const maxWebhooks = 50;

const { secret: _, previousSecret: _previous, ...knownFields } = Prisma.WebhookScalarFieldEnum;
const webhookColumns = columnsOf(knownFields, 'w');

/** Make a webhook. Only admins may. It is sent nothing but what `events` or a rule names. */
export async function createWebhook(
  ctx: ServerContext,
  { format: wanted, key, ...input }: NewWebhookInput,
): Promise<WebhookWithSecret> {
  mustBeAllowed(ctx, webhookNoun.by);
  const format = checkFormat(wanted, key);
  const data = checkFields(webhookNoun, { ...input, name: input.name ?? '', url: input.url ?? '' });
  mustHaveForm(format, data.events ?? []);
  const { workspaceId } = ctx;
  const id = randomUUID();
  const secret = key ? key : makeSecret();
  return transaction(ctx, async (tx) => {
    await holdNumber(tx);
    if ((await tx.db.webhook.count({ where: { workspaceId } })) >= maxWebhooks) {
      throw invalidField('name', `A workspace has ${maxWebhooks} webhooks at most.`);
    }
    const sealed = sealSecret(tx, id, secret);
    const named = { name: data.name ?? '', url: data.url ?? '' };
    await tx.db.webhook.create({
      data: { ...data, ...named, format, workspaceId, id, secret: sealed },
    });
    const webhook = await getWebhook(tx, id);
    const changes = changesOfNew(webhook);
    await record(tx, { activity: 'webhook_created', subject: subjectOf(webhook), changes });
    return { webhook, secret: format === 'headwater' ? secret : '' };
  });
}

/** Change a webhook. Only admins may. Enabling it forgets why it was disabled. */
export async function updateWebhook(
  ctx: Context,
  id: string,
  input: WebhookInput,
  expectedVersion?: ExpectedVersion,
): Promise<KnownWebhook> {
  mustBeAllowed(ctx, webhookNoun.by);
  const data = checkFields(webhookNoun, input);
  if (data.events) mustHaveForm((await getWebhook(ctx, id)).format, data.events);
  const after = {
    ...data,
    ...(data.isEnabled === undefined ? {} : { disabledReason: null }),
    ...(data.isEnabled || data.url ? { failures: 0, pausedUntil: null } : {}),
  };
  return changeWebhook(ctx, id, 'webhook_updated', after, expectedVersion);
}

/**
 * Delete a webhook with its log; what waits for it is dropped, and rules name it no longer. Only admins
 * may. Returns what it was.
 */
export async function deleteWebhook(
  ctx: Context,
  id: string,
  expectedVersion?: ExpectedVersion,
): Promise<KnownWebhook> {
  mustBeAllowed(ctx, webhookNoun.by);
  return transaction(ctx, async (tx) => {
    const webhook = await lockWebhook(tx, id);
    await mustBeAtVersion(tx, webhook, expectedVersion);
    const { workspaceId } = ctx;
    await execute(
      tx,
      Prisma.sql`delete from notification where workspace_id = ${workspaceId}::uuid
        and channel = 'webhook' and address = ${webhook.id}`,
    );
    await execute(
      tx,
      Prisma.sql`update notification_rule
        set webhook_ids = array_remove(webhook_ids, ${webhook.id}::uuid),
          updated_at = ${ctx.now()}::timestamptz
        where workspace_id = ${workspaceId}::uuid and webhook_ids @> array[${webhook.id}::uuid]`,
    );
    await tx.db.webhook.deleteMany({ where: { workspaceId, id: webhook.id } });
    const changes = changesOfGone(webhook);
    await record(tx, { activity: 'webhook_deleted', subject: subjectOf(webhook), changes });
    return webhook;
  });
}

/** All webhooks, by name. Only admins may read them. */
export async function listWebhooks(ctx: Context, args: PageArgs = {}): Promise<Page<KnownWebhook>> {
  mustBeAllowed(ctx, webhookNoun.by);
  return listPage<KnownWebhook>(
    ctx,
    {
      from: Prisma.sql`webhook w`,
      columns: webhookColumns,
      where: Prisma.sql`w.workspace_id = ${ctx.workspaceId}::uuid`,
      order: byName(Prisma.sql`w`),
    },
    args,
  );
}

/** One webhook. Only admins may read it. */
export async function getWebhook(ctx: Context, id: string): Promise<KnownWebhook> {
  mustBeAllowed(ctx, webhookNoun.by);
  return readWebhook(ctx, id, Prisma.empty);
}

/** The webhooks of these ids, in their order; none for those who may not read webhooks. */
export async function loadWebhooks(ctx: Context, ids: readonly string[]): Promise<KnownWebhook[]> {
  if (!isAllowed(ctx, webhookNoun.by)) return [];
  const found = await Promise.all(ids.map((id) => loaderOf(ctx, webhooksById).load(id)));
  return found.filter((webhook) => webhook !== undefined);
}

async function webhooksById(
  ctx: Context,
  ids: readonly string[],
): Promise<Map<string, KnownWebhook>> {
  const found = await rows<KnownWebhook>(
    ctx,
    Prisma.sql`select ${webhookColumns} from webhook w
      where w.workspace_id = ${ctx.workspaceId}::uuid and w.id = any(${[...ids]}::uuid[])`,
  );
  return new Map(found.map((webhook) => [webhook.id, webhook]));
}

/**
 * Disable a webhook in the server's own name, and say why. One that was changed or deleted since it was
 * asked is left alone: it may have been repaired.
 */
export async function giveUpWebhook(
  tx: Context,
  { id, version }: Pick<Webhook, 'id' | 'version'>,
  reason: string,
): Promise<void> {
  const known = await rows(
    tx,
    Prisma.sql`select w.id from webhook w where w.workspace_id = ${tx.workspaceId}::uuid
      and w.id = ${id}::uuid and w.version = ${version} for update`,
  );
  if (known.length === 0) return;
  const server = { ...tx, viewer: serverViewer(tx.workspaceId) };
  const data = { isEnabled: false, disabledReason: reason };
  await changeWebhook(server, id, 'webhook_disabled', data);
}

/** What a webhook is in the audit log, for what does not change it. */
export function namedOnly({ id, name }: Pick<Webhook, 'id' | 'name'>) {
  return { id, kind: 'webhook', title: name };
}

/** What a webhook is in the audit log, at its version. */
function subjectOf({ id, name, version }: Pick<Webhook, 'id' | 'name' | 'version'>) {
  return { id, kind: 'webhook', title: name, version };
}

/** Change fields of a webhook under an activity of the audit log. */
export async function changeWebhook(
  ctx: Context,
  id: string,
  activity: Activity,
  data: Prisma.WebhookUpdateInput,
  expectedVersion?: ExpectedVersion,
): Promise<KnownWebhook> {
  return transaction(ctx, async (tx) => {
    const before = await lockWebhook(tx, id);
    await mustBeAtVersion(tx, before, expectedVersion);
    await tx.db.webhook.update({
      where: { workspaceId_id: { workspaceId: ctx.workspaceId, id: before.id } },
      data: { ...data, updatedAt: ctx.now() },
      select: { id: true },
    });
    const webhook = await getWebhook(tx, id);
    const changes = changesOf(before, webhook);
    // It is not read, neither before nor after.
    if (data.secret !== undefined) changes.push(changeOf('secret', null, null));
    await record(tx, { activity, subject: subjectOf(webhook), changes });
    return webhook;
  });
}

/** Let no one else make a webhook until the transaction ends, so that they can be counted. */
async function holdNumber(ctx: Context): Promise<void> {
  await holdName(ctx, `webhook ${ctx.workspaceId}`);
}

function lockWebhook(tx: Context, id: string): Promise<KnownWebhook> {
  return readWebhook(tx, id, Prisma.sql`for update`);
}

async function readWebhook(ctx: Context, id: string, lock: Prisma.Sql): Promise<KnownWebhook> {
  const [webhook] = isUuid(id)
    ? await rows<KnownWebhook>(
        ctx,
        Prisma.sql`select ${webhookColumns} from webhook w
          where w.workspace_id = ${ctx.workspaceId}::uuid and w.id = ${id}::uuid ${lock}`,
      )
    : [];
  if (!webhook) throw notFound('Webhook');
  return webhook;
}
