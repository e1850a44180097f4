// In charge of a catalog that is large enough for dear requests: a warehouse with much on everything.

import pg from 'pg';
import { seeingEvery } from '../../src/database/connections/session-settings.ts';

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
create temp table g as select gen_random_uuid() as id, n from generate_series(1, 20) n;
insert into user_group (workspace_id, id, name, member_ids)
  select ws, g.id, 'Group ' || n, array[who] from made, g;
update resource set owner_group_ids = (select array_agg(id) from (select id from g limit 5) x)
  where kind = 'table';
create temp table p as select gen_random_uuid() as id, n from generate_series(1, 10) n;
insert into custom_property (workspace_id, id, name, entity_types)
  select ws, p.id, 'Property ' || n, array['all'] from made, p;
insert into custom_property_value (workspace_id, resource_id, property_id, value)
  select ws, t.id, p.id, 'value ' || t.n from made, t, p;
create temp table q as select gen_random_uuid() as id, n from generate_series(1, 500) n;
insert into resource (workspace_id, id, kind, title, title_full, published, definition, question_status)
  select ws, q.id, 'question', 'Why ' || n, 'Why ' || n, true, repeat('Who knows? ', 20), 'Unanswered'
  from made, q;
insert into resource (workspace_id, kind, title, title_full, published, definition, parent_id)
  select ws, 'question_reply', 'Reply ' || i, 'Why ' || n || '.Reply ' || i, true,
    repeat('Nobody does. ', 20), q.id
  from made, q, generate_series(1, 20) i;
vacuum analyze;
`;

/** Ids of what a database was filled with, in an order that depends on none of them: the seed decides what is tried. */
export interface Filled {
  readonly tables: readonly string[];
  readonly columns: readonly string[];
  /** The first one has a hundred tables, and a hundred thousand characters are said of it. */
  readonly schemas: readonly string[];
  readonly monitors: readonly string[];
  /** A hundred tables. */
  readonly many: readonly string[];
  /** One of each, by the field that answers it. */
  readonly one: Readonly<Record<One, string>>;
}

type One = keyof typeof ones;

const ones = {
  user: 'select who as id from made',
  tag: 'select id from tag order by name',
  team: 'select id from team order by created_at',
  group: 'select id from g order by n',
  customProperty: 'select id from p order by n',
  question: 'select id from q order by n',
  incident: 'select i.id from incident i join m on m.id = i.monitor_id order by m.n',
  lineageEntry: 'select e.id from lineage_edge e join t on t.id = e.source_id order by t.n',
} as const;

/** Fill the first workspace of a database. */
export async function fillForDearest(url: string): Promise<Filled> {
  const client = new pg.Client({ connectionString: seeingEvery(url) });
  client.on('error', () => {});
  await client.connect();
  try {
    // One by one: what cleans the indexes, as time does, may not be in a transaction.
    for (const statement of script.split(/;\n/)) {
      if (statement.trim()) await client.query(statement);
    }
    const ids = async (statement: string): Promise<string[]> => {
      const { rows } = await client.query<{ id: string }>(statement);
      return rows.map(({ id }) => id);
    };
    const first = async (name: One) => (await ids(`${ones[name]} limit 1`))[0] ?? '';
    return {
      tables: await ids('select id from t where n in (1, 500, 1000, 1500, 2000) order by n'),
      columns: await ids('select id from c where n in (1, 9000, 18000) order by n'),
      schemas: await ids('select id from s where n in (1, 20) order by n'),
      monitors: await ids('select id from m where n in (1, 2) order by n'),
      many: await ids('select id from t where n % 20 = 0 order by n'),
      one: {
        user: await first('user'),
        tag: await first('tag'),
        team: await first('team'),
        group: await first('group'),
        customProperty: await first('customProperty'),
        question: await first('question'),
        incident: await first('incident'),
        lineageEntry: await first('lineageEntry'),
      },
    };
  } finally {
    await client.end();
  }
}
