// Dry runs: they count what an import would do, and change nothing.

import { expect, test } from 'vitest';
import type { ImportCounts } from '../../../src/integrations/imports/options.ts';
import type { SyncOptions } from '../../../src/integrations/imports/sync.ts';
import { type Catalog, openCatalog } from '../../catalog.ts';
import { bakery, bakeryRun } from './bakery.ts';
import {
  counts,
  digest,
  feedCsv,
  feedJsonl,
  feedProject,
  leftovers,
  listening,
  refusal,
} from './feed.ts';

const header = 'col_name,database,schema,name,description';
const dry = { dryRun: true } as const;

/** Each import, tried before it is done: the trial changes nothing, and counts what is then done. */
async function predicted(catalog: Catalog, feed: (options: SyncOptions) => Promise<ImportCounts>) {
  const before = await digest(catalog);
  const { watch, lines } = listening();
  const trial = await feed({ ...dry, watch });
  expect(await digest(catalog)).toEqual(before);
  expect(await leftovers(catalog)).toEqual([]);
  expect(lines.some((line) => line.startsWith('Would be done. Resources:'))).toBe(true);
  const done = await feed({});
  expect(trial).toEqual(done);
  return trial;
}

test('a dry run of a CSV file counts what is then created, updated, staled and left alone', async () => {
  await using catalog = await openCatalog();
  const integration = await catalog.integration();
  const feed = (text: string) =>
    predicted(catalog, (options) => feedCsv(catalog, integration, text, options));
  const rows = (...lines: string[]) => [header, ...lines].join('\n');
  expect(await feed(rows('id,shop,public,orders,Old', 'id,shop,public,gone,'))).toEqual(
    counts({ created: 6 }),
  );
  expect(await feed(rows('id,shop,public,orders,New', 'id,shop,public,more,'))).toEqual(
    counts({ created: 2, updated: 1, staled: 2, unchanged: 3 }),
  );
});

test('a dry run of JSONL files counts lineage, too, and makes no tag', async () => {
  await using catalog = await openCatalog();
  const integration = await catalog.integration();
  const table = (databuilder_id: string, tags: string[] = []) => ({
    entity_type: 'table',
    databuilder_id,
    tags,
  });
  const edge = (from: string, to: string) => ({
    from_identifier: { internal_resource: { databuilder_id: from } },
    to_identifier: { internal_resource: { databuilder_id: to } },
  });
  const feed = (resources: object[], lineages: object[]) =>
    predicted(catalog, (options) =>
      feedJsonl(catalog, integration, { resources, lineages }, options),
    );
  const three = [table('a', ['new']), table('b'), table('c')];
  expect(await feed(three, [edge('a', 'b'), edge('a', 'x')])).toEqual({
    ...counts({ created: 3 }, { created: 1, unknown: 1 }),
    problems: ['1 lineage line names something that the catalog does not have: line 2.'],
  });
  expect(await feed(three, [edge('b', 'c')])).toEqual(
    counts({ unchanged: 3 }, { created: 1, ended: 1 }),
  );
});

test('a dry run of a project counts its tests and their results', async () => {
  await using catalog = await openCatalog();
  const project = await catalog.integration({ type: 'dbt_core' });
  const test = 'test.bakery.bread_is_known';
  const feed = (manifest: object, invocation: string) => {
    const runResults = bakeryRun(invocation, { [test]: 'pass' });
    return predicted(catalog, (options) =>
      feedProject(catalog, project, { manifest, runResults }, options),
    );
  };
  expect((await feed(bakery(), 'one')).tests).toEqual({
    created: 4,
    updated: 0,
    staled: 0,
    unchanged: 0,
    results: 1,
  });
  const manifest = bakery();
  delete manifest.nodes['test.bakery.not_null_price'];
  expect((await feed(manifest, 'two')).tests).toEqual({
    created: 0,
    updated: 0,
    staled: 1,
    unchanged: 3,
    results: 1,
  });
});

test('a dry run decorates nothing, and refuses what an import would refuse', async () => {
  await using catalog = await openCatalog();
  const warehouse = await catalog.integration();
  await feedCsv(catalog, warehouse, `${header}\nid,bakery,main,alone,`);
  const project = await catalog.integration({ type: 'dbt_core' });
  const trial = await predicted(catalog, (options) =>
    feedProject(catalog, project, { manifest: bakery() }, options),
  );
  // The table is decorated; that its database and schema are the project's, too, is kept with them.
  expect(trial.updated).toBe(3);

  const before = await digest(catalog);
  const refused = await refusal(feedCsv(catalog, warehouse, `${header}\nid,a,b,,`, dry));
  expect(refused).toMatchObject({ code: 'BAD_REQUEST', field: 'name' });
  expect(await digest(catalog)).toEqual(before);
});
