// Makes tables with columns for tests of lineage between them.

import type { Resource } from '../../src/generated/prisma/client.ts';
import type { Catalog } from '../catalog.ts';

/** A table with columns in a schema of the database `shop`. */
export async function table(
  catalog: Catalog,
  title: string,
  columns: readonly string[],
  { schemaName = 'public', integrationId }: { schemaName?: string; integrationId?: string } = {},
) {
  const place = { databaseName: 'shop', schemaName };
  const made = await catalog.resource({ title, ...place, integrationId });
  const byName = new Map<string, Resource>();
  for (const [at, name] of columns.entries()) {
    const column = { kind: 'column' as const, title: name, parentId: made.id, sortOrder: at + 1 };
    byName.set(name, await catalog.resource({ ...column, integrationId }));
  }
  return { id: made.id, column: (name: string) => byName.get(name)?.id ?? 'none' };
}
