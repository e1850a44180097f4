// The picture of lineage that the page of a source shows: of what its first sync brings in the tests.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { root } from '../../house/sources.ts';
import type { LivePlace } from './live-place.ts';

const titles = (svg: string) =>
  [...svg.matchAll(/<title>([^<]*)<\/title>/g)].map(([, title]) => title).sort();

/**
 * Expect that the picture in the documentation shows what a sync brought around a table, at least one line of it. Keeps it with
 * `UPDATE_IMAGES=1`.
 */
export async function expectFirstPicture(
  { catalog, resources }: LivePlace,
  type: string,
  table = 'orders',
): Promise<void> {
  const found = (await resources('table')).find(({ title }) => title.toLowerCase() === table);
  const { data, errors } = await catalog.graphql(
    'mutation ($id: ID!) { embedLineage(input: { resourceId: $id }) { url } }',
    { id: found?.id },
  );
  expect(errors).toBeUndefined();
  const page = await fetch((await catalog.listen()) + data.embedLineage.url);
  const [svg = ''] = /<svg[\s\S]*<\/svg>/.exec(await page.text()) ?? [];
  expect(svg).toContain('<path');
  const path = join(root, 'docs/images/sources', `${type}.svg`);
  if (process.env.UPDATE_IMAGES === '1') {
    mkdirSync(dirname(path), { recursive: true });
    // Its links lead into a catalog that is gone.
    writeFileSync(path, `${svg.replaceAll(/<a [^>]*>|<\/a>/g, '')}\n`);
  }
  expect(titles(readFileSync(path, 'utf8'))).toEqual(titles(svg));
}
