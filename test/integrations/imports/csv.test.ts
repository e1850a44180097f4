// Tables and columns from a CSV file: what each of its columns becomes.

import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { importCsv } from '../../../src/integrations/imports/sync.ts';
import { openCatalog } from '../../catalog.ts';
import { countedSource, counts, edgesOf, feedCsv, resourceAt, resourcesOf } from './feed.ts';

const header = 'col_name,database,schema,name';

test('each row brings its column, and each table, schema and database comes once', async () => {
  await using catalog = await openCatalog();
  const integration = await catalog.integration();

  const made = await feedCsv(
    catalog,
    integration,
    `${header}
id,shop,public,orders
amount,shop,public,orders
id,shop,public,customers
id,shop,staging,orders
id,lake,public,orders`,
  );

  expect(made).toEqual(counts({ created: 2 + 3 + 4 + 5 }));
  const titles = [...(await resourcesOf(catalog)).entries()].map(
    ([title, { kind }]) => `${kind} ${title}`,
  );
  expect(titles.sort()).toEqual([
    'column lake.public.orders.id',
    'column shop.public.customers.id',
    'column shop.public.orders.amount',
    'column shop.public.orders.id',
    'column shop.staging.orders.id',
    'database lake',
    'database shop',
    'schema lake.public',
    'schema shop.public',
    'schema shop.staging',
    'table lake.public.orders',
    'table shop.public.customers',
    'table shop.public.orders',
    'table shop.staging.orders',
  ]);
  const [database, schema, table, column] = await Promise.all(
    ['shop', 'shop.public', 'shop.public.orders', 'shop.public.orders.id'].map((title) =>
      resourceAt(catalog, title),
    ),
  );
  expect([column?.parentId, table?.parentId, schema?.parentId, database?.parentId]).toEqual([
    table?.id,
    schema?.id,
    database?.id,
    null,
  ]);
  expect(column).toMatchObject({
    databaseName: 'shop',
    schemaName: 'public',
    tableName: 'orders',
    integrationId: integration.id,
    stale: false,
    createdById: null,
  });
  expect(await edgesOf(catalog)).toEqual([]);
});

test('the documented columns are taken in any order, and their names in any case', async () => {
  await using catalog = await openCatalog();
  await feedCsv(
    catalog,
    await catalog.integration(),
    `CLUSTER,NAME,Schema,database,last_updated_time,is_view,description,col_sort_order,col_type,col_description,COL_NAME
eu-1,Orders,Public,Shop,1700000000,True,"What was bought, and when",3,"numeric(10,2)","In cents,
before tax",Amount
eu-1,Orders,Public,Shop,1700000000,True,"What was bought, and when",,text,"Called ""ref"" by some",Reference`,
  );

  const table = await resourceAt(catalog, 'Shop.Public.Orders');
  expect(table).toMatchObject({
    kind: 'table',
    nativeType: 'view',
    description: 'What was bought, and when',
    cluster: 'eu-1',
    externalUpdatedAt: new Date('2023-11-14T22:13:20Z'),
  });
  expect(await resourceAt(catalog, 'Shop.Public.Orders.amount')).toMatchObject({
    title: 'amount',
    description: 'In cents,\nbefore tax',
    type: 'numeric(10,2)',
    sortOrder: 3,
    cluster: 'eu-1',
    nativeType: null,
  });
  expect(await resourceAt(catalog, 'Shop.Public.Orders.reference')).toMatchObject({
    description: 'Called "ref" by some',
  });
});

test('names of columns are lower-cased, and those of tables stay as they are', async () => {
  await using catalog = await openCatalog();
  const made = await feedCsv(
    catalog,
    await catalog.integration(),
    `${header}\nOrder_ID,Shop,Public,Orders\nORDER_id,Shop,Public,Orders`,
  );

  // The two spellings are one column.
  expect(made).toEqual(counts({ created: 4 }));
  const titles = [...(await resourcesOf(catalog)).keys()];
  expect(titles).toContain('Shop.Public.Orders.order_id');
  expect(titles).toHaveLength(4);
});

test('an update time of None, or none at all, says nothing, and a later file leaves it', async () => {
  await using catalog = await openCatalog();
  const integration = await catalog.integration();
  const file = (time: string) => `${header},last_updated_time\nid,shop,public,orders,${time}`;
  await feedCsv(catalog, integration, file('None'));
  const updated = async () =>
    (await resourceAt(catalog, 'shop.public.orders')).externalUpdatedAt?.toISOString() ?? null;
  expect(await updated()).toBeNull();

  await feedCsv(catalog, integration, file('1700000000.5'));
  expect(await updated()).toBe('2023-11-14T22:13:20.500Z');
  await feedCsv(catalog, integration, file(''));
  expect(await updated()).toBe('2023-11-14T22:13:20.500Z');
  // The first moment there is, which is not the same as none.
  await feedCsv(catalog, integration, file('0'));
  expect(await updated()).toBe('1970-01-01T00:00:00.000Z');
});

