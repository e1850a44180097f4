// The ten questions of the guide, sent as they stand there: what each answers, and by how many statements.
//
// The statements are those for this small catalog. Where the same question is asked of more rows, there are no more.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLineage } from '../../src/lineage/edge.ts';
import { setValue } from '../../src/properties/assign.ts';
import { updateResource } from '../../src/resources/editing/edit.ts';
import { type Catalog, openCatalog } from '../catalog.ts';
import { root } from '../house/sources.ts';

const guide = readFileSync(join(root, 'docs/graphql.md'), 'utf8');

/** The block of the guide with the query of that name. */
function questionOf(name: string): string {
  const blocks = [...guide.matchAll(/```graphql\n(.*?)```/gs)].map(([, text = '']) => text);
  const found = blocks.find((text) => text.startsWith(`query ${name}`));
  if (!found) throw new Error(`The guide has no query ${name}.`);
  return found;
}

let catalog: Catalog;
let shop: Awaited<ReturnType<typeof fill>>;
beforeAll(async () => {
  catalog = await openCatalog();
  shop = await fill(catalog, 1);
});
afterAll(() => catalog[Symbol.asyncDispose]());

const at = (hour: number) => new Date(Date.UTC(2026, 0, 1, hour));

/** A shop: so many raw tables, each with a column that a report's column is made from, incidents and terms. */
async function fill({ admin, database, workspaceId, ...make }: Catalog, tables: number) {
  const ada = await make.user({ firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' });
  const [team, tag] = [await make.team({ name: 'sales' }), await make.tag({ name: 'finance' })];
  const { id: integrationId } = await make.integration({ name: 'warehouse' });
  const schema = await make.resource({ kind: 'schema', title: 'shop' });
  const report = await make.resource({ title: 'report', ownerIds: [ada.id], parentId: schema.id });
  const revenue = await make.resource({ kind: 'column', title: 'revenue', parentId: report.id });
  const chart = await make.resource({ kind: 'chart', title: 'sales chart', ownerIds: [ada.id] });
  await createLineage(admin, { fromId: report.id, toId: chart.id });
  const means = await make.property({ name: 'Means', valueType: 'resource' });
  const term = await make.resource({
    kind: 'glossary',
    title: 'Revenue',
    description: 'What we earn.',
  });
  await setValue(admin, means.id, revenue.id, term.id);
  const raw: string[] = [];
  for (let n = 0; n < tables; n += 1) {
    const table = await make.resource({
      ...{ title: `orders_${n}`, parentId: schema.id, ownerIds: [ada.id], teamIds: [team.id] },
      ...{ tagIds: [tag.id], integrationId, description: 'All orders.' },
    });
    await updateResource(admin, table.id, { definition: `# Orders ${n}` });
    const total = await make.resource({ kind: 'column', title: 'total', parentId: table.id });
    await createLineage(admin, { fromId: total.id, toId: revenue.id });
    const of = { workspaceId, targetId: table.id };
    const monitor = await database.prisma.monitor.create({
      data: { ...of, metricType: 'row_count', name: `rows of ${n}`, integrationId },
    });
    const incident = await database.prisma.incident.create({
      data: {
        ...{ ...of, monitorId: monitor.id, name: 'rows', summary: 'Too few.', value: 0 },
        ...{ severity: 'critical', assigneeId: ada.id },
      },
    });
    await database.prisma.measurement.createMany({
      data: Array.from({ length: 700 }, (_, hour) => ({
        ...{ workspaceId, monitorId: monitor.id, value: hour % 24, createdAt: at(hour) },
        ...{ lowerThreshold: 0, upperThreshold: 20, incidentId: hour === 500 ? incident.id : null },
      })),
    });
    raw.push(total.id, table.id, monitor.id);
  }
  await make.resource({ title: 'orphan', teamIds: [team.id] });
  const [column = '', table = '', monitor = ''] = raw;
  return { ada, team, term, report, revenue, chart, column, table, monitor, integrationId };
}

interface Question {
  readonly name: string;
  readonly variables?: () => object;
  /** What the answer has to hold. */
  readonly answers: () => object;
  /** Statements at most, whatever there is. */
  readonly statements: number;
}

const questions: readonly Question[] = [
  {
    name: 'ColumnLineage',
    variables: () => ({ column: shop.column }),
    answers: () => ({
      lineage: {
        nodes: [
          {
            resource: {
              title: 'total',
              parent: {
                title: 'orders_0',
                owners: [{ name: 'Ada Lovelace' }],
                openIncidents: [{ severity: 'critical' }],
              },
            },
          },
          {
            depth: 1,
            direction: 'DOWNSTREAM',
            resource: { title: 'revenue', parent: { title: 'report' } },
          },
        ],
        edges: [{ sourceId: shop.column, targetId: shop.revenue.id, origin: 'MANUAL' }],
      },
    }),
    statements: 12,
  },
  {
    name: 'ResourcePage',
    variables: () => ({ id: shop.table }),
    answers: () => ({
      resource: {
        ...{ kind: 'table', parent: { title: 'shop' }, integration: { name: 'warehouse' } },
        ...{
          owners: [{ name: 'Ada Lovelace' }],
          teams: [{ name: 'sales' }],
          tags: [{ name: 'finance' }],
        },
        ...{ createdBy: { id: catalog.idOf('admin') }, columns: [{ title: 'total' }] },
        monitors: [{ name: 'rows of 0' }],
      },
      openIncidents: { totalCount: 1, nodes: [{ assignee: { name: 'Ada Lovelace' } }] },
    }),
    statements: 16,
  },
  {
    name: 'Search',
    variables: () => ({ words: 'orders', ownerIds: [shop.ada.id] }),
    answers: () => ({
      search: {
        nodes: [{ resource: { kind: 'table', owners: [{ id: shop.ada.id }] } }],
        facets: { owner: [{ value: shop.ada.id, label: 'Ada Lovelace', count: 1 }] },
      },
    }),
    statements: 10,
  },
  {
    name: 'IncidentBoard',
    variables: () => ({ assignee: shop.ada.id }),
    answers: () => ({
      incidents: {
        totalCount: 1,
        nodes: [
          {
            severity: 'critical',
            assignee: { name: 'Ada Lovelace' },
            target: { integration: { name: 'warehouse' } },
          },
        ],
      },
      critical: { totalCount: 1 },
      high: { totalCount: 0 },
      unassigned: { totalCount: 0 },
    }),
    statements: 12,
  },
  {
    name: 'MonitorMonth',
    variables: () => ({ id: shop.monitor, from: at(0), to: at(744) }),
    answers: () => ({
      monitor: {
        series: { totalCount: 700, isThinned: true },
        incidents: { nodes: [{ severity: 'critical' }] },
      },
    }),
    statements: 4,
  },
  {
    name: 'AuditFeed',
    variables: () => ({ person: catalog.idOf('admin'), since: '2020-01-01T00:00:00Z' }),
    answers: () => ({
      auditLogs: {
        nodes: [
          {
            performer: { id: catalog.idOf('admin') },
            resource: { titleFull: 'orphan' },
            resourceMetadata: { title: 'orphan' },
          },
        ],
      },
    }),
    // One of them looks whether things that aren't there were merged into others.
    statements: 4,
  },
  {
    name: 'OwnershipReport',
    answers: () => ({
      coverage: {
        total: 3,
        owned: 2,
        teams: [{ label: 'sales', total: 2, owned: 1 }, { value: null }],
      },
      orphans: { totalCount: 1, nodes: [{ titleFull: 'orphan', teams: [{ name: 'sales' }] }] },
    }),
    statements: 10,
  },
  {
    name: 'WhatBreaks',
    variables: () => ({ column: shop.column }),
    answers: () => ({
      impact: {
        columns: [{ depth: 1, resource: { id: shop.revenue.id } }],
        owners: [{ user: { email: 'ada@example.com' } }],
        tables: [{ resource: { id: shop.report.id } }],
        possible: [{ resource: { id: shop.chart.id } }],
      },
    }),
    statements: 17,
  },
  {
    name: 'DocumentationCoverage',
    answers: () => ({
      coverage: {
        total: 3,
        described: 1,
        documented: 1,
        by: [
          { label: 'sales', total: 2, documented: 1 },
          { value: null, documented: 0 },
        ],
      },
      undocumented: { totalCount: 2 },
    }),
    statements: 6,
  },
  {
    name: 'Glossary',
    answers: () => ({
      resources: {
        totalCount: 1,
        nodes: [
          {
            title: 'Revenue',
            relatedTerms: [],
            linkedResources: { totalCount: 1, nodes: [{ id: shop.revenue.id }] },
          },
        ],
      },
    }),
    statements: 7,
  },
];

const sent = (statements: readonly string[]) =>
  statements.filter((text) => !/\bapi_key\b/.test(text)).length;

test.each(questions)('$name', async ({ name, variables = () => ({}), answers, statements }) => {
  const { value, statements: all } = await catalog.counting(() =>
    catalog.graphql(questionOf(name), variables()),
  );
  expect(value.errors).toBeUndefined();
  expect(value.data).toMatchObject(cut(answers(), value.data));
  expect(sent(all)).toBeLessThanOrEqual(statements);
  expect(catalog.unexpected).toEqual([]);
});

/** Expected lists name the first rows; what follows in the answer is taken as it is. */
function cut(expected: unknown, found: unknown): object {
  const walk = (one: unknown, other: unknown): unknown => {
    if (Array.isArray(one) && Array.isArray(other)) {
      return other.map((row, i) => (i < one.length ? walk(one[i], row) : row));
    }
    if (one instanceof Object && other instanceof Object) {
      return Object.fromEntries(
        Object.entries(one).map(([name, value]) => [name, walk(value, Reflect.get(other, name))]),
      );
    }
    return one;
  };
  const made = walk(expected, found);
  if (!(made instanceof Object)) throw new Error('An answer is an object.');
  return made;
}

test('of four times as much, each asks the database no more than it may', async () => {
  await using larger = await catalog.another();
  const many = await fill(larger, 4);
  for (const { name, variables = () => ({}), statements } of questions) {
    const before = shop;
    shop = many;
    const large = await larger.counting(() => larger.graphql(questionOf(name), variables()));
    shop = before;
    expect(large.value.errors, name).toBeUndefined();
    // Not those of less, to the one: which of two statements is answered first decides whether a third is for both.
    expect(sent(large.statements), name).toBeLessThanOrEqual(statements);
  }
});
