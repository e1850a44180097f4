// Makes graphs for tests: resources by short names, and edges between them as "a>b".

import { randomUUID } from 'node:crypto';
import { transaction } from '../../src/database/transaction.ts';
import type { Prisma } from '../../src/generated/prisma/client.ts';
import { connect, type Provenance } from '../../src/lineage/connect.ts';
import type { LineageGraph } from '../../src/lineage/graph.ts';
import type { Catalog } from '../catalog.ts';

export interface Network {
  /** The id of a name; throws for a name the network does not have. */
  id(name: string): string;
  /** The name of an id. */
  name(id: string): string;
  /** Draw more edges, such as `a>b b>c`. */
  draw(edges: string, by?: Provenance): Promise<void>;
  /** What a graph shows, by names and in order of names: "b 1 DOWNSTREAM" and "a>b". */
  read(graph: LineageGraph): Promise<{ nodes: string[]; edges: string[] }>;
}

type Row = Partial<Prisma.ResourceUncheckedCreateInput>;

/**
 * Make a published table for each name that the edges mention, and for each in `special`, which
 * says what is different. A name with a dot, such as `t.c`, is a column of the table before it.
 */
export async function grow(
  catalog: Catalog,
  edges: string,
  special: Record<string, Row> = {},
): Promise<Network> {
  const ids = new Map<string, string>();
  const named = [...Object.keys(special), ...edges.split(/[\s>]+/)].filter((name) => name !== '');
  // A column needs its table: t for t.c, t.c for t.c.d.
  for (const name of named.flatMap(ancestors)) ids.set(name, ids.get(name) ?? randomUUID());
  const names = new Map([...ids].map(([name, id]) => [id, name]));
  const rows = [...ids].map(([name, id]) => ({
    workspaceId: catalog.workspaceId,
    id,
    kind: name.includes('.') ? 'column' : 'table',
    title: name,
    titleFull: name,
    published: true,
    parentId: name.includes('.') ? (ids.get(name.slice(0, name.lastIndexOf('.'))) ?? null) : null,
    ...special[name],
  }));
  await catalog.database.prisma.resource.createMany({ data: rows });

  const network: Network = {
    id: (name) => found(ids, name),
    name: (id) => found(names, id),
    async draw(more, by = { origin: 'MANUAL' }) {
      const pairs = more
        .split(/\s+/)
        .filter((edge) => edge !== '')
        .map((edge) => edge.split('>'))
        .map(([source = '', target = '']) => ({
          sourceId: network.id(source),
          targetId: network.id(target),
        }));
      await transaction(catalog.admin, (tx) => connect(tx, pairs, by));
    },
    async read(graph) {
      const between = await graph.edges();
      return {
        nodes: graph.nodes
          .map(({ id, depth, direction }) => `${network.name(id)} ${depth} ${direction}`)
          .sort(),
        edges: between
          .map(({ sourceId, targetId }) => `${network.name(sourceId)}>${network.name(targetId)}`)
          .sort(),
      };
    },
  };
  await network.draw(edges);
  return network;
}

function ancestors(name: string): string[] {
  const parts = name.split('.');
  return parts.map((_, i) => parts.slice(0, i + 1).join('.'));
}

function found<Value>(map: ReadonlyMap<string, Value>, key: string): Value {
  const value = map.get(key);
  if (value === undefined) throw new Error(`The network has no ${key}.`);
  return value;
}
