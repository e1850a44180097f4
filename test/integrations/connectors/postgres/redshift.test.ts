// What is particular to Redshift: its history of queries, in views of its names on a server that speaks its protocol.

import { expect, test } from 'vitest';
import { openPostgresConnector } from '../../../../src/integrations/connectors/postgres/postgres.ts';
import { startPostgres } from '../../../servers.ts';
import { loopback } from '../read-source.ts';

test('queries of others are its history, long ones put together again', async ({ skip }) => {
  await using server = await startPostgres();
  if (!server) return skip();
  await server.run('create database shop');
  await server.run("create role reader login password 'x'");
  const written = `insert into daily select ${Array.from({ length: 1_000 }, (_, i) => `id + ${i}`).join(', ')} from orders`;
  const parts = written.match(/.{1,4000}/gs) ?? [];
  expect(parts.length).toBeGreaterThan(1);
  const at = (minute: number) => `'2026-03-01 10:0${minute}:00'`;
  const row = (
    id: number,
    text: string,
    more: { user?: string; type?: string; status?: string } = {},
  ) => {
    const { user = 'owner', type = 'INSERT', status = 'success' } = more;
    return `((select usesysid from pg_user where usename = '${user}'), ${id}, ${at(id)}, '${status}', '${type}', 'shop',
      '${text.replaceAll("'", "''")}')`;
  };
  await server.run(
    `create table public.sys_query_history (user_id bigint, query_id bigint, start_time timestamp, status char(10),
        query_type char(32), database_name char(128), query_text text);
      create table public.sys_query_text (query_id bigint, sequence integer, "text" text);
      grant select on public.sys_query_history, public.sys_query_text to reader;
      insert into public.sys_query_history values ${[
        row(1, 'insert into daily\\nselect id from orders'),
        row(2, 'insert into daily\\nselect id from orders'),
        row(3, 'select 1 from own', { user: 'reader', type: 'SELECT' }),
        row(4, 'insert into broken select 1 from orders', { status: 'failed' }),
        row(5, 'drop table orders', { type: 'DDL' }),
        row(6, parts[0] ?? ''),
      ].join(', ')};
      insert into public.sys_query_text values ${parts
        .map((part, i) => `(6, ${i}, '${part.trimEnd()}')`)
        .reverse()
        .join(', ')}`,
    'shop',
  );
  const login = { host: '127.0.0.1', port: server.port, database: 'shop' };
  const reader = { ...login, user: 'reader', password: 'x' };
  const connector = openPostgresConnector('redshift', { id: 'rs', reach: loopback }, reader);
  const found = [];
  for await (const query of connector.queryHistory?.(new Date('2026-03-01T00:00:00Z')) ?? []) {
    found.push([query.sql, query.count, query.user]);
  }
  expect(found).toEqual([
    ['insert into daily\nselect id from orders', 2, 'owner'],
    [written, 1, 'owner'],
  ]);
  const { checks } = await connector.test();
  expect(checks).toContainEqual(expect.objectContaining({ name: 'query history', state: 'ok' }));
  await connector.close();
});

test('the databases of a cluster that patterns choose are one source, each with its own queries', async ({
  skip,
}) => {
  await using server = await startPostgres();
  if (!server) return skip();
  await server.run("create role reader login password 'x'");
  for (const name of ['dev', 'shop', 'shop_old', 'padb_harvest']) {
    await server.run(`create database ${name}`);
    await server.run(
      `create table public.sys_query_history (user_id bigint, query_id bigint, start_time timestamp, status char(10),
          query_type char(32), database_name char(128), query_text text);
        grant select on public.sys_query_history to reader;
        insert into public.sys_query_history values
          (null, 1, now(), 'success', 'INSERT', 'dev', 'insert into a select 1 from b'),
          (null, 2, now(), 'success', 'INSERT', 'shop', 'insert into c select 1 from d')`,
      name,
    );
  }
  const login = { host: '127.0.0.1', port: server.port, user: 'reader', password: 'x' };
  const historyOf = async (database: string) => {
    const source = { id: `rs ${database}`, reach: loopback };
    const exclude = 'postgres, *_old';
    const connector = openPostgresConnector('redshift', source, { ...login, database, exclude });
    const found = [];
    for await (const query of connector.queryHistory?.(null) ?? []) {
      found.push([query.database, query.sql]);
    }
    const { rows } = await connector.query('select current_database()', {
      ...{ timeoutMs: 30_000, database: 'shop' },
    });
    await connector.close();
    return { found, rows };
  };
  const both = {
    found: [
      ['dev', 'insert into a select 1 from b'],
      ['shop', 'insert into c select 1 from d'],
    ],
    rows: [['shop']],
  };
  expect(await historyOf('*')).toEqual(both);
  expect(await historyOf('dev, shop')).toEqual(both);
});
