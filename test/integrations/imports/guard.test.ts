// Imports that would empty an integration, and what is odd in files that are taken all the same.

import { expect, test } from 'vitest';
import { openCatalog } from '../../catalog.ts';
import { digest, feedCsv, feedJsonl, resourceAt } from './feed.ts';

const header = 'database,schema,name,col_name,col_type';
const tables = (count: number) =>
  Array.from({ length: count }, (_, n) => `shop,public,table${n},id,integer`);
const csv = (...rows: string[]) => [header, ...rows].join('\n');

test('an import that would make more than half of an integration stale is refused, unless forced', async () => {
  await using catalog = await openCatalog();
  const integration = await catalog.integration();
  // With the database and the schema, 22 resources.
  await feedCsv(catalog, integration, csv(...tables(10)));
  const before = await digest(catalog);
  const feed = (rows: number, options: object = {}) =>
    feedCsv(catalog, integration, csv(...tables(rows)), options);

  await expect(feed(4)).rejects.toMatchObject({
    code: 'CONFLICT',
    message: expect.stringMatching(
      /make 12 of 22 resources .* stale\. Nothing was changed.*force=true/,
    ),
  });
  expect(await digest(catalog)).toEqual(before);
  expect(await feed(4, { dryRun: true })).toMatchObject({
    staled: 12,
    problems: [
      'It would be refused without force: it would make 12 of 22 resources of this integration stale.',
    ],
  });
  for (const options of [{ force: true }, { stale: false }]) {
    expect((await feed(4, { dryRun: true, ...options })).problems).toEqual([]);
  }
  expect(await feed(4, { stale: false })).toMatchObject({ staled: 0 });
  expect(await feed(5)).toMatchObject({ staled: 10 });
  expect(await feed(1, { force: true })).toMatchObject({ staled: 8 });
});

test('a small integration may lose most of what it has, but not by a file that names nothing', async () => {
  await using catalog = await openCatalog();
  const integration = await catalog.integration();
  await feedCsv(catalog, integration, csv(...tables(3)));
  expect(await feedCsv(catalog, integration, csv(...tables(1)))).toMatchObject({ staled: 4 });
  await expect(feedCsv(catalog, integration, csv())).rejects.toMatchObject({
    code: 'CONFLICT',
    message: expect.stringContaining('it names nothing, and would make 4 of 4 resources'),
  });
  const path = `/integration/integrations/${integration.id}/import_metadata`;
  const post = (query: string) => {
    const body = new FormData();
    body.append('file', new Blob([csv()]), 'tables.csv');
    return catalog.rest('POST', `${path}${query}`, { body });
  };
  expect((await post('')).status).toBe(409);
  expect((await post('?dry_run=true')).body).toMatchObject({
    staled: 4,
    problems: [expect.stringMatching(/^It would be refused without force: it names nothing, and/)],
  });
  expect((await post('?force=true')).status).toBe(204);
  // Where nothing is left that it could take away, it is still not what anybody means.
  const empty = await post('');
  expect([empty.status, empty.body.detail]).toEqual([
    409,
    expect.stringMatching(
      /^The import was refused: it names nothing\. .* repeat it with force=true/,
    ),
  ]);
  const dry = await post('?dry_run=true');
  const problems = ['It would be refused without force: it names nothing.'];
  expect([dry.status, dry.body.problems]).toEqual([200, problems]);
  expect((await post('?stale=false')).status).toBe(409);
  expect((await post('?force=true')).status).toBe(204);
});

test('what is described twice, and differently, is said', async () => {
  await using catalog = await openCatalog();
  const integration = await catalog.integration();
  const twice = csv(
    ...['shop,public,orders,id,integer', 'shop,public,orders,amount,numeric'],
    ...['shop,public,orders,id,bigint', 'shop,public,orders,amount,numeric'],
  );
  const { problems } = await feedCsv(catalog, integration, twice);
  expect(problems).toEqual([
    expect.stringMatching(
      /^tables.csv, lines 2, 4: ".*orders.*id" is described more than once.*type; the/,
    ),
  ]);
  expect(await resourceAt(catalog, 'shop.public.orders.id')).toMatchObject({ type: 'integer' });
});

test('lines of lineage that point at nothing are named in the answer', async () => {
  await using catalog = await openCatalog();
  const integration = await catalog.integration();
  const table = { entity_type: 'table', databuilder_id: 'a', title: 'a' };
  const line = (from: string) => ({
    from_identifier: { type: 'external_table', database: 'shop', schema: 'public', table: from },
    to_identifier: { type: 'internal_resource', databuilder_id: 'a' },
  });
  const { problems, lineage } = await feedJsonl(catalog, integration, {
    ...{ resources: [table], lineages: [line('nowhere'), line('nothing')] },
  });
  expect(lineage.unknown).toBe(2);
  expect(problems).toEqual([expect.stringMatching(/^2 lineage lines name .* lines 1, 2\.$/)]);
});
