// Lineage of columns that have fields: what enters or leaves one as a whole does so for each of its fields.

import { expect, test } from 'vitest';
import { type Catalog, openCatalog } from '../catalog.ts';
import { table } from './table.ts';

/** A table with the column `place`, which has fields. */
async function placed(catalog: Catalog, title: string, fields: readonly string[]) {
  const made = await table(catalog, title, ['place']);
  const ids = new Map<string, string>();
  for (const name of fields) {
    const [parent, own = name] = name.includes('.') ? name.split('.') : [];
    const parentId = parent ? ids.get(parent) : made.column('place');
    const { id } = await catalog.resource({ kind: 'column', title: own, parentId });
    ids.set(name, id);
  }
  return { ...made, field: (name: string) => ids.get(name) ?? 'none' };
}

async function reachedFrom(catalog: Catalog, of: string): Promise<string[]> {
  const { data } = await catalog.graphql(
    'query ($of: [ID!]!) { impact(of: $of) { columns { resource { titleFull } } } }',
    { of: [of] },
  );
  const columns: { resource: { titleFull: string } }[] = data.impact.columns;
  return columns.map(({ resource }) => resource.titleFull).sort();
}

test('what fills a column fills its fields, and what reads it reads them', async () => {
  await using catalog = await openCatalog();
  const texts = await table(catalog, 'texts', ['body', 'other']);
  const homes = await placed(catalog, 'homes', ['city', 'at', 'at.x']);
  const moved = await placed(catalog, 'moved', ['city', 'at', 'at.x']);
  await table(catalog, 'towns', ['town', 'x', 'whole']);
  for (const sql of [
    'insert into homes (place) select parse_json(body) from texts',
    'insert into moved (place) select place from homes',
    'insert into towns (town) select place.city from moved',
    'insert into towns (x) select place.at.x from moved',
    'insert into towns (whole) select to_json(place) from moved',
  ]) {
    const { errors } = await catalog.graphql(
      `mutation ($sql: String!) { createLineageFromQuery(input: { sql: $sql, dialect: "duckdb", strict: true }) { targetTable { name } } }`,
      { sql },
    );
    expect(errors, sql).toBeUndefined();
  }
  const inHomes = ['homes.place', 'homes.place.at', 'homes.place.at.x', 'homes.place.city'];
  const inMoved = inHomes.map((name) => name.replace('homes', 'moved'));
  expect(await reachedFrom(catalog, texts.column('body'))).toEqual([
    ...inHomes,
    ...inMoved,
    ...['towns.town', 'towns.whole', 'towns.x'],
  ]);
  expect(await reachedFrom(catalog, texts.column('other'))).toEqual([]);
  // A field reaches what reads it, and what reads all of its column, but not what reads another field.
  expect(await reachedFrom(catalog, homes.field('city'))).toEqual(
    expect.arrayContaining(['moved.place.city', 'towns.town', 'towns.whole']),
  );
  expect(await reachedFrom(catalog, homes.field('city'))).not.toContain('towns.x');
  expect(await reachedFrom(catalog, moved.field('at.x'))).toEqual(['towns.whole', 'towns.x']);
});

test('an assignment fills the field that it names, and no other', async () => {
  await using catalog = await openCatalog();
  const texts = await table(catalog, 'texts', ['body', 'whole']);
  await placed(catalog, 'homes', ['city', 'at', 'at.x']);
  const sql = `merge homes h using texts t on true when matched then update set h.place.city = t.body
    when not matched then insert (place) values (t.whole)`;
  const { errors } = await catalog.graphql(
    'mutation ($sql: String!) { createLineageFromQuery(input: { sql: $sql, dialect: "bigquery", strict: true }) { targetTable { name } } }',
    { sql },
  );
  expect(errors).toBeUndefined();
  expect(await reachedFrom(catalog, texts.column('body'))).toEqual([
    'homes.place',
    'homes.place.city',
  ]);
  expect(await reachedFrom(catalog, texts.column('whole'))).toEqual([
    'homes.place',
    'homes.place.at',
    'homes.place.at.x',
    'homes.place.city',
  ]);
});

test('a field that the catalog lacks stands for its column, and for no other field', async () => {
  await using catalog = await openCatalog();
  const texts = await table(catalog, 'texts', ['body']);
  await placed(catalog, 'homes', ['city']);
  await table(catalog, 'towns', ['town']);
  for (const sql of [
    'update homes set place.zip = t.body from texts t where true',
    'insert into towns (town) select place.city from homes',
  ]) {
    const { errors } = await catalog.graphql(
      'mutation ($sql: String!) { createLineageFromQuery(input: { sql: $sql, dialect: "bigquery" }) { sql } }',
      { sql },
    );
    expect(errors, sql).toBeUndefined();
  }
  expect(await reachedFrom(catalog, texts.column('body'))).toEqual(['homes.place']);
});
