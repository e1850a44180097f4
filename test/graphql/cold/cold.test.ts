// Operations that a newcomer writes from schema.graphql alone, on the sample workspace: right at the first try.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadDemo } from '../../../src/demo/demo.ts';
import { type Catalog, openCatalog } from '../../catalog.ts';
import { tasks } from './tasks.ts';

let catalog: Catalog;
let folder: string;
/** Ids of tags and properties, by `tag pii`. */
const named = new Map<unknown, string>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'headwater-cold-'));
  catalog = await openCatalog();
  await catalog.app({ FILES_DIR: folder });
  await loadDemo(catalog, () => {}, folder);
  const { data } = await catalog.graphql(
    '{ tags { nodes { id name } } customProperties { nodes { id name } } }',
  );
  for (const { id, name } of data.tags.nodes) named.set(`tag ${name}`, id);
  for (const { id, name } of data.customProperties.nodes) named.set(`property ${name}`, id);
}, 120_000);
afterAll(async () => {
  await catalog[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const idOf = async (titleFull: string) => {
  const ask = 'query ($name: String!) { resourceByName(titleFull: $name) { id } }';
  const { data } = await catalog.graphql(ask, { name: titleFull });
  expect([titleFull, data.resourceByName?.id]).toEqual([titleFull, expect.any(String)]);
  return data.resourceByName.id;
};

test.each(tasks.map((one) => [one.task, one] as const))('%s', async (_, one) => {
  const variables: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(one.variables ?? {})) {
    variables[name] = named.get(value);
  }
  for (const [name, full] of Object.entries(one.of ?? {})) variables[name] = await idOf(full);
  const { data, errors } = await catalog.graphql(one.query, variables);
  expect(errors).toBeUndefined();
  const text = JSON.stringify(data);
  for (const part of one.shows) expect(text).toMatch(part);
});
