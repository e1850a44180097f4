// In charge of notification rules: who is told of which incidents and changes, and how.

import { record } from '../audit/audit.ts';
import { mustBeAllowed } from '../auth/permission.ts';
import type { Context } from '../context.ts';
import { columnsOf } from '../database/columns.ts';
import { rows } from '../database/rows.ts';
import { transaction } from '../database/transaction.ts';
import { invalidField, notFound } from '../errors.ts';
import { type NotificationRule, Prisma } from '../generated/prisma/client.ts';
import { checkName } from '../text.ts';
import { isUuid } from '../uuid.ts';
import { type Event, eventOf, events } from './event.ts';

/** What a rule tells of unless it says otherwise. */
const defaultEvents = ['incident_opened', 'incident_resolved'];

/** A rule as a client gives it: absent takes the default or leaves alone. */
export interface RuleInput {
  name?: string | null | undefined;
  isEnabled?: boolean | null | undefined;
  events?: readonly string[] | null | undefined;
  resourceIds?: readonly string[] | null | undefined;
  tagIds?: readonly string[] | null | undefined;
  teamIds?: readonly string[] | null | undefined;
  upstream?: boolean | null | undefined;
  chatChannels?: readonly string[] | null | undefined;
  emails?: readonly string[] | null | undefined;
  webhookIds?: readonly string[] | null | undefined;
  tellOwners?: boolean | null | undefined;
  tellSubscribers?: boolean | null | undefined;
}

/** Rules of a workspace; more nobody oversees. */
const maxRules = 200;
const maxList = 100;

const columns = columnsOf(Prisma.NotificationRuleScalarFieldEnum, 'n');

/** Make a rule. Editors may. It tells of both ends of incidents unless told otherwise. */
export async function createRule(ctx: Context, input: RuleInput): Promise<NotificationRule> {
  mustBeAllowed(ctx, 'edit monitors');
  const data = checked(input);
  const name = checkName('name', input.name ?? '');
  mustTellSomebody(data);
  return transaction(ctx, async (tx) => {
    const { workspaceId } = ctx;
    if ((await tx.db.notificationRule.count({ where: { workspaceId } })) >= maxRules) {
      throw invalidField('name', `A workspace has ${maxRules} rules at most.`);
    }
    await mustBeWebhooks(tx, data.webhookIds ?? []);
    const rule = await tx.db.notificationRule.create({
      data: { events: defaultEvents, ...data, name, workspaceId },
    });
    await record(tx, { activity: 'notification_rule_created', subject: subjectOf(rule) });
    return rule;
  });
}

/** Change a rule. Editors may. */
export async function updateRule(
  ctx: Context,
  id: string,
  input: RuleInput,
): Promise<NotificationRule> {
  mustBeAllowed(ctx, 'edit monitors');
  const data = checked(input);
  return transaction(ctx, async (tx) => {
    const before = await lockRule(tx, id);
    mustTellSomebody({ ...before, ...data });
    await mustBeWebhooks(tx, data.webhookIds ?? []);
    const rule = await tx.db.notificationRule.update({
      where: { workspaceId_id: { workspaceId: ctx.workspaceId, id: before.id } },
      data: { ...data, updatedAt: ctx.now() },
    });
    await record(tx, { activity: 'notification_rule_updated', subject: subjectOf(rule) });
    return rule;
  });
}

/** Delete a rule; returns what it was. Editors may. */
export async function deleteRule(ctx: Context, id: string): Promise<NotificationRule> {
  mustBeAllowed(ctx, 'edit monitors');
  return transaction(ctx, async (tx) => {
    const rule = await lockRule(tx, id);
    await tx.db.notificationRule.delete({
      where: { workspaceId_id: { workspaceId: ctx.workspaceId, id: rule.id } },
    });
    await record(tx, { activity: 'notification_rule_deleted', subject: subjectOf(rule) });
    return rule;
  });
}

/** All rules, by name. Editors may read them: they hold addresses. */
export async function listRules(ctx: Context): Promise<NotificationRule[]> {
  mustBeAllowed(ctx, 'edit monitors');
  return readRules(ctx);
}

/** The rules that tell of an event, for the server's own use. */
export async function rulesFor(ctx: Context, event: Event): Promise<NotificationRule[]> {
  const rules = await readRules(ctx);
  return rules.filter((rule) => rule.isEnabled && rule.events.includes(event));
}

