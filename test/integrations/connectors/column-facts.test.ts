// What real servers say of columns and keys, as GraphQL shows it: nullability, defaults, expressions, foreign keys.

import { expect, test } from 'vitest';
import { startMariaDb, startPostgres } from '../../servers.ts';
import { openLivePlace } from '../warehouses/live-place.ts';

const asked = `{ resources(kinds: [table], where: { title: { eq: "items" } }) { nodes { ... on Table {
  keys { name kind columns refersTo { table columns } }
  columns { title isNullable defaultValue generatedAs }
} } } }`;

/** The table `items` after a sync: its keys, and of each column what is said. */
async function itemsOf(type: string, port: number) {
  const login = { host: '127.0.0.1', port, database: 'shop', user: 'reader', password: 'x' };
  await using place = await openLivePlace(type, login);
  expect(await place.sync()).toMatchObject({ state: 'succeeded' });
  const { data, errors } = await place.catalog.graphql(asked, {}, { as: 'viewer' });
  expect(errors).toBeUndefined();
  const [{ keys, columns }] = data.resources.nodes;
  const said = columns.map((one: Record<string, unknown>) => Object.values(one));
  const before = (await place.resources('column')).map(({ id, version }) => [id, version]);
  expect(await place.sync()).toMatchObject({ state: 'succeeded' });
  expect((await place.resources('column')).map(({ id, version }) => [id, version])).toEqual(before);
  return { keys, said };
}

test('PostgreSQL', async ({ skip }) => {
  await using server = await startPostgres();
  if (!server) return skip();
  await server.run('create database shop');
  await server.run(
    `create schema sales; create table sales.orders (id bigint, part integer, primary key (id, part));
    create table sales.items (id bigint generated always as identity primary key, order_id bigint not null,
      part integer, price numeric default 9.5, made timestamptz default now(),
      twice numeric generated always as (price * 2) stored,
      foreign key (part, order_id) references sales.orders (part, id), unique (order_id, part));
    create role reader login password 'x'; grant usage on schema sales to reader;
    grant select on all tables in schema sales to reader`,
    'shop',
  );
  const { keys, said } = await itemsOf('postgres', server.port);
  expect(keys).toEqual([
    {
      name: 'items_order_id_part_key',
      kind: 'unique',
      columns: ['order_id', 'part'],
      refersTo: null,
    },
    {
      ...{ name: 'items_part_order_id_fkey', kind: 'foreign', columns: ['part', 'order_id'] },
      refersTo: { table: 'sales.orders', columns: ['part', 'id'] },
    },
    { name: 'items_pkey', kind: 'primary', columns: ['id'], refersTo: null },
  ]);
  expect(said).toEqual([
    ['id', false, 'identity', null],
    ['order_id', false, null, null],
    ['part', true, null, null],
    ['price', true, '9.5', null],
    ['made', true, 'now()', null],
    ['twice', true, null, '(price * (2)::numeric)'],
  ]);
}, 60_000);

test('MariaDB', async ({ skip }) => {
  await using server = await startMariaDb();
  if (!server) return skip();
  await server.run('create database shop');
  await server.run(
    `create table orders (id bigint primary key);
    create table items (id bigint auto_increment primary key, order_id bigint not null, price decimal(10, 2) default 9.5,
      note varchar(20), state varchar(5) not null default 'new', made timestamp not null default now(),
      twice decimal(11, 2) as (price * 2), constraint of_order foreign key (order_id) references orders (id));
    create user reader identified by 'x'; grant select on shop.* to reader`,
    'shop',
  );
  const { keys, said } = await itemsOf('mariadb', server.port);
  expect(keys).toEqual([
    {
      ...{ name: 'of_order', kind: 'foreign', columns: ['order_id'] },
      refersTo: { table: 'shop.orders', columns: ['id'] },
    },
    { name: 'PRIMARY', kind: 'primary', columns: ['id'], refersTo: null },
  ]);
  expect(said).toEqual([
    ['id', false, 'auto_increment', null],
    ['order_id', false, null, null],
    ['price', true, '9.50', null],
    ['note', true, null, null],
    ['state', false, "'new'", null],
    ['made', false, 'current_timestamp()', null],
    ['twice', true, null, expect.stringContaining('`price` * 2')],
  ]);
}, 60_000);