test('is_view distinguishes views from tables, and a file without it does not', async () => {
  await using catalog = await openCatalog();
  const integration = await catalog.integration();
  const spellings = ['true', 'TRUE', '1', 'yes', 't', 'false', 'False', '0', 'no', ''];
  const rows = spellings.map((spelling, i) => `id,shop,public,t${i},${spelling}`);
  await feedCsv(catalog, integration, [`${header},is_view`, ...rows].join('\n'));
  const natives = async (count: number) =>
    Promise.all(
      Array.from({ length: count }, async (_, i) => {
        return (await resourceAt(catalog, `shop.public.t${i}`)).nativeType;
      }),
    );
  const found = await natives(spellings.length);
  expect(found).toEqual([...Array(5).fill('view'), ...Array(5).fill('table')]);

  const other = await catalog.another();
  await feedCsv(other, await other.integration(), `${header}\nid,shop,public,orders`);
  expect((await resourceAt(other, 'shop.public.orders')).nativeType).toBeNull();
});

test('columns are in the order that the file gives, under either name, or else as they stand', async () => {
  await using catalog = await openCatalog();
  const orders = async (on: typeof catalog) =>
    [...(await resourcesOf(on)).values()]
      .filter(({ kind }) => kind === 'column')
      .map(({ tableName, title, sortOrder }) => `${tableName}.${title} ${sortOrder}`)
      .sort();
  await feedCsv(
    catalog,
    await catalog.integration(),
    `${header},sort_order,col_sort_order
a,shop,public,one,7,
b,shop,public,one,7,2
c,shop,public,one,,0`,
  );
  expect(await orders(catalog)).toEqual(['one.a 7', 'one.b 2', 'one.c 0']);

  const other = await catalog.another();
  await feedCsv(
    other,
    await other.integration(),
    `${header}\nx,s,p,one\ny,s,p,one\nz,s,p,two\nw,s,p,two`,
  );
  expect(await orders(other)).toEqual(['one.x 1', 'one.y 2', 'two.w 2', 'two.z 1']);
});

test('the first row that describes a table decides, though rows before it said nothing', async () => {
  await using catalog = await openCatalog();
  const made = await feedCsv(
    catalog,
    await catalog.integration(),
    `${header},description
a,shop,public,orders,
b,shop,public,orders,What was bought
c,shop,public,orders,Something else`,
  );
  expect(made).toEqual(counts({ created: 6 }));
  expect((await resourceAt(catalog, 'shop.public.orders')).description).toBe('What was bought');
});

test('tables of one name in two clusters are two tables', async () => {
  await using catalog = await openCatalog();
  const made = await feedCsv(
    catalog,
    await catalog.integration(),
    `${header},cluster\nid,shop,public,orders,eu\nid,shop,public,orders,us`,
  );
  expect(made).toEqual(counts({ created: 8 }));
  const { workspaceId, database } = catalog;
  const tables = await database.prisma.resource.findMany({
    where: { workspaceId, kind: 'table' },
    include: { parent: true },
  });
  expect(tables.map(({ cluster, parent }) => [cluster, parent?.cluster]).sort()).toEqual([
    ['eu', 'eu'],
    ['us', 'us'],
  ]);
});

test('line ends, a byte order mark, empty lines and gzip are as good as none of them', async () => {
  await using catalog = await openCatalog();
  const plain = `${header},col_type\nid,shop,public,orders,integer\nname,shop,public,orders,täxt`;
  const windows = `\uFEFF${plain.replaceAll('\n', '\r\n')}\r\n\r\n`;
  const bytes = Buffer.from(windows);
  // Cut anywhere, also within the byte order mark, a line end or a letter of two bytes.
  const singly = [...bytes].map((byte) => Uint8Array.of(byte));
  const packed = [...gzipSync(bytes)].map((byte) => Uint8Array.of(byte));
  const integration = await catalog.integration();
  await feedCsv(catalog, integration, plain);
  for (const chunks of [[bytes], singly, packed]) {
    const { source, taken } = countedSource('tables.csv', chunks);
    const again = await importCsv(catalog.admin, integration.id, source);
    expect(again).toEqual(counts({ unchanged: 5 }));
    expect(taken.closed).toBe(true);
  }
});

test('a file of a header only names nothing: it is refused, and where it is meant all becomes stale', async () => {
  await using catalog = await openCatalog();
  const integration = await catalog.integration();
  await feedCsv(catalog, integration, `${header}\nid,shop,public,orders`);
  await expect(feedCsv(catalog, integration, header)).rejects.toThrow('names nothing');
  expect(await feedCsv(catalog, integration, header, { force: true })).toEqual(
    counts({ staled: 4 }),
  );
});
