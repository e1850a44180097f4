// In charge of notification rules: who is told of which incidents and changes, and how.

import { record } from '../audit/audit.ts';
import { changesOf, changesOfGone, changesOfNew } from '../audit/changes.ts';
import { type ExpectedVersion, mustBeAtVersion } from '../audit/version.ts';
import { checkUserIds } from '../auth/account.ts';
import { mustBeAllowed } from '../auth/permission.ts';
import type { Context } from '../context.ts';
import { columnsOf } from '../database/columns.ts';
import { rows } from '../database/rows.ts';
import { transaction } from '../database/transaction.ts';
import { invalidField, notFound } from '../errors.ts';
import { type NotificationRule, Prisma } from '../generated/prisma/client.ts';
import { listPage, type Page, type PageArgs } from '../lists/page.ts';
import { checkName } from '../text.ts';
import { isUuid, notAnId, unknownIds } from '../uuid.ts';
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
  userIds?: readonly string[] | null | undefined;
  groupIds?: readonly string[] | null | undefined;
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
    await holdNumber(tx);
    if ((await tx.db.notificationRule.count({ where: { workspaceId } })) >= maxRules) {
      throw invalidField('name', `A workspace has ${maxRules} rules at most.`);
    }
    await lockNamed(tx, data);
    await checkUserIds(tx, 'userIds', data.userIds ?? []);
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
  ctx: Context,
  id: string,
  input: RuleInput,
  expectedVersion?: ExpectedVersion,
): Promise<NotificationRule> {
  mustBeAllowed(ctx, 'edit monitors');
  const data = checked(input);
  return transaction(ctx, async (tx) => {
    // Before the rule, as who deletes one of them does: otherwise two would wait for each other.
    await lockNamed(tx, data);
    const before = await lockRule(tx, id);
    await mustBeAtVersion(tx, before, expectedVersion);
    mustTellSomebody({ ...before, ...data });
    // Who was deactivated meanwhile may stay named: they hear nothing until they are back.
    const added = data.userIds?.filter((userId) => !before.userIds.includes(userId));
    await checkUserIds(tx, 'userIds', added ?? []);
    const rule = await tx.db.notificationRule.update({
      where: { workspaceId_id: { workspaceId: ctx.workspaceId, id: before.id } },
      data: { ...data, updatedAt: ctx.now() },
    });
    const changes = changesOf(before, rule);
    await record(tx, { activity: 'notification_rule_updated', subject: subjectOf(rule), changes });
    return rule;
  });
}

/** Delete a rule; returns what it was. Editors may. */
export async function deleteRule(
  ctx: Context,
  id: string,
  expectedVersion?: ExpectedVersion,
): Promise<NotificationRule> {
  mustBeAllowed(ctx, 'edit monitors');
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
  mustBeAllowed(ctx, 'edit monitors');
  return listPage<NotificationRule>(
    ctx,
    {
      from: Prisma.sql`notification_rule n`,
      columns,
      where: Prisma.sql`n.workspace_id = ${ctx.workspaceId}::uuid`,
      order: [
        { by: Prisma.sql`n.name`, type: 'text', descending: false },
        { by: Prisma.sql`n.id`, type: 'uuid', descending: false },
      ],
    },
    args,
  );
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

/** Let nobody else make a rule until the transaction ends, so that they can be counted. */
async function holdNumber(ctx: Context): Promise<void> {
  await rows(
    ctx,
    Prisma.sql`select pg_advisory_xact_lock(hashtext(${`rule ${ctx.workspaceId}`}))::text`,
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
  const { isEnabled, upstream } = input;
  const data = {
    ...(input.name == null ? {} : { name: checkName('name', input.name) }),
    ...listed('events', input.events, (event) => {
      return eventOf(event) ?? wrong('events', `Use some of ${events.join(', ')}.`);
    }),
    ...listed('resourceIds', input.resourceIds, idOf('resourceIds')),
    ...listed('tagIds', input.tagIds, idOf('tagIds')),
    ...listed('teamIds', input.teamIds, idOf('teamIds')),
    ...listed('chatChannels', input.chatChannels, (name) => checkName('chatChannels', name)),
    ...listed('emails', input.emails, addressOf),
    ...listed('webhookIds', input.webhookIds, idOf('webhookIds')),
    ...listed('userIds', input.userIds, idOf('userIds')),
    ...listed('groupIds', input.groupIds, idOf('groupIds')),
    ...(isEnabled == null ? {} : { isEnabled }),
    ...(upstream == null ? {} : { upstream }),
  };
  if ('events' in data && data.events?.length === 0) wrong('events', 'Name at least one.');
  return data;
}

type Lists =
  | 'events'
  | 'resourceIds'
  | 'tagIds'
  | 'teamIds'
  | 'chatChannels'
  | 'emails'
  | 'webhookIds'
  | 'userIds'
  | 'groupIds';

function listed(
  field: Lists,
  given: readonly string[] | null | undefined,
  check: (item: string) => string,
): Partial<Record<Lists, string[]>> {
  if (given == null) return {};
  if (given.length > maxList) wrong(field, `Use at most ${maxList} entries.`);
  return { [field]: [...new Set(given.map(check))] };
}

const idOf = (field: Lists) => (id: string) =>
  isUuid(id) ? id.toLowerCase() : wrong(field, notAnId);

function addressOf(address: string): string {
  const email = checkName('emails', address);
  if (/^[^\s@<>,;:"()[\]\\]+@[^\s@<>,;:"()[\]\\]+$/.test(email)) return email;
  return wrong('emails', `"${email.slice(0, 60)}" is not an email address.`);
}

function wrong(field: string, message: string): never {
  throw invalidField(field, message);
}

const whom = ['chatChannels', 'emails', 'webhookIds', 'userIds', 'groupIds'] as const;

function mustTellSomebody(rule: Partial<NotificationRule>): void {
  if (whom.some((field) => (rule[field] ?? []).length > 0)) return;
  wrong('chatChannels', `A rule tells somebody: ${whom.join(', ')}.`);
}

/** Locks what a rule names and may be deleted, so that none is before the rule is there. */
async function lockNamed(
  tx: Context,
  { webhookIds, groupIds }: Partial<NotificationRule>,
): Promise<void> {
  const unknownWebhook = await missing(tx, Prisma.sql`webhook x`, webhookIds ?? []);
  if (unknownWebhook) wrong('webhookIds', unknownIds('webhook', [unknownWebhook]));
  const unknownGroup = await missing(tx, Prisma.sql`user_group x`, groupIds ?? []);
  if (unknownGroup) wrong('groupIds', unknownIds('group', [unknownGroup]));
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
