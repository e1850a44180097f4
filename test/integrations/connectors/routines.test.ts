// Functions, procedures and triggers of real servers, whose bodies are lineage.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { startMariaDb, startPostgres, type TestServer } from '../../servers.ts';
import { openLivePlace } from '../warehouses/live-place.ts';

let postgres: TestServer | null;
let mariadb: TestServer | null;
beforeAll(async () => {
  [postgres, mariadb] = await Promise.all([startPostgres(), startMariaDb()]);
  await postgres?.run('create database shop');
  await postgres?.run(
    `create schema sales;
    create table sales.orders (id bigint, amount numeric, customer text);
    create table sales.totals (customer text, total numeric);
    create table sales.log (id bigint, amount numeric);
    create table sales.copies (id bigint, amount numeric);
    create procedure sales.refresh(minimum numeric) language plpgsql as $$
      begin
        truncate sales.totals;
        insert into sales.totals select customer, sum(amount) from sales.orders where amount > minimum group by 1;
      end $$;
    create function sales.copy() returns void language sql
      begin atomic insert into sales.copies select id, amount from sales.orders; end;
    create function sales.note() returns trigger language plpgsql as $$
      begin insert into sales.log values (new.id, new.amount); return new; end $$;
    create trigger noting after insert on sales.orders for each row execute function sales.note();
    create function sales.unused() returns trigger language plpgsql as $$
      begin insert into sales.copies values (new.x, new.y); return new; end $$;
    create function sales.reading() returns bigint language sql as 'select max(id) from sales.orders';
    create role reader login password 'x'; grant usage on schema sales to reader;
    grant select on all tables in schema sales to reader`,
    'shop',
  );
  await mariadb?.run('create database shop');
  await mariadb?.run(
    `create table orders (id bigint, amount decimal(10, 2), customer varchar(20));
    create table totals (customer varchar(20), total decimal(20, 2));
    create table log (id bigint, amount decimal(10, 2));
    create table copies (id bigint, amount decimal(10, 2));
    create procedure refresh_totals(in minimum decimal(10, 2))
      begin insert into totals select customer, sum(amount) from orders where amount > minimum group by 1; end;
    create function copy_all(n int) returns int
      begin insert into shop.copies select id, amount from shop.orders limit n; return 1; end;
    create trigger noting after insert on orders for each row insert into log values (new.id, new.amount);
    create user reader identified by 'x'; grant select, trigger on shop.* to reader;
    grant select on mysql.proc to reader; create user modest identified by 'x'; grant select on shop.* to modest`,
    'shop',
  );
}, 120_000);
afterAll(async () => {
  await postgres?.[Symbol.asyncDispose]();
  await mariadb?.[Symbol.asyncDispose]();
});

const login = (port: number, user = 'reader') => ({
  ...{ host: '127.0.0.1', port, database: 'shop', user, password: 'x' },
});

/** The edges between columns that a sync brings, without what all names begin with. */
async function edgesOf(type: string, credentials: object, start: string): Promise<string[]> {
  await using place = await openLivePlace(type, credentials);
  expect(await place.sync()).toMatchObject({ state: 'succeeded' });
  const all = (await place.edges()).map((edge) => edge.replaceAll(start, ''));
  const queries = await place.resources('query');
  for (const { freq, sql } of queries.filter(({ sql }) => /refresh/.test(sql ?? ''))) {
    expect([freq, sql]).toEqual([0, expect.stringContaining('insert into')]);
  }
  return all.filter((edge) => /^\w+\.\w+ > /.test(edge));
}

const expected = [
  ...[
    'orders.amount > copies.amount',
    'orders.amount > log.amount',
    'orders.amount > totals.total',
  ],
  ...['orders.customer > totals.customer', 'orders.id > copies.id', 'orders.id > log.id'],
];

test('PostgreSQL: what a procedure, a function and a trigger write is lineage', async ({
  skip,
}) => {
  if (!postgres) return skip();
  const edges = await edgesOf('postgres', login(postgres.port), 'shop.sales.');
  expect(edges).toEqual(expect.arrayContaining(expected));
  // A function that no trigger calls has no rows of a table.
  expect(edges.filter((edge) => edge.includes('copies'))).toHaveLength(2);
}, 60_000);

test('MariaDB: the same, for a login that may see their bodies', async ({ skip }) => {
  if (!mariadb) return skip();
  const edges = await edgesOf('mariadb', login(mariadb.port), 'def.shop.');
  expect(edges).toEqual(expect.arrayContaining(expected));
  expect(await edgesOf('mariadb', login(mariadb.port, 'modest'), 'def.shop.')).toEqual([]);
}, 60_000);

test('what a routine no longer shows ends, and what another one shows stays', async ({ skip }) => {
  if (!postgres) return skip();
  const { port } = postgres;
  await postgres.run(
    `create procedure sales.again() language sql as $$ insert into sales.copies (id) select id from sales.orders $$`,
    'shop',
  );
  await using place = await openLivePlace('postgres', login(port));
  const edges = async () => {
    expect(await place.sync()).toMatchObject({ state: 'succeeded' });
    return (await place.edges()).map((edge) => edge.replaceAll('shop.sales.', ''));
  };
  expect(await edges()).toEqual(expect.arrayContaining(expected));
  await postgres.run(
    `drop function sales.copy(); drop trigger noting on sales.orders;
    create or replace procedure sales.refresh(minimum numeric) language plpgsql as $$
      begin insert into sales.totals (customer) select customer from sales.orders; end $$`,
    'shop',
  );
  expect((await edges()).filter((edge) => /^\w+\.\w+ > /.test(edge))).toEqual([
    'orders.customer > totals.customer',
    'orders.id > copies.id',
  ]);
  const stale = (await place.resources('query')).filter((query) => query.stale);
  expect(stale.map(({ sql }) => /(copy|noting|refresh)/.exec(sql ?? '')?.[1]).sort()).toEqual([
    ...['copy', 'noting', 'refresh'],
  ]);
}, 60_000);
