// What an import changes, one by one: on a dry run and when it is done, over GraphQL.

import { expect, test } from 'vitest';
import { type Catalog, openCatalog } from '../../catalog.ts';
import { bakery } from './bakery.ts';

const header = 'col_name,database,schema,name,description';
const rows = (...lines: string[]) => [header, ...lines].join('\n');

const mutation = `mutation ($id: ID!, $content: String!, $dryRun: Boolean!, $first: Int) {
  importCsv(integrationId: $id, content: $content, dryRun: $dryRun) {
    created updated staled changes(first: $first) { action kind title fields }
  }
}`;

/** Import a file by the API; answers what it says of itself. */
async function upload(catalog: Catalog, id: string, content: string, more: object = {}) {
  const variables = { id, content, dryRun: false, first: 200, ...more };
  return catalog.graphql(mutation, variables);
}

test('a dry run says of each resource what becomes of it, and so does the import itself', async () => {
  await using catalog = await openCatalog();
  const { id } = await catalog.integration();
  await upload(
    catalog,
    id,
    rows('id,shop,public,orders,Old', 'id,shop,public,gone,', 'at,shop,public,kept,'),
  );
  const next = rows('id,shop,public,orders,New', 'at,shop,public,kept,', 'id,shop,public,more,');
  const tried = await upload(catalog, id, next, { dryRun: true });
  const changes = [
    { action: 'staled', kind: 'table', title: 'shop.public.gone', fields: [] },
    { action: 'staled', kind: 'column', title: 'shop.public.gone.id', fields: [] },
    { action: 'updated', kind: 'table', title: 'shop.public.orders', fields: ['description'] },
    { action: 'created', kind: 'table', title: 'shop.public.more', fields: [] },
    { action: 'created', kind: 'column', title: 'shop.public.more.id', fields: [] },
  ];
  expect(tried.data.importCsv).toEqual({ created: 2, updated: 1, staled: 2, changes });
  const done = await upload(catalog, id, next);
  expect(done.data.importCsv).toEqual(tried.data.importCsv);
  const again = await upload(catalog, id, next, { dryRun: true });
  expect(again.data.importCsv).toEqual({ created: 0, updated: 0, staled: 0, changes: [] });
});

test('what people edited is not listed as changing, and what they left alone is', async () => {
  await using catalog = await openCatalog();
  const { id } = await catalog.integration();
  await upload(catalog, id, rows('id,shop,public,mine,Old', 'id,shop,public,theirs,Old'));
  const found = await catalog.graphql(
    '{ resources(kinds: [table], title: "mine", first: 2) { nodes { id } } }',
  );
  const [table] = found.data.resources.nodes;
  await catalog.graphql(
    'mutation ($id: ID!) { updateResource(id: $id, input: { description: "By hand" }) { id } }',
    { id: table.id },
  );
  const next = rows('id,shop,public,mine,New', 'id,shop,public,theirs,New');
  const { data } = await upload(catalog, id, next, { dryRun: true });
  expect(data.importCsv.changes).toEqual([
    { action: 'updated', kind: 'table', title: 'shop.public.theirs', fields: ['description'] },
  ]);
});

test('of many changes the first are listed, and what goes comes before what is new', async () => {
  await using catalog = await openCatalog();
  const { id } = await catalog.integration();
  await upload(catalog, id, rows('id,shop,public,gone,'));
  const many = Array.from({ length: 300 }, (_, n) => `c${n},shop,public,wide,`);
  const { data } = await upload(catalog, id, rows(...many), { dryRun: true, first: 1_000 });
  expect(data.importCsv).toMatchObject({ created: 301, staled: 2 });
  expect(data.importCsv.changes).toHaveLength(200);
  expect(data.importCsv.changes.slice(0, 3)).toMatchObject([
    { action: 'staled' },
    { action: 'staled' },
    { action: 'created', title: 'shop.public.wide' },
  ]);
  const few = await upload(catalog, id, rows(...many), { dryRun: true, first: 1 });
  expect(few.data.importCsv.changes).toHaveLength(1);
  const none = await upload(catalog, id, rows(...many), { dryRun: true, first: 0 });
  expect(none.errors?.[0]?.message).toContain('Use an integer from 1 to 1000, not 0.');
});

test('tables of another source that a project describes are listed with what it adds', async () => {
  await using catalog = await openCatalog();
  const warehouse = await catalog.integration();
  await upload(catalog, warehouse.id, rows('id,bakery,main,alone,'));
  const project = await catalog.integration({ type: 'dbt_core' });
  const { data } = await catalog.graphql(
    `mutation ($id: ID!, $manifest: String!) {
      importArtifacts(integrationId: $id, manifest: $manifest, dryRun: true) {
        created updated changes { action kind title fields }
      }
    }`,
    { id: project.id, manifest: JSON.stringify(bakery()) },
  );
  const { created, updated, changes } = data.importArtifacts;
  const of = (wanted: string) => changes.filter(({ action }: typeof changes) => action === wanted);
  expect([of('created').length, of('updated').length, updated]).toEqual([created, 3, 3]);
  const alone = of('updated').find(({ kind }: typeof changes) => kind === 'table');
  expect(alone.title).toBe('bakery.main.alone');
  expect(alone.fields).toContain('describedBy');
  expect(alone.fields).toContain('creationQuery');
  expect(alone.fields).not.toContain('title');
});
