// Tables and columns from a CSV file: what each of its columns becomes.
var __addDisposableResource = (this && this.__addDisposableResource) || function (env, value, async) {
    if (value !== null && value !== void 0) {
        if (typeof value !== "object" && typeof value !== "function") throw new TypeError("Object expected.");
        var dispose, inner;
        if (async) {
            if (!Symbol.asyncDispose) throw new TypeError("Symbol.asyncDispose is not defined.");
            dispose = value[Symbol.asyncDispose];
        }
        if (dispose === void 0) {
            if (!Symbol.dispose) throw new TypeError("Symbol.dispose is not defined.");
            dispose = value[Symbol.dispose];
            if (async) inner = dispose;
        }
        if (typeof dispose !== "function") throw new TypeError("Object not disposable.");
        if (inner) dispose = function() { try { inner.call(this); } catch (e) { return Promise.reject(e); } };
        env.stack.push({ value: value, dispose: dispose, async: async });
    }
    else if (async) {
        env.stack.push({ async: true });
    }
    return value;
};
var __disposeResources = (this && this.__disposeResources) || (function (SuppressedError) {
    return function (env) {
        function fail(e) {
            env.error = env.hasError ? new SuppressedError(e, env.error, "An error was suppressed during disposal.") : e;
            env.hasError = true;
        }
        var r, s = 0;
        function next() {
            while (r = env.stack.pop()) {
                try {
                    if (!r.async && s === 1) return s = 0, env.stack.push(r), Promise.resolve().then(next);
                    if (r.dispose) {
                        var result = r.dispose.call(r.value);
                        if (r.async) return s |= 2, Promise.resolve(result).then(next, function(e) { fail(e); return next(); });
                    }
                    else s |= 1;
                }
                catch (e) {
                    fail(e);
                }
            }
            if (s === 1) return env.hasError ? Promise.reject(env.error) : Promise.resolve();
            if (env.hasError) throw env.error;
        }
        return next();
    };
})(typeof SuppressedError === "function" ? SuppressedError : function (error, suppressed, message) {
    var e = new Error(message);
    return e.name = "SuppressedError", e.error = error, e.suppressed = suppressed, e;
});
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { importCsv } from '../../../src/integrations/sync.js';
import { openCatalog } from '../../catalog.js';
import { countedSource, counts, edgesOf, feedCsv, resourceAt, resourcesOf } from './feed.js';
const header = 'col_name,database,schema,name';
test('each row brings its column, and each table, schema and database comes once', async () => {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const catalog = __addDisposableResource(env_1, await openCatalog(), true);
        const integration = await catalog.integration();
        const made = await feedCsv(catalog, integration, `${header}
id,shop,public,orders
amount,shop,public,orders
id,shop,public,customers
id,shop,staging,orders
id,lake,public,orders`);
        expect(made).toEqual(counts({ created: 2 + 3 + 4 + 5 }));
        const titles = [...(await resourcesOf(catalog)).entries()].map(([title, { kind }]) => `${kind} ${title}`);
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
        const [database, schema, table, column] = await Promise.all(['shop', 'shop.public', 'shop.public.orders', 'shop.public.orders.id'].map((title) => resourceAt(catalog, title)));
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
    }
    catch (e_1) {
        env_1.error = e_1;
        env_1.hasError = true;
    }
    finally {
        const result_1 = __disposeResources(env_1);
        if (result_1)
            await result_1;
    }
});
test('the documented columns are taken in any order, and their names in any case', async () => {
    const env_2 = { stack: [], error: void 0, hasError: false };
    try {
        const catalog = __addDisposableResource(env_2, await openCatalog(), true);
        await feedCsv(catalog, await catalog.integration(), `CLUSTER,NAME,Schema,database,last_updated_time,is_view,description,col_sort_order,col_type,col_description,COL_NAME
eu-1,Orders,Public,Shop,1700000000,True,"What was bought, and when",3,"numeric(10,2)","In cents,
before tax",Amount
eu-1,Orders,Public,Shop,1700000000,True,"What was bought, and when",,text,"Called ""ref"" by some",Reference`);
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
    }
    catch (e_2) {
        env_2.error = e_2;
        env_2.hasError = true;
    }
    finally {
        const result_2 = __disposeResources(env_2);
        if (result_2)
            await result_2;
    }
});
test('names of columns are lower-cased, and those of tables stay as they are', async () => {
    const env_3 = { stack: [], error: void 0, hasError: false };
    try {
        const catalog = __addDisposableResource(env_3, await openCatalog(), true);
        const made = await feedCsv(catalog, await catalog.integration(), `${header}\nOrder_ID,Shop,Public,Orders\nORDER_id,Shop,Public,Orders`);
        // The two spellings are one column.
        expect(made).toEqual(counts({ created: 4 }));
        const titles = [...(await resourcesOf(catalog)).keys()];
        expect(titles).toContain('Shop.Public.Orders.order_id');
        expect(titles).toHaveLength(4);
    }
    catch (e_3) {
        env_3.error = e_3;
        env_3.hasError = true;
    }
    finally {
        const result_3 = __disposeResources(env_3);
        if (result_3)
            await result_3;
    }
});
test('an update time of None, or none at all, says nothing, and a later file leaves it', async () => {
    const env_4 = { stack: [], error: void 0, hasError: false };
    try {
        const catalog = __addDisposableResource(env_4, await openCatalog(), true);
        const integration = await catalog.integration();
        const file = (time) => `${header},last_updated_time\nid,shop,public,orders,${time}`;
        await feedCsv(catalog, integration, file('None'));
        const updated = async () => (await resourceAt(catalog, 'shop.public.orders')).externalUpdatedAt?.toISOString() ?? null;
        expect(await updated()).toBeNull();
        await feedCsv(catalog, integration, file('1700000000.5'));
        expect(await updated()).toBe('2023-11-14T22:13:20.500Z');
        await feedCsv(catalog, integration, file(''));
        expect(await updated()).toBe('2023-11-14T22:13:20.500Z');
        // The first moment there is, which is not the same as none.
        await feedCsv(catalog, integration, file('0'));
        expect(await updated()).toBe('1970-01-01T00:00:00.000Z');
    }
    catch (e_4) {
        env_4.error = e_4;
        env_4.hasError = true;
    }
    finally {
        const result_4 = __disposeResources(env_4);
        if (result_4)
            await result_4;
    }
});
test('is_view tells views from tables, and a file without it tells neither', async () => {
    const env_5 = { stack: [], error: void 0, hasError: false };
    try {
        const catalog = __addDisposableResource(env_5, await openCatalog(), true);
        const integration = await catalog.integration();
        const spellings = ['true', 'TRUE', '1', 'yes', 't', 'false', 'False', '0', 'no', ''];
        const rows = spellings.map((spelling, i) => `id,shop,public,t${i},${spelling}`);
        await feedCsv(catalog, integration, [`${header},is_view`, ...rows].join('\n'));
        const natives = async (count) => Promise.all(Array.from({ length: count }, async (_, i) => {
            return (await resourceAt(catalog, `shop.public.t${i}`)).nativeType;
        }));
        const found = await natives(spellings.length);
        expect(found).toEqual([...Array(5).fill('view'), ...Array(5).fill('table')]);
        const other = await catalog.another();
        await feedCsv(other, await other.integration(), `${header}\nid,shop,public,orders`);
        expect((await resourceAt(other, 'shop.public.orders')).nativeType).toBeNull();
    }
    catch (e_5) {
        env_5.error = e_5;
        env_5.hasError = true;
    }
    finally {
        const result_5 = __disposeResources(env_5);
        if (result_5)
            await result_5;
    }
});
test('columns are in the order that the file gives, under either name, or else as they stand', async () => {
    const env_6 = { stack: [], error: void 0, hasError: false };
    try {
        const catalog = __addDisposableResource(env_6, await openCatalog(), true);
        const orders = async (on) => [...(await resourcesOf(on)).values()]
            .filter(({ kind }) => kind === 'column')
            .map(({ tableName, title, sortOrder }) => `${tableName}.${title} ${sortOrder}`)
            .sort();
        await feedCsv(catalog, await catalog.integration(), `${header},sort_order,col_sort_order
a,shop,public,one,7,
b,shop,public,one,7,2
c,shop,public,one,,0`);
        expect(await orders(catalog)).toEqual(['one.a 7', 'one.b 2', 'one.c 0']);
        const other = await catalog.another();
        await feedCsv(other, await other.integration(), `${header}\nx,s,p,one\ny,s,p,one\nz,s,p,two\nw,s,p,two`);
        expect(await orders(other)).toEqual(['one.x 1', 'one.y 2', 'two.w 2', 'two.z 1']);
    }
    catch (e_6) {
        env_6.error = e_6;
        env_6.hasError = true;
    }
    finally {
        const result_6 = __disposeResources(env_6);
        if (result_6)
            await result_6;
    }
});
test('the first row that describes a table decides, though rows before it said nothing', async () => {
    const env_7 = { stack: [], error: void 0, hasError: false };
    try {
        const catalog = __addDisposableResource(env_7, await openCatalog(), true);
        const made = await feedCsv(catalog, await catalog.integration(), `${header},description
a,shop,public,orders,
b,shop,public,orders,What was bought
c,shop,public,orders,Something else`);
        expect(made).toEqual(counts({ created: 6 }));
        expect((await resourceAt(catalog, 'shop.public.orders')).description).toBe('What was bought');
    }
    catch (e_7) {
        env_7.error = e_7;
        env_7.hasError = true;
    }
    finally {
        const result_7 = __disposeResources(env_7);
        if (result_7)
            await result_7;
    }
});
test('tables of one name in two clusters are two tables', async () => {
    const env_8 = { stack: [], error: void 0, hasError: false };
    try {
        const catalog = __addDisposableResource(env_8, await openCatalog(), true);
        const made = await feedCsv(catalog, await catalog.integration(), `${header},cluster\nid,shop,public,orders,eu\nid,shop,public,orders,us`);
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
    }
    catch (e_8) {
        env_8.error = e_8;
        env_8.hasError = true;
    }
    finally {
        const result_8 = __disposeResources(env_8);
        if (result_8)
            await result_8;
    }
});
test('line ends, a byte order mark, empty lines and gzip are as good as none of them', async () => {
    const env_9 = { stack: [], error: void 0, hasError: false };
    try {
        const catalog = __addDisposableResource(env_9, await openCatalog(), true);
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
    }
    catch (e_9) {
        env_9.error = e_9;
        env_9.hasError = true;
    }
    finally {
        const result_9 = __disposeResources(env_9);
        if (result_9)
            await result_9;
    }
});
test('a file of a header only names nothing: all becomes stale', async () => {
    const env_10 = { stack: [], error: void 0, hasError: false };
    try {
        const catalog = __addDisposableResource(env_10, await openCatalog(), true);
        const integration = await catalog.integration();
        await feedCsv(catalog, integration, `${header}\nid,shop,public,orders`);
        expect(await feedCsv(catalog, integration, header)).toEqual(counts({ staled: 4 }));
    }
    catch (e_10) {
        env_10.error = e_10;
        env_10.hasError = true;
    }
    finally {
        const result_10 = __disposeResources(env_10);
        if (result_10)
            await result_10;
    }
});
