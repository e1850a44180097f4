// Integrations: the sources that resources come from.

import { randomUUID } from 'node:crypto';
import { record } from '../audit/audit.ts';
import { changesOf, changesOfNew } from '../audit/changes.ts';
import { type ExpectedVersion, mustBeAtVersion } from '../audit/version.ts';
import { onlyIntegration } from '../auth/key-scope.ts';
import { isAllowed, mustBeAllowed } from '../auth/permission.ts';
import type { Role } from '../auth/viewer.ts';
import type { Context, ServerContext } from '../context.ts';
import { columnsOf } from '../database/columns.ts';
import { loaderOf } from '../database/loader.ts';
import { rows } from '../database/rows.ts';
import { transaction } from '../database/transaction.ts';
import { invalidField, notFound } from '../errors.ts';
import { checkFields } from '../fields.ts';
import { type Integration, Prisma } from '../generated/prisma/client.ts';
import { listPage, newestFirst, type Page, type PageArgs } from '../lists/page.ts';
import { type IdSets, lockNamed, type NamedThings, setsOf } from '../resources/editing/ids.ts';
import { checkText } from '../text/text.ts';
import { isUuid } from '../text/uuid.ts';
import { warn } from '../warning.ts';
import { checkNames } from './connectors/read-fields.ts';
import { type Credentials, sealCredentials } from './credentials.ts';
import { type IntegrationFields, integrationNoun } from './fields.ts';
import { credentialsOf, feedOf, parseType, pulledTypes } from './integration-type.ts';
import { checkSqlWriters } from './sql-writers.ts';
import { withStoredSecrets } from './stored-secrets.ts';
import { nextExtraction } from './syncs/next-time.ts';

/** What an integration is made of. Absent takes the default, or leaves alone; null clears. */
export interface IntegrationInput extends IntegrationFields {
  teamIds?: readonly string[] | null | undefined;
  /** Ids of people and teams who may write SQL for its source, as a whole. */
  sqlWriterIds?: readonly string[] | null | undefined;
  /** Roles that may see rows of its tables. */
  previewRoles?: readonly Role[] | null | undefined;
  /** Whether incidents of row checks keep some of the rows that fail them. */
  keepsFailingRows?: boolean | null | undefined;
  /** Replaces what was there; an empty object clears it. A custom integration has none. */
  credentials?: Credentials | null | undefined;
  /** Whether secrets that the credentials leave out stay as they are. */
  keepsSecrets?: boolean | null | undefined;
}

export interface NewIntegration extends IntegrationInput {
  type?: string | null | undefined;
}

const columns = columnsOf(Prisma.IntegrationScalarFieldEnum, 'i');

/** Make an integration. Admins may. Its resources will belong to its teams. */
export async function createIntegration(
  ctx: ServerContext,
  input: NewIntegration,
): Promise<Integration> {
  mustBeAllowed(ctx, integrationNoun.by);
  const type = parseType(input.type ?? 'custom');
  return transaction(ctx, async (tx) => {
    const id = randomUUID();
    const integration = await tx.db.integration.create({
      data: {
        name: `Untitled ${type} integration`,
        ...(await checked(tx, id, type, input, await lockNamed(tx, namedIn(input)))),
        scheduledExtractionsNextRun: nextRun(ctx, type, null, input),
        id,
        type,
        workspaceId: ctx.workspaceId,
        createdAt: ctx.now(),
        updatedAt: ctx.now(),
      },
    });
    const changes = changesOfNew(integration);
    await record(tx, { activity: 'integration_created', subject: subject(integration), changes });
    return integration;
  });
}

/** Change an integration. Admins may. Its type stays what it is. */
export async function updateIntegration(
  ctx: ServerContext,
  id: string,
  input: IntegrationInput,
  expectedVersion?: ExpectedVersion,
): Promise<Integration> {
  mustBeAllowed(ctx, integrationNoun.by);
  return transaction(ctx, async (tx) => {
    // Its teams come before it: anyone who deletes one of them takes them in this order, too.
    const named = await lockNamed(tx, namedIn(input));
    const before = await lockIntegration(tx, id, Prisma.sql`for no key update`);
    await mustBeAtVersion(tx, before, expectedVersion);
    const integration = await tx.db.integration.update({
      where: { workspaceId_id: { workspaceId: ctx.workspaceId, id: before.id } },
      data: {
        ...(await checked(tx, before.id, before.type, input, named)),
        scheduledExtractionsNextRun: nextRun(ctx, before.type, before, input),
        updatedAt: ctx.now(),
      },
    });
    const changes = changesOf(before, integration);
    await record(tx, { activity: 'integration_updated', subject: subject(integration), changes });
    return integration;
  });
}

/** One integration. Admins and editors may read it. */
export async function getIntegration(ctx: Context, id: string): Promise<Integration> {
  mustBeAllowed(ctx, 'read integrations');
  const found = isUuid(id) ? (await integrationsById(ctx, [id])).get(id.toLowerCase()) : undefined;
  const only = onlyIntegration(ctx.viewer);
  if (!found || (only !== null && only !== found.id)) throw notFound('Integration');
  return found;
}

export interface IntegrationQuery {
  /** Only integrations of this type, or of its other name. */
  readonly type?: string | null | undefined;
  /** Only integrations whose name contains this, without regard to case. */
  readonly title?: string | null | undefined;
}

