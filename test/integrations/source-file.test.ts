// The file of a project that something is made by: its path, its address and its code.

import { expect, test } from 'vitest';
import { updateIntegration } from '../../src/integrations/integration.ts';
import { openCatalog } from '../catalog.ts';
import { bakery } from './imports/bakery.ts';
import { feedCsv, feedProject, resourceAt } from './imports/feed.ts';

const query = `query ($id: ID!) { resource(id: $id) {
  sourceFile { path url rawCode language } } }`;
const git = 'https://git.example.com/bakery/blob/main/';

test('a resource of a project leads to its file in the repository, for all who see it', async () => {
  await using catalog = await openCatalog();
  const project = await catalog.integration({ type: 'dbt_core' });
  await updateIntegration(catalog.admin, project.id, { properties: { git_url: git } });
  const manifest = bakery();
  manifest.metadata = { ...manifest.metadata, project_name: 'bakery', adapter_type: 'postgres' };
  const add = (name: string, more: object) => {
    const node = { ...manifest.nodes['model.bakery.alone'], name, alias: name, ...more };
    manifest.nodes[`model.bakery.${name}`] = node;
  };
  const code = { raw_code: '{{ config() }} select 1', compiled_code: 'select 1' };
  add('own', { package_name: 'bakery', original_file_path: 'models\\a b/own#1.sql', ...code });
  add('theirs', { package_name: 'dough', original_file_path: 'models/theirs.sql', ...code });
  add('none', { package_name: 'bakery', original_file_path: null, raw_code: null });
  await feedProject(catalog, project, { manifest });
  const fileOf = async (title: string, as: 'viewer' | 'admin' = 'viewer') => {
    const { id } = await resourceAt(catalog, title);
    const { data, errors } = await catalog.graphql(query, { id }, { as });
    expect(errors).toBeUndefined();
    return data.resource.sourceFile;
  };
  const own = {
    path: 'models\\a b/own#1.sql',
    url: `${git}models/a%20b/own%231.sql`,
    rawCode: '{{ config() }} select 1',
    language: null,
  };
  expect(await fileOf('bakery.main.own')).toEqual(own);
  expect(await fileOf('bakery.main.theirs')).toMatchObject({
    path: 'models/theirs.sql',
    url: null,
  });
  expect(await fileOf('bakery.main.none')).toBeNull();
  // A table that a warehouse has as well is made by the same file.
  const warehouse = await catalog.integration({ name: 'Files' });
  await feedCsv(catalog, warehouse, 'database,schema,name,col_name\nbakery,main,own,id\n');
  await feedProject(catalog, project, { manifest });
  expect(await fileOf('bakery.main.own', 'admin')).toEqual(own);
  const path = '{path}?plain=1';
  const set =
    'mutation ($id: ID!, $to: JSON!) { updateIntegration(id: $id, input: { properties: $to }) { id } }';
  const say = (to: unknown) => catalog.graphql(set, { id: project.id, to: { git_url: to } });
  expect((await say(`${git}${path}`)).errors).toBeUndefined();
  expect(await fileOf('bakery.main.own')).toEqual({ ...own, url: `${own.url}?plain=1` });
  for (const bad of [
    'javascript:alert(1)',
    'git@example.com:shop.git',
    'https://a:b@c.example',
    7,
  ]) {
    const { errors } = await say(bad);
    expect(errors?.[0]?.message, String(bad)).toContain('Use an http or https address');
  }
});
