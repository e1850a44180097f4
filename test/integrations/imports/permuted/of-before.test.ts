// A catalog of the version before identities: its next uploads make it as a new one would be.

import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { migrationsFolder } from '../../../../src/database/migrations/migrate.ts';
import { type Catalog, openCatalog } from '../../../catalog.ts';
import { look } from './look.ts';
import { csv, jsonl, project } from './steps.ts';

const core = { name: 'core', description: 'Core, says A' };
const a = project('a', { models: [core] });
const w = csv('wh.core.core', 'wh.raw.orders');

async function openTwo() {
  const catalog = await (await openCatalog({ alone: true })).another();
  const ids = new Map([
    ['W', (await catalog.integration({ name: 'W' })).id],
    ['A', (await catalog.integration({ name: 'A', type: 'dbt_core' })).id],
  ]);
  const idOf = (name: string) => ids.get(name) ?? '';
  return { catalog, ids, idOf, place: { catalog, ids } };
}

/** Make the catalog as the version before would have it: without addresses and claims. */
async function makeOld({ owner }: Catalog): Promise<void> {
  await owner.query('update resource set address = null, identity = null, shared = false');
  await owner.query('delete from resource_claim');
  await owner.query('delete from database_address');
}

async function migrate({ owner }: Catalog): Promise<void> {
  const file = `${migrationsFolder}/20261126174600_identity_of_what_is_there/migration.sql`;
  await owner.query(await readFile(file, 'utf8'));
}

test('tables that a project described keep their describers, and their next uploads change nothing', async () => {
  const { catalog, ids, idOf, place } = await openTwo();
  await w(place, idOf('W'));
  await a(place, idOf('A'));
  const before = await look(catalog, ids);
  expect(before.tables).toEqual(['wh.core.core W +A', 'wh.raw.orders W']);
  await makeOld(catalog);
  await migrate(catalog);
  expect((await look(catalog, ids)).all).toBe(before.all);
  await w(place, idOf('W'));
  await a(place, idOf('A'));
  expect((await look(catalog, ids)).all).toBe(before.all);
  const claims = await catalog.database.prisma.resourceClaim.findMany({
    where: { workspaceId: catalog.workspaceId, key: { startsWith: '?' } },
  });
  expect(claims).toEqual([]);
});

test('two tables of one name stay two until the next upload, and then what people wrote is on the one', async () => {
  const { catalog, ids, idOf, place } = await openTwo();
  await jsonl('one=wh.core.core')(place, idOf('W'));
  await makeOld(catalog);
  // The version before let a key of its own stand for each.
  await catalog.owner.query(
    `insert into resource (workspace_id, integration_id, databuilder_id, kind, title, title_full,
        parent_id, database_name, schema_name, definition, edited_fields)
      select workspace_id, integration_id, 'j:two', kind, title, title_full, parent_id,
        database_name, schema_name, 'Written by a person', '{definition}'
      from resource where databuilder_id = 'j:one'`,
  );
  await migrate(catalog);
  expect((await look(catalog, ids)).tables).toEqual(['wh.core.core W', 'wh.core.core W written']);
  const doubles = async () => {
    const { data } = await catalog.graphql(
      'query ($id: ID!) { integration(id: $id) { duplicates { resource { id titleFull } other { id } } } }',
      { id: idOf('W') },
    );
    return data.integration.duplicates;
  };
  const [double, ...others] = await doubles();
  expect([double.resource.titleFull, others]).toEqual(['wh.core.core', []]);
  expect(double.other.id).not.toBe(double.resource.id);
  await jsonl('one=wh.core.core', 'two=wh.core.core')(place, idOf('W'));
  expect(await doubles()).toEqual([]);
  expect((await look(catalog, ids)).tables).toEqual(['wh.core.core W written']);
});