async function readRules(ctx: Context): Promise<NotificationRule[]> {
  return rows<NotificationRule>(
    ctx,
    Prisma.sql`select ${columns} from notification_rule n
      where n.workspace_id = ${ctx.workspaceId}::uuid order by n.name, n.id`,
  );
}

async function lockRule(tx: Context, id: string): Promise<NotificationRule> {
  const [rule] = isUuid(id)
    ? await rows<NotificationRule>(
        tx,
        Prisma.sql`select ${columns} from notification_rule n
          where n.workspace_id = ${tx.workspaceId}::uuid and n.id = ${id}::uuid for update`,
      )
    : [];
  if (!rule) throw notFound('Notification rule');
  return rule;
}

function checked(input: RuleInput) {
  const { isEnabled, upstream, tellOwners, tellSubscribers } = input;
  const data = {
    ...(input.name == null ? {} : { name: checkName('name', input.name) }),
    ...listed('events', input.events, (event) => {
      return eventOf(event) ?? wrong('events', `It names some of ${events.join(', ')}.`);
    }),
    ...listed('resourceIds', input.resourceIds, idOf('resourceIds')),
    ...listed('tagIds', input.tagIds, idOf('tagIds')),
    ...listed('teamIds', input.teamIds, idOf('teamIds')),
    ...listed('chatChannels', input.chatChannels, (name) => checkName('chatChannels', name)),
    ...listed('emails', input.emails, addressOf),
    ...listed('webhookIds', input.webhookIds, idOf('webhookIds')),
    ...(isEnabled == null ? {} : { isEnabled }),
    ...(upstream == null ? {} : { upstream }),
    ...(tellOwners == null ? {} : { tellOwners }),
    ...(tellSubscribers == null ? {} : { tellSubscribers }),
  };
  if ('events' in data && data.events?.length === 0) wrong('events', 'It names one at least.');
  return data;
}

type Lists =
  | 'events'
  | 'resourceIds'
  | 'tagIds'
  | 'teamIds'
  | 'chatChannels'
  | 'emails'
  | 'webhookIds';

function listed(
  field: Lists,
  given: readonly string[] | null | undefined,
  check: (item: string) => string,
): Partial<Record<Lists, string[]>> {
  if (given == null) return {};
  if (given.length > maxList) wrong(field, `It has ${maxList} entries at most.`);
  return { [field]: [...new Set(given.map(check))] };
}

const idOf = (field: Lists) => (id: string) =>
  isUuid(id) ? id.toLowerCase() : wrong(field, `"${id.slice(0, 60)}" is not an id.`);

function addressOf(address: string): string {
  const email = checkName('emails', address);
  if (/^[^\s@<>,;:"()[\]\\]+@[^\s@<>,;:"()[\]\\]+$/.test(email)) return email;
  return wrong('emails', `"${email.slice(0, 60)}" is no email address.`);
}

function wrong(field: string, message: string): never {
  throw invalidField(field, message);
}

function mustTellSomebody(rule: Partial<NotificationRule>): void {
  const { chatChannels = [], emails = [], webhookIds = [], tellOwners, tellSubscribers } = rule;
  const named = chatChannels.length + emails.length + webhookIds.length;
  if (named > 0 || tellOwners || tellSubscribers) return;
  wrong(
    'chatChannels',
    'A rule tells somebody: chatChannels, emails, webhookIds, tellOwners, tellSubscribers.',
  );
}

/** Locks the webhooks that a rule names, so that none is deleted before the rule is there. */
async function mustBeWebhooks(tx: Context, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const found = await rows<{ id: string }>(
    tx,
    Prisma.sql`select w.id from webhook w where w.workspace_id = ${tx.workspaceId}::uuid
      and w.id = any(${[...ids]}::uuid[]) order by w.id for share`,
  );
  const known = new Set(found.map(({ id }) => id));
  const unknown = ids.find((id) => !known.has(id));
  if (unknown) wrong('webhookIds', `No webhook of this workspace has the id ${unknown}.`);
}

function subjectOf({ id, name }: NotificationRule) {
  return { id, kind: 'notification_rule', title: name };
}
