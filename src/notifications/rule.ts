// Notification rules: who is notified of which incidents and changes, and how.

import { record } from '../audit/audit.ts';
import { changesOf, changesOfGone, changesOfNew } from '../audit/changes.ts';
import { type ExpectedVersion, mustBeAtVersion } from '../audit/version.ts';
import { checkUserIds } from '../auth/account.ts';
import { mustBeAllowed } from '../auth/permission.ts';
import type { Context, ServerContext } from '../context.ts';
import { columnsOf } from '../database/columns.ts';
import { holdName } from '../database/held-name.ts';
import { rows } from '../database/rows.ts';
import { transaction } from '../database/transaction.ts';
import { invalidField, notFound } from '../errors.ts';
import { checkFields } from '../fields.ts';
import { type NotificationRule, Prisma } from '../generated/prisma/client.ts';
import { byName, listPage, type Page, type PageArgs } from '../lists/page.ts';
import { domainOf, foldedAddress } from '../people/mail-address.ts';
import { idsOfNow } from '../resources/alias.ts';
import { isUuid, unknownIds } from '../text/uuid.ts';
import { type Held, heldBy } from './business-hours.ts';
import type { Event } from './event.ts';
import { warnOfMissing } from './missing-channel.ts';
import { type RuleInput, ruleNoun } from './rule-fields.ts';

/** What a rule notifies of unless it says otherwise. */
const defaultEvents = ['incident_opened', 'incident_resolved'];

/** Most rules that a workspace may have. */
const maxRules = 200;

const columns = columnsOf(Prisma.NotificationRuleScalarFieldEnum, 'n');

/** Make a rule. Editors may. It notifies of both ends of incidents unless told otherwise. */
export async function createRule(ctx: ServerContext, input: RuleInput): Promise<NotificationRule> {
  mustBeAllowed(ctx, ruleNoun.by);
  const { name, ...data } = checkFields(ruleNoun, input);
  if (name === undefined) throw invalidField('name', 'A rule needs a name.');
  mustNameRecipient(data);
  mustHaveHours(data);
  mustBeAllowedDomains(ctx, data.emails);
  await warnOfMissing(ctx, data);
  return transaction(ctx, async (tx) => {
    const { workspaceId } = ctx;
    await holdNumber(tx);
    if ((await tx.db.notificationRule.count({ where: { workspaceId } })) >= maxRules) {
      throw invalidField('name', `A workspace has ${maxRules} rules at most.`);
    }
    await lockNamed(tx, data);
    await leadResources(tx, data);
    await checkUserIds(tx, ruleNoun.fields.userIds.rest, data.userIds ?? []);
    const rule = await tx.db.notificationRule.create({
      data: { events: defaultEvents, ...data, name, workspaceId },
    });
    const changes = changesOfNew(rule);
    await record(tx, { activity: 'notification_rule_created', subject: subjectOf(rule), changes });
    return rule;
  });
}

/** Change a rule. Editors may. */
export async function updateRule(
  ctx: ServerContext,
  id: string,
  input: RuleInput,
  expectedVersion?: ExpectedVersion,
): Promise<NotificationRule> {
  mustBeAllowed(ctx, ruleNoun.by);
  const data = checkFields(ruleNoun, input);
  mustBeAllowedDomains(ctx, data.emails);
  await warnOfMissing(ctx, data);
  return transaction(ctx, async (tx) => {
    // Before the rule, as who deletes one of them does: otherwise two would wait for each other.
    await lockNamed(tx, data);
    await leadResources(tx, data);
    const before = await lockRule(tx, id);
    await mustBeAtVersion(tx, before, expectedVersion);
    mustNameRecipient({ ...before, ...data });
    mustHaveHours({ ...before, ...data });
    // Who was deactivated in the meantime may stay named: they are notified of nothing until they are back.
    const added = data.userIds?.filter((userId) => !before.userIds.includes(userId));
    await checkUserIds(tx, ruleNoun.fields.userIds.rest, added ?? []);
    const rule = await tx.db.notificationRule.update({
      where: { workspaceId_id: { workspaceId: ctx.workspaceId, id: before.id } },
      data: { ...data, updatedAt: ctx.now() },
    });
    const changes = changesOf(before, rule);
    await record(tx, { activity: 'notification_rule_updated', subject: subjectOf(rule), changes });
    return rule;
  });
}

/** Addresses in domains that the operator does not allow would get titles and SQL without having asked for them. */
function mustBeAllowedDomains(
  { surroundings }: ServerContext,
  emails: readonly string[] | undefined,
): void {
  const { ruleDomains } = surroundings.mail;
  if (ruleDomains.length === 0) return;
  const allowed = new Set(ruleDomains.map(foldedAddress));
  const other = emails?.find((email) => !allowed.has(foldedAddress(domainOf(email))));
  if (other === undefined) return;
  throw invalidField(
    'emails',
    `${other} is not in ${ruleDomains.slice(0, 5).join(', ')}: the operator allows these domains with ALLOWED_EMAIL_DOMAINS.`,
  );
}

