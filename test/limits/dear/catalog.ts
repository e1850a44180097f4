// A catalog large enough for dear requests: a warehouse with much on everything.

import pg from 'pg';
import { seeingEvery } from '../../../src/database/connections/session-settings.ts';
import type { Named } from './requests.ts';

const script = `
create temp table made as select workspace_id as ws, id as who from user_account limit 1;
create temp table s as select gen_random_uuid() as id, n from generate_series(1, 20) n;
create temp table t as select gen_random_uuid() as id, n from generate_series(1, 2000) n;
create temp table c as select gen_random_uuid() as id, n from generate_series(1, 18000) n;
insert into tag (workspace_id, name) select ws, 'tag ' || n from made, generate_series(1, 50) n;
insert into resource (workspace_id, id, kind, title, title_full, published)
  select ws, s.id, 'schema', 'schema_' || n, 'shop.schema_' || n, true from made, s;
update resource set description = repeat('What is in it. ', 6000) where kind = 'schema';
insert into resource (workspace_id, id, kind, title, title_full, published, parent_id, description,
    owner_ids, tag_ids, external_usage)
  select ws, t.id, 'table', (array['customer','order','invoice','refund'])[1 + t.n % 4] || '_' || t.n,
    'shop.schema_' || s.n || '.table_' || t.n, true, s.id, repeat('Every row of it is one more. ', 10),
    array[who], (select array_agg(id) from (select id from tag order by name limit 10) x), t.n
  from made, t join s on s.n = 1 + t.n % 20;
analyze;
insert into resource (workspace_id, id, kind, title, title_full, published, parent_id, sort_order)
  select ws, c.id, 'column', 'column_' || c.n, 'shop.table_' || t.n || '.column_' || c.n, true, t.id, c.n
  from made, c join t on t.n = 1 + c.n % 2000;
analyze;
insert into lineage_edge (workspace_id, source_id, target_id, origin, level)
  select ws, a.id, b.id, 'IMPORT', 'TABLE' from made, generate_series(1, 10) further, t a, t b where b.n = a.n + further;
insert into lineage_edge (workspace_id, source_id, target_id, origin, level, expression)
  select ws, a.id, b.id, 'IMPORT', 'COLUMN', 'coalesce(a, b)'
  from made, (values (1), (7)) o (further), c a, c b where b.n = a.n + further;
create temp table g as select gen_random_uuid() as id, n from generate_series(1, 20) n;
insert into user_group (workspace_id, id, name, member_ids)
  select ws, g.id, 'Group ' || n, array[who] from made, g;
update resource set owner_group_ids = (select array_agg(id) from (select id from g limit 5) x)
  where kind = 'table';
vacuum analyze;
`;

/** Fill the first workspace of a database. */
export async function fillForDearRequests(url: string): Promise<Named> {
  const client = new pg.Client({ connectionString: seeingEvery(url) });
  client.on('error', () => {});
  await client.connect();
  try {
    // One by one: `vacuum` may not be in a transaction.
    for (const statement of script.split(/;\n/)) {
      if (statement.trim()) await client.query(statement);
    }
    const table = await client.query<{ id: string }>('select id from t where n = 1000');
    const schema = await client.query<{ id: string }>('select id from s where n = 1');
    return { table: table.rows[0]?.id ?? '', schema: schema.rows[0]?.id ?? '' };
  } finally {
    await client.end();
  }
}
