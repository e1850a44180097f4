// Whole projects: no column of a table that is read is said to break nothing.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { impact } from '../../src/lineage/impact/impact.ts';
import { runTrace, traceJob } from '../../src/lineage/queries/trace-job.ts';
import { type Catalog, openCatalog } from '../catalog.ts';
import { feedProject, type Project, resourceAt } from '../integrations/imports/feed.ts';

const database = 'shop';

function model(name: string, from: readonly string[], columns: readonly string[], sql: string) {
  return {
    [`model.shop.${name}`]: {
      ...{ resource_type: 'model', name, alias: name, database, schema: 'main' },
      ...{ package_name: 'shop', original_file_path: `models/${name}.sql` },
      columns: Object.fromEntries(columns.map((column) => [column, { name: column }])),
      config: { materialized: 'table' },
      depends_on: { macros: [], nodes: from.map((key) => `model.shop.${key}`) },
      compiled_code: sql,
    },
  };
}

/** Models in steps, as many projects write them: stars hand on most of the columns. */
const manifest = {
  metadata: {
    dbt_schema_version: 'https://schemas.getdbt.com/dbt/manifest/v12.json',
    ...{ generated_at: '2026-03-01T06:00:00Z', invocation_id: 'b7', project_name: 'shop' },
    adapter_type: 'duckdb',
  },
  nodes: {
    ...model(
      'stg_orders',
      [],
      ['order_id', 'customer_id', 'cents'],
      'select id as order_id, customer as customer_id, cents from raw.o',
    ),
    ...model(
      'stg_people',
      [],
      ['customer_id', 'name'],
      'select id as customer_id, name from raw.p',
    ),
    ...model(
      'orders',
      ['stg_orders'],
      ['order_id', 'customer_id', 'cents', 'n'],
      `with orders as (select * from "shop"."main"."stg_orders"),
        numbered as (select *, row_number() over (partition by customer_id order by order_id) as n
          from orders)
      select * from numbered`,
    ),
    ...model(
      'customers',
      ['stg_people', 'orders'],
      ['customer_id', 'name', 'spent'],
      `with people as (select * from "shop"."main"."stg_people"),
        orders as (select * from "shop"."main"."orders"),
        sums as (select orders.customer_id, sum(orders.cents) as spent from orders group by 1),
        joined as (select people.*, sums.spent from people
          left join sums on people.customer_id = sums.customer_id)
      select * from joined`,
    ),
  },
  ...{ sources: {}, exposures: {}, metrics: {}, semantic_models: {}, groups: {} },
};

async function feed(project: Project): Promise<Catalog> {
  const catalog = await openCatalog();
  await feedProject(catalog, await catalog.integration({ type: 'dbt_core' }), project);
  await catalog.owner.query('analyze resource, lineage_edge');
  return catalog;
}

/** Do what the import left for the background: trace the SQL of the models. */
async function trace({ database, workspaceId, admin }: Catalog): Promise<void> {
  const kept = { workspaceId, kind: traceJob };
  const job = await database.prisma.job.findFirstOrThrow({ where: kept });
  const nothing = async () => {};
  await runTrace({
    ctx: admin,
    job,
    log() {},
    progress() {},
    complete: nothing,
    fence: nothing,
    keep: nothing,
  });
}

/** Every column of a table that another one reads, by its full title. */
async function columnsRead(catalog: Catalog): Promise<{ id: string; titleFull: string }[]> {
  const { workspaceId, owner } = catalog;
  const { rows } = await owner.query<{ id: string; titleFull: string }>(
    `select c.id, c.title_full as "titleFull" from resource c
      where c.workspace_id = $1 and c.kind = 'column' and exists (select from lineage_edge e
        where e.workspace_id = c.workspace_id and e.source_id = c.parent_id and e.valid_to is null)`,
    [workspaceId],
  );
  return rows;
}

/** Those of which it is said that nothing depends on them, and nothing may. */
async function saidToBeSafe(catalog: Catalog): Promise<string[]> {
  const safe: string[] = [];
  for (const { id, titleFull } of await columnsRead(catalog)) {
    const { columns, tables, others, possible } = await impact(catalog.admin, { of: [id] });
    if ([columns, tables, others, possible].every(({ ids }) => ids.length === 0)) {
      safe.push(titleFull);
    }
  }
  return safe;
}

test('a column that staged models join by reaches the model that joins, and it says why', async () => {
  await using catalog = await feed({ manifest });
  await trace(catalog);
  const column = await resourceAt(catalog, 'shop.main.orders.customer_id');
  const customers = await resourceAt(catalog, 'shop.main.customers');

  const found = await impact(catalog.admin, { of: [column.id] });

  expect((await found.tables.page()).filter(({ id }) => id === customers.id)).toMatchObject([
    {
      strength: 'INDIRECT',
      reason: 'Joins and groups its rows by orders.customer_id.',
    },
  ]);
  // Nothing of its value arrives there: the model's own key is that of the people.
  expect(found.columns.ids).toEqual([]);
});

test('no column of a project is said to break nothing where its table is read', async () => {
  await using catalog = await feed({ manifest });
  expect(await columnsRead(catalog)).toHaveLength(9);
  expect(await saidToBeSafe(catalog)).toEqual([]);
  await trace(catalog);
  expect(await saidToBeSafe(catalog)).toEqual([]);
});

test('nor is one of the sample project, whose warehouse is known', async () => {
  const [declared = '', known = ''] = ['manifest', 'catalog'].map((name) =>
    readFileSync(new URL(`../../prisma/demo/project/${name}.json`, import.meta.url), 'utf8'),
  );
  await using catalog = await feed({ manifest: declared, catalog: known });
  expect((await columnsRead(catalog)).length).toBeGreaterThan(100);
  await trace(catalog);
  expect(await saidToBeSafe(catalog)).toEqual([]);
}, 60_000);
