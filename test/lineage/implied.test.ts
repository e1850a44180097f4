import { expect, test } from 'vitest';
import { transaction } from '../../src/database/transaction.ts';
import { disconnect } from '../../src/lineage/connect.ts';
import { settleTables } from '../../src/lineage/implied.ts';
import { type Catalog, openCatalog } from '../catalog.ts';
import { grow, type Network } from './network.ts';

test('edges written in bulk are settled for many tables at once', async () => {
  await using catalog = await openCatalog();
  const mine = await catalog.integration();
  const theirs = await catalog.integration();
  const network = await grow(catalog, 'x.k>y.k', {
    'a.k': {},
    'b.k': {},
    'b.l.inner': {},
    'c.k': {},
    chart: { kind: 'chart' },
    lone: { kind: 'column' },
  });
  const edges = 'a.k>b.k a.k>b.l.inner b.k>c.k c.k>chart b.k>b.l lone>a.k';
  await write(catalog, network, edges, mine.id);
  // What two integrations say is implied by each, so that it stays when one of them goes.
  await write(catalog, network, 'a.k>b.k a.k>c.k', theirs.id);
  const sources = ['a.k', 'b.k', 'b.l', 'c.k', 'lone'].map(network.id);
  const settle = () => transaction(catalog.admin, (tx) => settleTables(tx, sources));
  await settle();
  expect(await implied(catalog, network)).toEqual(['a>b', 'a>b', 'a>c', 'b>c', 'c>chart', 'x>y']);
  const made = await ids(catalog);
  await settle();
  expect(await ids(catalog)).toEqual(made);

  await catalog.database.prisma.lineageEdge.updateMany({
    where: {
      workspaceId: catalog.workspaceId,
      integrationId: mine.id,
      sourceId: network.id('b.k'),
    },
    data: { validTo: new Date() },
  });
  await settle();
  expect(await implied(catalog, network)).toEqual(['a>b', 'a>b', 'a>c', 'c>chart', 'x>y']);
});

test('edges that are disconnected together take along what they implied', async () => {
  await using catalog = await openCatalog();
  const network = await grow(catalog, 'a.k>b.k a.l>b.k a.l>c.k');
  expect(await implied(catalog, network)).toEqual(['a>b', 'a>c']);
  const from = (name: string) =>
    catalog.database.prisma.lineageEdge.findMany({
      where: { workspaceId: catalog.workspaceId, sourceId: network.id(name), level: 'COLUMN' },
    });
  const edges = await from('a.l');
  await transaction(catalog.admin, (tx) =>
    disconnect(
      tx,
      edges.map(({ id }) => id),
    ),
  );
  expect(await implied(catalog, network)).toEqual(['a>b']);
});

/** Write edges between columns as an import does: in bulk, without what they imply. */
async function write(catalog: Catalog, network: Network, edges: string, integrationId: string) {
  await catalog.database.prisma.lineageEdge.createMany({
    data: edges.split(' ').map((edge) => {
      const [source = '', target = ''] = edge.split('>');
      return {
        workspaceId: catalog.workspaceId,
        sourceId: network.id(source),
        targetId: network.id(target),
        level: 'COLUMN',
        origin: 'IMPORT',
        integrationId,
      };
    }),
  });
}

async function live(catalog: Catalog) {
  return catalog.database.prisma.lineageEdge.findMany({
    where: { workspaceId: catalog.workspaceId, validTo: null, implied: true },
    orderBy: { id: 'asc' },
  });
}

async function implied(catalog: Catalog, network: Network): Promise<string[]> {
  const edges = await live(catalog);
  expect(edges.every(({ level }) => level === 'TABLE')).toBe(true);
  return edges
    .map(({ sourceId, targetId }) => `${network.name(sourceId)}>${network.name(targetId)}`)
    .sort();
}

async function ids(catalog: Catalog): Promise<string[]> {
  return (await live(catalog)).map(({ id }) => id);
}
