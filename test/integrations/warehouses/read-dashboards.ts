// What tools that show data say, and tables from which their data comes.

import { expect } from 'vitest';
import type { Connector } from '../../../src/integrations/connectors/connector.ts';
import type { Reference } from '../../../src/integrations/readers/extraction.ts';
import type { Catalog } from '../../catalog.ts';

/** All that a tool says: resources, edges as `source > target`, and notes. */
export async function readDashboards(connector: Connector) {
  const notes: string[] = [];
  const found = [];
  for await (const piece of connector.extract({ note: (line) => notes.push(line) })) {
    found.push(piece);
  }
  await connector.close();
  const resources = found.flatMap((piece) => (piece.is === 'resource' ? [piece.resource] : []));
  const edges = found.flatMap((piece) =>
    piece.is === 'lineage' ? [[piece.lineage.from, piece.lineage.to].map(endOf).join(' > ')] : [],
  );
  return { resources, edges, notes };
}

const endOf = (end: Reference) =>
  end.by === 'key'
    ? end.key
    : [end.database, end.schema, end.table, end.column].filter(Boolean).join('.');

/** An integration with the tables `shop.sales.orders` and `shop.sales.daily`, each with an amount and a total. */
export async function loadShop(catalog: Catalog): Promise<void> {
  const made = await catalog.graphql(
    `mutation { createIntegration(type: "custom", input: { name: "Shop" }) { id } }`,
    {},
  );
  const columnOf = (table: string, title: string) => ({
    ...{ entity_type: 'column', databuilder_id: `${table}.${title}`, title },
    parent_databuilder_id: table,
  });
  const lines = ['orders', 'daily'].flatMap((table) =>
    [
      { entity_type: 'table', databuilder_id: table, title: table },
      ...[columnOf(table, 'amount'), columnOf(table, 'total')],
    ].map((one) => JSON.stringify({ ...one, database: 'shop', schema: 'sales' })),
  );
  const loaded = await catalog.graphql(
    `mutation ($id: ID!, $lines: String!) { importJsonl(integrationId: $id, resources: $lines) { created problems } }`,
    { id: made.data.createIntegration.id, lines: lines.join('\n') },
  );
  expect(loaded.errors).toBeUndefined();
}
