// Reviewing a change of a transformation project before it is made: what it would reach.

import { mustBeAllowed } from '../auth/permission.ts';
import type { Context } from '../context.ts';
import { columnsOf } from '../database/columns.ts';
import { rows } from '../database/rows.ts';
import { invalidField } from '../errors.ts';
import {
  type Incident,
  type Integration,
  type Monitor,
  Prisma,
  type User,
} from '../generated/prisma/client.ts';
import { getIntegration } from '../integrations/integration.ts';
import { readManifest } from '../integrations/readers/artifacts/project-manifest.ts';
import type { FileSource } from '../integrations/readers/source.ts';
import { type Impact, impact, type ReachedList } from '../lineage/impact/impact.ts';
import type { Reason } from '../lineage/impact/reason.ts';
import { incidentColumns } from '../monitors/incidents/record.ts';
import { monitorColumns } from '../monitors/seen.ts';
import { loadResources } from '../resources/loaders.ts';
import { type Comparison, compareModels } from './compare.ts';
import { summaryOf } from './markdown.ts';
import { collectModels, type KnownModel, knownModels } from './models.ts';

/** A change, reviewed. */
export interface Review {
  readonly integration: Integration;
  readonly comparison: Comparison;
  /** What removed and changed models and columns reach; null where nothing of the kind changed. */
  readonly impact: Impact | null;
  readonly owners: readonly User[];
  readonly monitors: readonly Monitor[];
  readonly incidents: readonly Incident[];
  /** What could not be determined, in sentences. */
  readonly unknown: readonly string[];
  readonly markdown: string;
}

export interface ReviewOptions {
  /** The project's integration; may be left out where the workspace has one project only. */
  readonly integrationId?: string | null | undefined;
  /** The manifest to compare with; the catalog where absent. */
  readonly base?: FileSource | undefined;
  /** Most bytes that a manifest may hold, unpacked. */
  readonly maxBytes: number;
}

/** What is reached is listed in a comment and in the answer of one request. */
const maxReached = 1_000;

const noChange = 'No downstream resources affected.';

/**
 * Compare a manifest that is not imported yet with the catalog, or with a base, and follow what it would remove or
 * change downstream. Editors may; nothing is written. Throws BAD_REQUEST for what is no manifest.
 */
export async function reviewManifest(
  ctx: Context,
  manifest: FileSource,
  { integrationId, base, maxBytes }: ReviewOptions,
): Promise<Review> {
  mustBeAllowed(ctx, 'read integrations');
  const integration = await projectOf(ctx, integrationId);
  const known = await knownModels(ctx, integration.id);
  const extraction = readManifest(manifest, { maxBytes, count() {} });
  const { before: imported, after, unknown } = await collectModels(ctx, known, extraction);
  const before = base
    ? (await collectModels(ctx, known, readManifest(base, { maxBytes, count() {} }))).after
    : imported;
  const comparison = compareModels(before, after);
  const touched = touchedBy(comparison, known);
  const reached =
    touched.length > 0
      ? await impact(ctx, { of: touched.slice(0, 1_000), maxNodes: maxReached })
      : null;
  const ids = [...touched, ...(reached ? idsOf(reached) : [])];
  const review = {
    integration,
    comparison,
    impact: reached,
    owners: await ownersOf(ctx, ids),
    monitors: await monitorsOn(ctx, ids),
    incidents: await incidentsOn(ctx, ids),
    unknown: [
      ...unknown,
      ...(touched.length > 1_000
        ? ['More than 1,000 columns change. Only the first 1,000 were analyzed.']
        : []),
      ...(reached?.truncatedReason ? [`Partial: ${reached.truncatedReason}`] : []),
      ...(reached && reached.hidden > 0 ? [`${reached.hidden} hidden by permissions.`] : []),
    ],
  };
  return { ...review, markdown: await inMarkdown(ctx, review) };
}

const columns = columnsOf(Prisma.IntegrationScalarFieldEnum, 'i');

