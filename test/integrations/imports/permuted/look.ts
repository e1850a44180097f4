// What people see of a catalog: no ids and no times, so that two of them can be compared.

import type { Catalog } from '../../../catalog.ts';

/** A catalog as people see it. */
export interface Seen {
  /** Its tables, a line each: `path owner +others stale written`. */
  readonly tables: readonly string[];
  readonly all: string;
}

/** Look at a catalog; its integrations are called as in `ids`. */
export async function look(catalog: Catalog, ids: ReadonlyMap<string, string>): Promise<Seen> {
  const names = new Map([...ids].map(([name, id]) => [id, name]));
  const nameOf = (id: string | null) => (id === null ? '-' : (names.get(id) ?? 'deleted'));
  const { workspaceId, database } = catalog;
  const { prisma } = database;
  const tags = new Map(
    (await prisma.tag.findMany({ where: { workspaceId } })).map(({ id, name }) => [id, name]),
  );
  const resources = await prisma.resource.findMany({ where: { workspaceId } });
  const titles = new Map(
    resources.map((one) => [one.id, `${one.titleFull} ${nameOf(one.integrationId)}`]),
  );
  const seen = resources
    .map((one) => ({
      is: `${one.kind} ${one.titleFull}`,
      owner: nameOf(one.integrationId),
      key: one.databuilderId,
      sources: one.sourceIds.map(nameOf).sort(),
      parent: one.parentId === null ? null : titles.get(one.parentId),
      place: [one.databaseName, one.schemaName, one.tableName],
      texts: [one.title, one.description, one.definition, one.creationQuery, one.url],
      types: [one.nativeType, one.type, one.isPk, one.sortOrder, one.rowCount, one.hidden],
      tags: one.tagIds.map((id) => tags.get(id)).sort(),
      about: JSON.stringify(one.sourceMetadata),
      flags: [one.stale, one.archived, one.published],
    }))
    .map((one) => JSON.stringify(one))
    .sort();
  const edges = await prisma.lineageEdge.findMany({ where: { workspaceId, validTo: null } });
  const monitors = await prisma.monitor.findMany({ where: { workspaceId } });
  const tables = resources
    .filter(({ kind }) => kind === 'table')
    .map((one) =>
      [
        one.titleFull,
        nameOf(one.integrationId),
        ...(one.sourceIds.length > 0 ? [`+${one.sourceIds.map(nameOf).sort().join(',')}`] : []),
        ...(one.stale ? ['stale'] : []),
        ...(one.definition === 'Written by a person' ? ['written'] : []),
      ].join(' '),
    )
    .sort();
  const all = [
    ...seen,
    ...edges
      .map((edge) =>
        [
          titles.get(edge.sourceId),
          titles.get(edge.targetId),
          edge.origin,
          nameOf(edge.integrationId),
        ].join(' > '),
      )
      .sort(),
    ...monitors.map(({ name, targetId }) => `${name} of ${titles.get(targetId)}`).sort(),
  ];
  return { tables, all: all.join('\n') };
}
