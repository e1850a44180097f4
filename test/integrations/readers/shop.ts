// What tests of imports share: a small shop, feeding it to an integration, and what came of it.

import type { ServerContext } from '../../../src/context.ts';
import type { ImportCounts } from '../../../src/integrations/imports/options.ts';
import { importJsonl, type SyncOptions } from '../../../src/integrations/imports/sync.ts';
import { textSource } from '../../../src/integrations/readers/source.ts';
import type { Catalog } from '../../catalog.ts';

export type Row = Record<string, unknown>;

const text = (rows: readonly Row[]) => rows.map((row) => JSON.stringify(row)).join('\n');

/** Import rows as JSONL into an integration; absent rows are an absent file. */
export function feed(
  ctx: ServerContext,
  integrationId: string,
  rows: { resources?: readonly Row[]; lineages?: readonly Row[] },
  options: SyncOptions = {},
): Promise<ImportCounts> {
  const { resources, lineages } = rows;
  const sources = {
    resources: resources && textSource('resources_file', text(resources)),
    lineages: lineages && textSource('lineages_file', text(lineages)),
  };
  return importJsonl(ctx, integrationId, sources, options);
}

export const row = (entity_type: string, databuilder_id: string, more: Row = {}): Row => ({
  entity_type,
  databuilder_id,
  title: databuilder_id,
  ...more,
});

export const shop: readonly Row[] = [
  // Children may come before what holds them.
  row('column', 'id', { parent_databuilder_id: 'orders', type: 'bigint', sort_order: 1 }),
  row('table', 'orders', { parent_databuilder_id: 'public', description: 'Every order.' }),
  row('table', 'customers', { parent_databuilder_id: 'public' }),
  row('schema', 'public', { parent_databuilder_id: 'shop' }),
  row('database', 'shop'),
];

export const edge = (from: string, to: string): Row => ({
  from_identifier: { internal_resource: { databuilder_id: from } },
  to_identifier: { internal_resource: { databuilder_id: to } },
});

/** Everything an import could have touched, to see that it touched nothing. */
export async function stateOf({ database: { prisma }, workspaceId }: Catalog) {
  const where = { workspaceId };
  return {
    resources: await prisma.resource.findMany({ where, orderBy: { id: 'asc' } }),
    edges: await prisma.lineageEdge.findMany({ where, orderBy: { id: 'asc' } }),
    tags: await prisma.tag.findMany({ where, orderBy: { id: 'asc' } }),
    versions: await prisma.resourceVersion.findMany({ where, orderBy: { id: 'asc' } }),
    audit: await prisma.auditLog.count({ where }),
  };
}

export function resource({ database: { prisma }, workspaceId }: Catalog, databuilderId: string) {
  return prisma.resource.findFirstOrThrow({ where: { workspaceId, databuilderId } });
}

export async function scratchTables({ owner }: Catalog): Promise<number> {
  const { rowCount } = await owner.query(
    `select from information_schema.tables where table_schema = 'headwater_scratch'`,
  );
  return rowCount ?? 0;
}