async function projectOf(ctx: Context, id: string | null | undefined): Promise<Integration> {
  if (id) {
    const integration = await getIntegration(ctx, id);
    if (integration.type === 'dbt_core') return integration;
    throw invalidField('integration_id', `${integration.name} is not a transformation project.`);
  }
  const [only, other] = await rows<Integration>(
    ctx,
    Prisma.sql`select ${columns} from integration i
      where i.workspace_id = ${ctx.workspaceId}::uuid and i.type = 'dbt_core'
      order by i.created_at limit 2`,
  );
  if (only && !other) return only;
  throw invalidField(
    'integration_id',
    only
      ? 'This workspace has several transformation projects: give the id of the integration of one.'
      : 'The workspace has no transformation project to compare with.',
  );
}

/** The resources that the change removes or changes: columns where that is known, else whole tables. */
function touchedBy(
  { removed, changed }: Comparison,
  known: ReadonlyMap<string, KnownModel>,
): string[] {
  const ids = new Set<string>();
  for (const { name } of removed) {
    const table = known.get(name.toLowerCase());
    if (table) ids.add(table.id);
  }
  for (const change of changed) {
    const table = known.get(change.name.toLowerCase());
    if (!table) continue;
    const names = [...change.removed, ...change.changed.map((column) => column.name)];
    for (const name of names) {
      const column = table.columnIds.get(name.toLowerCase());
      if (column) ids.add(column);
    }
    // SQL that changed and makes the same columns may make other rows of them all.
    if (names.length === 0 && change.reasons.length > 0) ids.add(table.id);
  }
  return [...ids];
}

function idsOf({ columns, tables, others, possible }: Impact): string[] {
  return [columns, tables, others, possible].flatMap(({ ids }) => ids);
}

async function ownersOf(ctx: Context, ids: readonly string[]): Promise<User[]> {
  return rows<User>(
    ctx,
    Prisma.sql`select distinct ${columnsOf(Prisma.UserScalarFieldEnum, 'u')} from resource r
      join user_account u on u.workspace_id = r.workspace_id and not u.archived
        and (u.id = any(r.owner_ids) or exists (select from user_group g
          where g.workspace_id = r.workspace_id and g.id = any(r.owner_group_ids)
            and u.id = any(g.member_ids)))
      where r.workspace_id = ${ctx.workspaceId}::uuid and r.id = any(${[...ids]}::uuid[])
      order by "email" limit 1000`,
  );
}

async function monitorsOn(ctx: Context, ids: readonly string[]): Promise<Monitor[]> {
  return rows<Monitor>(
    ctx,
    Prisma.sql`select ${monitorColumns} from monitor m
      where m.workspace_id = ${ctx.workspaceId}::uuid and m.is_enabled
        and m.target_id = any(${[...ids]}::uuid[]) order by m.name, m.id limit 1000`,
  );
}

async function incidentsOn(ctx: Context, ids: readonly string[]): Promise<Incident[]> {
  return rows<Incident>(
    ctx,
    Prisma.sql`select ${incidentColumns} from incident i
      where i.workspace_id = ${ctx.workspaceId}::uuid and i.status <> 'resolved'
        and i.target_id = any(${[...ids]}::uuid[]) order by i.created_at, i.id limit 1000`,
  );
}

/** Each way in which something is reached, the strongest first. */
function inWords(ways: readonly Reason[]): string {
  return ways.map(({ reason }) => reason).join(' ');
}

async function inMarkdown(ctx: Context, review: Omit<Review, 'markdown'>): Promise<string> {
  const titles = async (list: ReachedList | undefined) => {
    const nodes = (await list?.page({ first: maxReached })) ?? [];
    const reasons = new Map(nodes.map(({ id, ways }) => [id, inWords(ways)]));
    const found = await loadResources(ctx, [...reasons.keys()]);
    return found.map(({ id, titleFull }) => ({ name: titleFull, reason: reasons.get(id) ?? '' }));
  };
  const { comparison, impact: reached, owners, monitors, incidents, unknown } = review;
  const text = summaryOf({
    ...comparison,
    columns: await titles(reached?.columns),
    tables: await titles(reached?.tables),
    others: await titles(reached?.others),
    possible: await titles(reached?.possible),
    owners: owners.map((one) => `${one.firstName} ${one.lastName}`.trim() || one.email),
    monitors: monitors.map(({ name }) => name),
    incidents: incidents.map(({ name }) => name),
    unknown,
  });
  return reached === null ? `${text}\n\n${noChange}\n` : `${text}\n`;
}
