// In charge of a catalog that is large enough for dear requests: a warehouse with much on everything.

import pg from 'pg';
import { seeingEvery } from '../../src/database/connections/session-settings.ts';
import type { Values } from './query.ts';
import { sizes } from './query.ts';

const script = `
create temp table made as select workspace_id as ws, id as who from user_account limit 1;
create temp table s as select gen_random_uuid() as id, n from generate_series(1, 20) n;
create temp table t as select gen_random_uuid() as id, n from generate_series(1, 2000) n;
create temp table c as select gen_random_uuid() as id, n from generate_series(1, 18000) n;
insert into tag (workspace_id, name) select ws, 'tag ' || n from made, generate_series(1, 50) n;
insert into resource (workspace_id, id, kind, title, title_full, published)
  select ws, s.id, 'schema', 'schema_' || n, 'shop.schema_' || n, true from made, s;
insert into resource (workspace_id, id, kind, title, title_full, published, parent_id, description,
    owner_ids, tag_ids, external_usage)
  select ws, t.id, 'table', (array['customer','order','invoice','refund'])[1 + t.n % 4] || '_' || t.n,
    'shop.schema_' || s.n || '.table_' || t.n, true, s.id, repeat('Every row of it is one more. ', 10),
    array[who], (select array_agg(id) from (select id from tag order by name limit 10) x), t.n
  from made, t join s on s.n = 1 + t.n % 20;
insert into resource (workspace_id, id, kind, title, title_full, published, parent_id, sort_order)
  select ws, c.id, 'column', 'column_' || c.n, 'shop.table_' || t.n || '.column_' || c.n, true, t.id, c.n
  from made, c join t on t.n = 1 + c.n % 2000;
insert into lineage_edge (workspace_id, source_id, target_id, origin, level)
  select ws, a.id, b.id, 'IMPORT', 'TABLE' from made, t a join t b on b.n between a.n + 1 and a.n + 10;
insert into lineage_edge (workspace_id, source_id, target_id, origin, level, expression)
  select ws, a.id, b.id, 'IMPORT', 'COLUMN', 'coalesce(a, b)'
  from made, c a join c b on b.n in (a.n + 1, a.n + 7);
insert into resource_version (workspace_id, resource_id, version, definition)
  select ws, t.id, v, repeat('Words about it. ', 20) from made, t, generate_series(1, 5) v;
insert into usage_day (workspace_id, resource_id, day, internal)
  select ws, t.id, date '2026-01-01' + d, d from made, t, generate_series(1, 60) d where t.n <= 1000;
create temp table m as select gen_random_uuid() as id, id as target, n from t where n <= 300;
insert into monitor (workspace_id, id, target_id, metric_type, name)
  select ws, m.id, m.target, 'row_count', 'Rows of ' || n from made, m;
insert into incident (workspace_id, monitor_id, target_id, name, summary, value, status)
  select ws, m.id, m.target, 'Too few', 'Too few rows', i, 'resolved' from made, m, generate_series(1, 5) i;
insert into measurement (workspace_id, monitor_id, value, created_at)
  select ws, m.id, 1000 + (i * 37) % 101, now() - i * interval '1 hour'
  from made, m, generate_series(1, case when m.n = 1 then 30000 else 200 end) i;
analyze;
`;

/** Ids by what they are of. */
export interface Filled {
  readonly tables: readonly string[];
  readonly values: Values;
}

/** Fill the first workspace of a database; what queries may name of it. */
export async function fillForDearest(url: string): Promise<Filled> {
  const client = new pg.Client({ connectionString: seeingEvery(url) });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query(script);
    const ids = async (statement: string): Promise<string[]> => {
      const { rows } = await client.query<{ id: string }>(statement);
      return rows.map(({ id }) => JSON.stringify(id));
    };
    // The seed decides what is tried, so the order must not depend on ids that are made anew.
    const tables = await ids('select id from t where n in (1, 500, 1000, 1500, 2000) order by n');
    const columns = await ids('select id from c where n in (1, 9000, 18000) order by n');
    const schemas = await ids('select id from s where n in (1, 20) order by n');
    const monitors = await ids('select id from m where n in (1, 2) order by n');
    const many = await ids('select id from t where n % 20 = 0 order by n');
    const [user = ''] = await ids('select who as id from made');
    const anything = [...tables, ...columns, ...schemas];
    const values: [string, readonly string[]][] = [
      ...['first', 'last', 'pageSize'].map((name): [string, string[]] => [name, sizes]),
      ...['resource.id', 'parentId', 'targetId', 'resourceId'].map((name): [string, string[]] => [
        name,
        anything,
      ]),
      ...['from', 'to', 'fromIds', 'toIds', 'resourceIds', 'columnIds', 'tableIds'].map(
        (name): [string, string[]] => [name, [`[${tables[2]}]`, `[${many.join(', ')}]`]],
      ),
      ...['lineagePath.from', 'lineagePath.to'].map((name): [string, string[]] => [name, tables]),
      ...['monitor.id', 'monitorBacktest.id', 'monitorId'].map((name): [string, string[]] => [
        name,
        monitors,
      ]),
      ['user.id', [user]],
      ['page', ['1', '20', '100000']],
      ['depth', ['100', '10', '3']],
      ['maxNodes', ['10000', '2000', '100']],
      ['days', ['366', '30']],
      ['sensitivity', ['5', '10']],
      ['query', ['"customer"', '"custmoer ordr"', '"table_1"', '"a"']],
      ['search', ['"a"', '"tag"']],
      ['title', ['"a"', '"customer"', '"zzz"']],
      ['filter', filters],
      ['sort', ['[{ field: "title", order: asc }]', '[{ field: "total_usage", order: desc }]']],
      ['sql', [`"select ${'a.b, '.repeat(100)} a.c from a join b on a.i = b.i"`]],
      ['dialect', ['"postgres"']],
    ];
    return { tables: tables.map((id) => JSON.parse(id)), values: new Map(values) };
  } finally {
    await client.end();
  }
}

const contains = (value: string) =>
  `{ operator: contains, field: "definition", value: "${value}" }`;

const filters = [
  `{ operator: or, operands: [${['x', 'y', 'z', 'q'].map(contains).join(', ')}] }`,
  '{ operator: contains, field: "title_full", value: "a" }',
  '{ operator: exact, field: "type", value: "column" }',
];
