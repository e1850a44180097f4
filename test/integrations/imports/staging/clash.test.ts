// A key that names things of several kinds in one file: the first is taken, the others are skipped and named.

import { expect, test } from 'vitest';
import { openCatalog } from '../../../catalog.ts';
import { counts, feedCsv, feedJsonl } from '../feed.ts';

const line = (entity_type: string, key: string, parent?: string, more: object = {}) => ({
  ...{ entity_type, databuilder_id: key, title: key },
  ...(parent === undefined ? {} : { parent_databuilder_id: parent }),
  ...more,
});

async function opened() {
  const catalog = await openCatalog();
  const integration = await catalog.integration();
  const { database, workspaceId } = catalog;
  const kinds = async () => {
    const found = await database.prisma.resource.findMany({
      where: { workspaceId, stale: false },
      orderBy: { databuilderId: 'asc' },
    });
    return found.map(({ kind, databuilderId }) => `${kind} ${databuilderId}`);
  };
  return { catalog, integration, kinds };
}

const end = (databuilder_id: string) => ({ internal_resource: { databuilder_id } });

test('of two kinds under one key the first is imported, with all else; the other is named', async () => {
  const { catalog, integration, kinds } = await opened();
  await using _catalog = catalog;
  const resources = [
    line('document', 'first'),
    line('table', 'a', undefined, { description: 'A table.' }),
    line('dashboard', 'a'),
    line('column', 'a.id', 'a'),
    line('table', 'a', undefined, { type: 'x' }),
  ];
  const dry = await feedJsonl(catalog, integration, { resources }, { dryRun: true });
  const made = await feedJsonl(catalog, integration, { resources });

  expect(dry).toEqual(made);
  expect(made).toEqual({
    ...counts({ created: 3 }),
    problems: [
      'resources.jsonl, line 3: the dashboard "a" is skipped; the key names a table, in line 2.',
    ],
  });
  expect(await kinds()).toEqual(['table a', 'column a.id', 'document first']);
  expect(await feedJsonl(catalog, integration, { resources })).toMatchObject({ unchanged: 3 });
});

test('what can lie in the one that is skipped alone is skipped with it, and its lineage makes no edge', async () => {
  const { catalog, integration, kinds } = await opened();
  await using _catalog = catalog;
  const resources = [
    line('dashboard', 's'),
    line('schema', 's'),
    line('table', 't', 's'),
    line('column', 'c', 't'),
    line('chart', 'shown', 's'),
    line('table', 'apart'),
  ];
  const edge = (from: string, to: string) => ({
    ...{ from_identifier: end(from), to_identifier: end(to) },
  });
  const lineages = [edge('t', 'shown'), edge('apart', 's')];
  const made = await feedJsonl(catalog, integration, { resources, lineages });

  const file = 'resources.jsonl';
  expect(made).toEqual({
    ...counts({ created: 3 }, { created: 1, unknown: 1 }),
    problems: [
      `${file}, line 2: the schema "s" is skipped; the key names a dashboard, in line 1.`,
      `${file}, line 3: the table "t" is skipped, as what it lies in is.`,
      `${file}, line 4: the column "c" is skipped, as what it lies in is.`,
      '1 lineage line names something that the catalog does not have: line 1.',
    ],
  });
  expect(await kinds()).toEqual(['table apart', 'dashboard s', 'chart shown']);
});

test('what the file says itself comes before what it implies, wherever it stands', async () => {
  const { catalog, integration } = await opened();
  await using _catalog = catalog;
  // The database and the schema of a table are made under keys of their own.
  await feedCsv(catalog, integration, 'database,schema,name,col_name\nshop,public,t,id');
  const { prisma } = catalog.database;
  const { databuilderId } = await prisma.resource.findFirstOrThrow({
    where: { workspaceId: catalog.workspaceId, kind: 'schema' },
  });
  const key = databuilderId ?? '';
  const resources = [
    line('table', 'orders', undefined, { database: 'shop', schema: 'public' }),
    line('document', key),
  ];
  const made = await feedJsonl(catalog, integration, { resources }, { dryRun: true });
  expect(made.problems[0]).toBe(
    `resources.jsonl, line 1: the schema ${JSON.stringify(key)} is skipped; the key names a document, in line 2.`,
  );
});

test('of many the first are named, and the others counted', async () => {
  const { catalog, integration } = await opened();
  await using _catalog = catalog;
  const of = (kind: string) => Array.from({ length: 30 }, (_, n) => line(kind, `k${n}`));
  const resources = [...of('table'), ...of('document')];
  const made = await feedJsonl(catalog, integration, { resources });
  expect(made).toMatchObject({ created: 30 });
  expect(made.problems).toHaveLength(21);
  expect(made.problems.at(-1)).toBe('resources.jsonl: the same of 10 more resources.');
});
