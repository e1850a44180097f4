// A client with a normalised cache, as the guide has it, on the real server.

import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { updateResource } from '../../src/resources/editing/edit.ts';
import { openCatalog } from '../catalog.ts';
import { root } from '../house/sources.ts';
import { hasTool } from '../tool.ts';

const folder = mkdtempSync(join(tmpdir(), 'headwater-apollo-'));
beforeAll(() => {
  symlinkSync(join(root, 'tools/node_modules'), join(folder, 'node_modules'), 'dir');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.runIf(hasTool('@apollo/client'))(
  'what a change answers is in every list that the client has, and none is asked again',
  async () => {
    await using catalog = await openCatalog();
    const url = `${await catalog.listen()}/graphql`;
    const { id } = await catalog.resource({ title: 'orders' });
    await catalog.resource({ title: 'customers' });

    const page = readFileSync(join(root, 'docs/graphql.md'), 'utf8');
    const blocks = [...page.matchAll(/```js\n(.*?)```/gs)].map(([, code = '']) => code);
    const file = join(folder, 'guide.mjs');
    writeFileSync(file, blocks.find((code) => code.includes('openApollo')) ?? '');
    const { openApollo, watchTables, rename } = await import(pathToFileURL(file).href);

    const client = await openApollo({ url, key: catalog.keyOf('admin') });
    const seen: string[][] = [];
    const waiting: (() => void)[] = [];
    const next = () => new Promise<void>((resolve) => void waiting.push(resolve));
    const first = next();
    const watching = watchTables(client, (titles: string[]) => {
      seen.push(titles.toSorted());
      waiting.shift()?.();
    });
    await first;
    expect(seen).toEqual([['customers', 'orders']]);

    const second = next();
    const { data } = await rename(client, id, 'sales');
    await second;
    watching.unsubscribe();
    expect(seen).toEqual([
      ['customers', 'orders'],
      ['customers', 'sales'],
    ]);
    expect(data.updateResource).toMatchObject({ id, title: 'sales' });
    // Another client changes it: what is kept here is kept until somebody asks.
    await updateResource(catalog.admin, id, { title: 'turnover' });
    expect(seen).toHaveLength(2);
    expect(Object.keys(client.cache.extract())).toContain(`Table:${id}`);
    client.stop();
  },
);
