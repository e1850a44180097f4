// Each page of the explorer as people see it: light, dark and on a phone. `npm run pictures` keeps the pictures.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { hasBrowser } from '../browser.ts';
import { root } from '../house/sources.ts';
import { share } from '../trials/nightly.ts';
import { type Demo, expectWellMade, openDemo, whenKnown } from './demo.ts';
import { expectWalked } from './walk.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 300_000 });

/** Each page by the name of its picture: its route, and an address of it. */
const pages: readonly (readonly [name: string, route: string, address: string])[] = [
  ['home', '/', '/'],
  ['search', '/search', '/search?q=orders'],
  ['resource', '/resource/:id', '/resource/TABLE'],
  ['resource-lineage', '/resource/:id', '/resource/TABLE?tab=lineage'],
  ['resource-quality', '/resource/:id', '/resource/TABLE?tab=quality'],
  ['resource-sql', '/resource/:id', '/resource/TABLE?tab=sql'],
  ['resource-questions', '/resource/:id', '/resource/TABLE?tab=questions'],
  ['resource-activity', '/resource/:id', '/resource/TABLE?tab=activity'],
  ['column', '/resource/:id', '/resource/COLUMN'],
  ['lineage', '/lineage/:id', '/lineage/TABLE'],
  ['lineage-of-column', '/lineage/:id', '/lineage/COLUMN'],
  ['monitors', '/monitors', '/monitors'],
  ['monitor-new', '/monitors/new', '/monitors/new'],
  ['monitor', '/monitors/:id', '/monitors/MONITOR'],
  ['incidents', '/incidents', '/incidents'],
  ['incident', '/incidents/:id', '/incidents/INCIDENT'],
  ['browse', '/browse/:id?', '/browse'],
  ['glossary', '/glossary/:id?', '/glossary'],
  ['documents', '/documents/:id?', '/documents/DOCUMENT'],
  ['questions', '/questions', '/questions'],
  ['sources', '/imports', '/imports'],
  ['source-new', '/imports/new', '/imports/new'],
  ['source', '/imports/:id', '/imports/SOURCE'],
  ['audit', '/audit', '/audit'],
  ['settings', '/admin', '/admin'],
  ['sessions', '/sessions', '/sessions'],
  ['impact', '/impact', '/impact'],
  ['command-line', '/command-line', '/command-line'],
];

/** What lies behind the tabs of pages, of which a push looks at some. */
const tabs: typeof pages = [
  ['resource-profile', '/resource/:id', '/resource/TABLE?tab=profile'],
  ['resource-comments', '/resource/:id', '/resource/TABLE?tab=comments'],
  ['lineage-table', '/lineage/:id', '/lineage/TABLE?view=table'],
  ['browse-schema', '/browse/:id?', '/browse/SCHEMA'],
  ['document-new', '/documents/:id?', '/documents/new?kind=document'],
  ['source-settings', '/imports/:id', '/imports/SOURCE?tab=settings'],
  ['impact-of-manifest', '/impact', '/impact?of=manifest'],
  ...[
    'groups',
    'teams',
    'tags',
    'properties',
    'keys',
    'rules',
    'windows',
    'webhooks',
    'profile',
  ].map((part) => [`settings-${part}`, '/admin', `/admin?part=${part}`] as const),
];

/** Where an address leads to no page. */
const nowhere = ['nowhere', '', '/nothing/like/this'] as const;

test('no page is left out', () => {
  const routes = readFileSync(join(root, 'src/explorer/routes.tsx'), 'utf8');
  const paths = [...routes.matchAll(/<Route path="([^"]+)"/g)].map(([, path]) => path);
  expect(paths.length).toBeGreaterThan(10);
  expect(new Set(paths)).toEqual(new Set(pages.map(([, route]) => route)));
});

describe.skipIf(!hasBrowser('Pictures of pages'))('each page', () => {
  let demo: Demo;
  const ids = new Map<string, string>();

  beforeAll(async () => {
    demo = await openDemo();
    const { tables, columns, schemas, monitors, incidents, documents, integrations } =
      await demo.ask(`{
      tables: resources(first: 1, where: { title: { eq: "fct_orders" } }) { nodes { id } }
      columns: resources(first: 1, where: {
        kind: { eq: column }, titleFull: { contains: "fct_orders.net_revenue_eur" }
      }) { nodes { id } }
      schemas: resources(first: 1, where: { kind: { eq: schema } }) { nodes { id } }
      monitors(first: 1, where: { name: { eq: "Average cart" } }) { nodes { id } }
      incidents(first: 1) { nodes { id } }
      documents: resources(first: 1, where: { title: { eq: "The monthly close" } }) { nodes { id } }
      integrations(first: 1) { nodes { id } }
    }`);
    for (const [name, found] of Object.entries({
      ...{ TABLE: tables, COLUMN: columns, MONITOR: monitors, INCIDENT: incidents },
      ...{ DOCUMENT: documents, SOURCE: integrations, SCHEMA: schemas },
    })) {
      ids.set(name, found.nodes[0].id);
    }
  });
  afterAll(() => demo?.[Symbol.asyncDispose]());

  test.each([...pages, ...share(tabs, 4), nowhere])(
    '%s is well made however one looks, and walked by Tab',
    async (name, _route, address) => {
      const path = address.replace(/[A-Z]+$|[A-Z]+(?=\?)/, (word) => ids.get(word) ?? word);
      await using visited = await demo.open({ path });
      const { page, problems, elsewhere } = visited;
      await whenKnown(page);
      await expectWellMade(page, name);
      // Of a picture the cards come and go: the arrow keys lead from one to the next.
      if (!/^lineage/.test(name)) await expectWalked(page);
      expect(problems).toEqual([]);
      expect(elsewhere).toEqual([]);
    },
  );

  test('the page for signing in is well made however one looks, and walked by Tab', async () => {
    await using visited = await demo.open({ key: '' });
    const { page, problems } = visited;
    await expectWellMade(page, 'sign-in');
    await expectWalked(page);
    expect(problems).toEqual([]);
  });
});
