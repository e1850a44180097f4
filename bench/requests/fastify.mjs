// The limit: a few routes written by hand, one named statement each: `node fastify.mjs URL PORT`.

import fastify from 'fastify';
import pg from 'pg';

const [connectionString, port] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString, max: 10 });
const app = fastify();
const ask = async (name, text, values) => (await pool.query({ name, text, values })).rows;

const workspace = (await pool.query('select id from workspace limit 1')).rows[0].id;
const { rows: described } = await pool.query(
  `select column_name as name from information_schema.columns
    where table_name = 'resource' and table_schema = 'public' order by ordinal_position`,
);
const record = described.map(({ name }) => `r.${name}`).join(', ');
const scalars = `r.id, r.title, r.title_full, r.kind, r.description, r.created_at, r.updated_at,
  r.published, r.verified, r.external_usage, r.native_type`;
const people = `(select json_agg(json_build_object('id', u.id, 'email', u.email)) from user_account u
    where u.workspace_id = r.workspace_id and u.id = any(r.owner_ids)) as owners,
  (select json_agg(json_build_object('id', t.id, 'name', t.name)) from tag t
    where t.workspace_id = r.workspace_id and t.id = any(r.tag_ids)) as tags`;
const tables = `from resource r where r.workspace_id = $1 and r.kind = 'table' and not r.archived`;

app.get('/trivial', async () => ({ data: { __typename: 'Query' } }));

app.get('/lineage/:id', async ({ params }) => {
  const [row] = await ask(
    'lineage',
    'select to_json(g.nodes) as nodes, to_json(g.edges) as edges from bench_lineage($1, 3) g',
    [params.id],
  );
  return row;
});

app.get('/list', async ({ query }) => ({
  nodes: await ask(
    'list',
    `select ${scalars}, ${people} ${tables} and (r.created_at, r.id) < ($2, $3)
      order by r.created_at desc, r.id desc limit 100`,
    [workspace, query.before, query.id],
  ),
}));

app.get('/records', async ({ query }) => {
  const results = await ask(
    'records',
    `select ${record} ${tables} order by r.created_at desc, r.id desc limit 100 offset $2`,
    [workspace, (Number(query.page) - 1) * 100],
  );
  if (query.count === undefined) return { results };
  const [{ n }] = await ask('count', `select count(*)::int as n ${tables}`, [workspace]);
  return { results, count: n, total_pages: Math.ceil(n / 100) };
});

app.get('/record/:id', async ({ params }) => {
  const [row] = await ask(
    'record',
    `select ${record} from resource r where r.workspace_id = $1 and r.id = $2 and not r.archived`,
    [workspace, params.id],
  );
  return row;
});

await app.listen({ port: Number(port), host: '127.0.0.1' });