/** Delete a rule; returns what it was. Editors may. */
export async function deleteRule(
  ctx: Context,
  id: string,
  expectedVersion?: ExpectedVersion,
): Promise<NotificationRule> {
  mustBeAllowed(ctx, ruleNoun.by);
  return transaction(ctx, async (tx) => {
    const rule = await lockRule(tx, id);
    await mustBeAtVersion(tx, rule, expectedVersion);
    await tx.db.notificationRule.delete({
      where: { workspaceId_id: { workspaceId: ctx.workspaceId, id: rule.id } },
    });
    const changes = changesOfGone(rule);
    await record(tx, { activity: 'notification_rule_deleted', subject: subjectOf(rule), changes });
    return rule;
  });
}

/** All rules, by name. Editors may read them: they hold addresses. */
export async function listRules(
  ctx: Context,
  args: PageArgs = {},
): Promise<Page<NotificationRule>> {
  mustBeAllowed(ctx, ruleNoun.by);
  return listPage<NotificationRule>(
    ctx,
    {
      from: Prisma.sql`notification_rule n`,
      columns,
      where: Prisma.sql`n.workspace_id = ${ctx.workspaceId}::uuid`,
      order: byName(Prisma.sql`n`),
    },
    args,
  );
}

/** A rule that is asked now. */
export interface ActiveRule extends NotificationRule {
  /** When its hours begin; null where it sends at once. */
  readonly held: Held | null;
}

/** The rules that notify of an event, for the server's own use. */
export async function rulesFor(ctx: Context, event: Event): Promise<ActiveRule[]> {
  const rules = await readRules(ctx);
  return rules
    .filter((rule) => rule.isEnabled && rule.events.includes(event))
    .map((rule) => ({ ...rule, held: heldBy(rule, rule.zone ?? 'UTC', ctx.now()) }));
}

async function readRules(ctx: Context): Promise<(NotificationRule & { zone: string | null })[]> {
  return rows<NotificationRule & { zone: string | null }>(
    ctx,
    Prisma.sql`select ${columns}, w.time_zone as zone from notification_rule n
      join workspace w on w.id = n.workspace_id
      where n.workspace_id = ${ctx.workspaceId}::uuid order by n.name, n.id`,
  );
}

/** Let no one else make a rule until the transaction ends, so that they can be counted. */
async function holdNumber(ctx: Context): Promise<void> {
  await holdName(ctx, `rule ${ctx.workspaceId}`);
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

const whom = ['chatChannels', 'emails', 'webhookIds', 'userIds', 'groupIds'] as const;

function mustNameRecipient(rule: Partial<NotificationRule>): void {
  if (whom.some((field) => (rule[field] ?? []).length > 0)) return;
  const fields = whom.map((field) => ruleNoun.fields[field].rest);
  throw invalidField(fields[0] ?? '', `Give at least one of ${fields.join(', ')}.`);
}

/** Hours have a beginning and an end behind it. */
function mustHaveHours({
  hoursFrom: from = null,
  hoursUntil: until = null,
}: Partial<NotificationRule>): void {
  const { hoursFrom, hoursUntil } = ruleNoun.fields;
  if ((from === null) !== (until === null)) {
    const missing = from === null ? hoursFrom : hoursUntil;
    throw invalidField(missing.rest, 'Give both hours_from and hours_until, or neither.');
  }
  if (from !== null && until !== null && from >= until) {
    throw invalidField(hoursUntil.rest, `Use an hour after hours_from, which is ${from}.`);
  }
}

/** Locks what a rule names and may be deleted, so that none is before the rule is there. */
async function lockNamed(
  tx: Context,
  { webhookIds, groupIds, monitorIds }: Partial<NotificationRule>,
): Promise<void> {
  const { fields } = ruleNoun;
  const webhook = await missing(tx, Prisma.sql`webhook x`, webhookIds ?? []);
  if (webhook) throw invalidField(fields.webhookIds.rest, unknownIds('webhook', [webhook]));
  const group = await missing(tx, Prisma.sql`user_group x`, groupIds ?? []);
  if (group) throw invalidField(fields.groupIds.rest, unknownIds('group', [group]));
  const monitor = await missing(tx, Prisma.sql`monitor x`, monitorIds ?? []);
  if (monitor) throw invalidField(fields.monitorIds.rest, unknownIds('monitor', [monitor]));
}

/** Names resources by their ids of now: what happens to them is looked for by these. */
async function leadResources(tx: Context, data: Partial<NotificationRule>): Promise<void> {
  if (!data.resourceIds || data.resourceIds.length === 0) return;
  data.resourceIds = [...new Set(await idsOfNow(tx, data.resourceIds))];
}

/** Locks what has these ids; the first of them that nothing has. */
async function missing(
  tx: Context,
  from: Prisma.Sql,
  ids: readonly string[],
): Promise<string | undefined> {
  if (ids.length === 0) return undefined;
  const found = await rows<{ id: string }>(
    tx,
    Prisma.sql`select x.id from ${from} where x.workspace_id = ${tx.workspaceId}::uuid
      and x.id = any(${[...ids]}::uuid[]) order by x.id for share`,
  );
  const known = new Set(found.map(({ id }) => id));
  return ids.find((id) => !known.has(id));
}

function subjectOf({ id, name, version }: NotificationRule) {
  return { id, kind: 'notification_rule', title: name, version };
}