/** Integrations, newest first. Admins and editors may read them. */
export async function listIntegrations(
  ctx: Context,
  query: IntegrationQuery,
  args: PageArgs,
): Promise<Page<Integration>> {
  mustBeAllowed(ctx, 'read integrations');
  const conditions = [Prisma.sql`i.workspace_id = ${ctx.workspaceId}::uuid`];
  const only = onlyIntegration(ctx.viewer);
  if (only !== null) conditions.push(Prisma.sql`i.id = ${only}::uuid`);
  if (query.type) conditions.push(Prisma.sql`i.type = ${parseType(query.type)}`);
  if (query.title) {
    const title = checkText('title', query.title);
    conditions.push(Prisma.sql`strpos(lower(i.name), lower(${title})) > 0`);
  }
  return listPage<Integration>(
    ctx,
    {
      from: Prisma.sql`integration i`,
      columns,
      where: Prisma.join(conditions, ' and '),
      order: newestFirst(Prisma.sql`i`),
    },
    args,
  );
}

/** Integrations by their ids, for a loader. What they say besides their name is for editors. */
async function integrationsById(
  ctx: Context,
  ids: readonly string[],
): Promise<Map<string, Integration>> {
  const found = await rows<Integration>(
    ctx,
    Prisma.sql`select ${columns} from integration i
      where i.workspace_id = ${ctx.workspaceId}::uuid and i.id = any(${[...ids]}::uuid[])`,
  );
  return new Map(found.map((integration) => [integration.id, integration]));
}

/** The integration of an id, for those who may read integrations; null for others, and where there is none. */
export async function loadIntegration(
  ctx: Context,
  id: string | null,
): Promise<Integration | null> {
  if (id === null || !isAllowed(ctx, 'read integrations')) return null;
  return (await loaderOf(ctx, integrationsById).load(id)) ?? null;
}

/**
 * An integration that no one else can change or delete until the transaction ends. A lock `for update`
 * also waits for all who write something that belongs to it.
 */
export async function lockIntegration(
  tx: Context,
  id: string,
  lock: Prisma.Sql,
): Promise<Integration> {
  const [integration] = isUuid(id)
    ? await rows<Integration>(
        tx,
        Prisma.sql`select ${columns} from integration i
          where i.workspace_id = ${tx.workspaceId}::uuid and i.id = ${id}::uuid ${lock}`,
      )
    : [];
  if (!integration) throw notFound('Integration');
  return integration;
}

function namedIn({ teamIds }: IntegrationInput): IdSets {
  return { teamIds };
}

async function checked(
  tx: ServerContext,
  id: string,
  type: string,
  input: IntegrationInput,
  named: NamedThings,
) {
  const { teamIds } = setsOf(named, {});
  const { credentials, keepsSecrets, sqlWriterIds, keepsFailingRows, previewRoles } = input;
  warnOfSchedule(tx, type, input);
  return {
    ...checkFields(integrationNoun, input),
    ...(teamIds ? { teamIds } : {}),
    ...(sqlWriterIds === undefined
      ? {}
      : { executeAccess: await checkSqlWriters(tx, sqlWriterIds) }),
    ...(previewRoles === undefined ? {} : { previewAccessRoles: [...new Set(previewRoles ?? [])] }),
    ...(keepsFailingRows === undefined ? {} : { keepsFailingRows: keepsFailingRows ?? false }),
    ...(credentials === undefined
      ? {}
      : {
          credentials: await sealed(
            ...([tx, id, type] as const),
            credentials && keepsSecrets
              ? await withStoredSecrets(tx, { id, type }, credentials)
              : (credentials ?? {}),
          ),
        }),
  };
}

/** What takes uploads is never extracted, whatever its hour. */
function warnOfSchedule(ctx: Context, type: string, input: IntegrationInput): void {
  const { scheduledExtractionsHour: hour, scheduledExtractionsFrequency: frequency } = input;
  const isSynced = feedOf(type) === 'sync' || pulledTypes.includes(type);
  if ((hour == null && frequency == null) || isSynced) return;
  warn(
    ctx,
    hour == null ? 'scheduled_extractions_frequency' : 'scheduled_extractions_hour',
    `This has no effect: an integration of the type ${type} takes uploads, and no schedule extracts it.`,
  );
}

/** When it is synced by itself next: as before, unless its schedule changes. */
function nextRun(
  ctx: Context,
  type: string,
  before: Integration | null,
  input: IntegrationInput,
): Date | null {
  const {
    scheduledExtractionsHour: hour,
    scheduledExtractionsFrequency: frequency,
    credentials,
  } = input;
  if (before && hour === undefined && frequency === undefined && credentials === undefined) {
    return before.scheduledExtractionsNextRun;
  }
  const schedule = {
    type,
    hasCredentials:
      credentials === undefined
        ? (before?.credentials ?? null) !== null
        : Object.keys(credentials ?? {}).length > 0,
    hour: hour === undefined ? (before?.scheduledExtractionsHour ?? null) : hour,
    frequency:
      frequency === undefined ? (before?.scheduledExtractionsFrequency ?? null) : frequency,
  };
  return nextExtraction(schedule, ctx.now());
}

const maxCredentials = 100_000;

async function sealed(
  tx: ServerContext,
  id: string,
  type: string,
  credentials: Credentials,
): Promise<string | null> {
  if (Object.keys(credentials).length === 0) return null;
  if (type === 'custom') {
    throw invalidField('credentials', 'A custom integration has no credentials; it takes uploads.');
  }
  const fields = credentialsOf(type);
  if (fields) checkNames(fields, credentials);
  if (JSON.stringify(credentials).length > maxCredentials) {
    throw invalidField('credentials', `Use at most ${maxCredentials} characters of JSON.`);
  }
  return sealCredentials(tx, id, credentials);
}

function subject({ id, name, version }: Pick<Integration, 'id' | 'name' | 'version'>) {
  return { id, kind: 'integration', title: name, integrationId: id, version };
}
