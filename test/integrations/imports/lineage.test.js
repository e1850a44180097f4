// Lineage from JSONL lines: every form an end may have, and what points at nothing.
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
import { expect, test } from 'vitest';
import { lineage } from '../../../src/lineage/graph.js';
import { openCatalog } from '../../catalog.js';
import { counts, edgesOf, feedCsv, feedJsonl, listening, resourceAt } from './feed.js';
const key = (databuilder_id) => ({ internal_resource: { databuilder_id } });
const table = (name, more = {}) => ({ external_table: { table: name, ...more } });
const column = (name, of, more = {}) => ({
    external_column: { table: of, column: name, ...more },
});
const query = (sql, dialect) => ({ tables_from_query: { sql, dialect } });
const line = (from_identifier, to_identifier) => ({
    from_identifier,
    to_identifier,
});
/** A warehouse of three tables that another integration brought, and a BI tool to draw lineage with. */
async function open() {
    const catalog = await openCatalog();
    await feedCsv(catalog, await catalog.integration({ name: 'warehouse' }), `col_name,database,schema,name
id,shop,public,orders
amount,shop,public,orders
id,shop,staging,orders
name,shop,public,customers`);
    const bi = await catalog.integration({ name: 'bi' });
    await feedJsonl(catalog, bi, {
        resources: [
            { entity_type: 'dashboard', databuilder_id: 'd', title: 'Board' },
            { entity_type: 'chart', databuilder_id: 'c', title: 'Chart', parent_databuilder_id: 'd' },
        ],
    });
    return { catalog, bi, [Symbol.asyncDispose]: () => catalog[Symbol.asyncDispose]() };
}
test('an end is a key of the integration, a table or column by name, or the tables of a query', async () => {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const opened = __addDisposableResource(env_1, await open(), true);
        const { catalog, bi } = opened;
        const made = await feedJsonl(catalog, bi, {
            lineages: [
                line(key('c'), key('d')),
                line(table('Customers'), key('c')),
                line(table('orders', { schema: 'PUBLIC' }), key('c')),
                line(column('AMOUNT', 'orders', { schema: 'public', database: 'shop' }), key('c')),
                line(query('select * from staging.orders o join public.customers c using (id)'), key('d')),
            ],
        });
        // The two tables of the query are two edges.
        expect(made).toEqual(counts({}, { created: 6 }));
        expect(await edgesOf(catalog)).toEqual([
            'Board.Chart > Board',
            'shop.public.customers > Board',
            'shop.public.customers > Board.Chart',
            'shop.public.orders > Board.Chart',
            'shop.public.orders.amount > Board.Chart',
            'shop.staging.orders > Board',
        ]);
        const { workspaceId, database } = catalog;
        const found = await database.prisma.lineageEdge.findMany({ where: { workspaceId } });
        expect(new Set(found.map((each) => [each.origin, each.integrationId, each.createdById].join()))).toEqual(new Set([`IMPORT,${bi.id},`]));
        expect(found.filter(({ level }) => level === 'COLUMN')).toHaveLength(1);
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
test('a table by name may be the target, also one of another integration', async () => {
    const env_2 = { stack: [], error: void 0, hasError: false };
    try {
        const opened = __addDisposableResource(env_2, await open(), true);
        const { catalog, bi } = opened;
        await feedJsonl(catalog, bi, {
            lineages: [
                line(table('customers'), table('orders', { schema: 'staging' })),
                line(column('name', 'customers'), column('id', 'orders', { schema: 'staging' })),
            ],
        });
        expect(await edgesOf(catalog)).toEqual([
            'shop.public.customers > shop.staging.orders',
            'shop.public.customers.name > shop.staging.orders.id',
        ]);
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
test('edges between columns imply those of their tables, uncounted, and take them along when they end', async () => {
    const env_3 = { stack: [], error: void 0, hasError: false };
    try {
        const opened = __addDisposableResource(env_3, await open(), true);
        const { catalog, bi } = opened;
        const edge = line(column('name', 'customers'), column('id', 'orders', { schema: 'staging' }));
        const made = await feedJsonl(catalog, bi, { lineages: [edge] });
        expect(made).toEqual(counts({}, { created: 1 }));
        expect(await edgesOf(catalog)).toEqual([
            '(shop.public.customers > shop.staging.orders)',
            'shop.public.customers.name > shop.staging.orders.id',
        ]);
        expect(await feedJsonl(catalog, bi, { lineages: [edge] })).toEqual(counts({}, { unchanged: 1 }));
        expect(await feedJsonl(catalog, bi, { lineages: [] })).toEqual(counts({}, { ended: 1 }));
        expect(await edgesOf(catalog)).toEqual([]);
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
test('lines that point at nothing known are counted and told, and the others still count', async () => {
    const env_4 = { stack: [], error: void 0, hasError: false };
    try {
        const opened = __addDisposableResource(env_4, await open(), true);
        const { catalog, bi } = opened;
        const { watch, lines } = listening();
        const foreign = await catalog.another();
        await feedCsv(foreign, await foreign.integration(), 'col_name,database,schema,name\nid,x,y,elsewhere');
        const made = await feedJsonl(catalog, bi, {
            lineages: [
                line(table('customers'), key('d')),
                line(key('nobody'), key('d')),
                line(table('nowhere'), key('d')),
                line(table('customers', { database: 'lake' }), key('d')),
                // Two tables have the name: it means neither.
                line(table('orders'), key('d')),
                line(column('missing', 'customers'), key('d')),
                // A table of another workspace.
                line(table('elsewhere'), key('d')),
                // The key of another integration.
                line(key('table:shop.public.customers'), key('d')),
                line(key('d'), key('d')),
                line(query('select 1'), key('d')),
                line(query('select from where'), key('d')),
            ],
        }, { watch });
        expect(made).toEqual(counts({}, { created: 1, unknown: 7 }));
        expect(await edgesOf(catalog)).toEqual(['shop.public.customers > Board']);
        const log = lines.join('\n');
        expect(log).toContain('7 lineage lines point at nothing that is known, such as lines 2, 3, 4');
        expect(log).toContain('1 lineage lines lead back to where they start.');
        // A query that cannot be read makes no lineage, and is told with its line and place.
        expect(log).toMatch(/lineages\.jsonl, line 11: .*sql cannot be read at line 1, column \d+/);
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
test('an edge told twice, or both by key and by name, is one edge', async () => {
    const env_5 = { stack: [], error: void 0, hasError: false };
    try {
        const opened = __addDisposableResource(env_5, await open(), true);
        const { catalog, bi } = opened;
        const made = await feedJsonl(catalog, bi, {
            lineages: [
                line(table('customers'), key('d')),
                line(table('customers', { schema: 'public', database: 'shop' }), key('d')),
                line(query('select name from customers'), key('d')),
            ],
        });
        expect(made).toEqual(counts({}, { created: 1 }));
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
test('edges no longer told are ended, shown as of before, and told again they hold anew', async () => {
    const env_6 = { stack: [], error: void 0, hasError: false };
    try {
        const opened = __addDisposableResource(env_6, await open(), true);
        const { catalog, bi } = opened;
        const [kept, dropped] = [line(key('c'), key('d')), line(table('customers'), key('d'))];
        const board = await resourceAt(catalog, 'Board');
        const upstream = async (asOf) => {
            const from = [board.id];
            const { nodes } = await lineage(catalog.admin, { from, direction: 'UPSTREAM', asOf });
            const { database } = catalog;
            const ids = nodes.map(({ id }) => id).filter((id) => id !== board.id);
            const found = await database.prisma.resource.findMany({ where: { id: { in: ids } } });
            return found.map(({ titleFull }) => titleFull).sort();
        };
        const day = (n) => new Date(Date.UTC(2031, 0, n));
        catalog.setTime(day(1));
        await feedJsonl(catalog, bi, { lineages: [kept, dropped] });
        catalog.setTime(day(3));
        expect(await feedJsonl(catalog, bi, { lineages: [kept] })).toEqual(counts({}, { ended: 1, unchanged: 1 }));
        expect(await upstream()).toEqual(['Board.Chart']);
        expect(await upstream(day(2))).toEqual(['Board.Chart', 'shop.public.customers']);
        catalog.setTime(day(5));
        expect(await feedJsonl(catalog, bi, { lineages: [kept, dropped] })).toEqual(counts({}, { created: 1, unchanged: 1 }));
        expect(await upstream()).toEqual(['Board.Chart', 'shop.public.customers']);
        expect(await upstream(day(4))).toEqual(['Board.Chart']);
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
test('edges that a person drew or another integration told are not ended', async () => {
    const env_7 = { stack: [], error: void 0, hasError: false };
    try {
        const opened = __addDisposableResource(env_7, await open(), true);
        const { catalog, bi } = opened;
        const other = await catalog.integration();
        const edge = line(table('customers'), table('orders', { schema: 'public' }));
        await feedJsonl(catalog, other, { lineages: [edge] });
        await feedJsonl(catalog, bi, { lineages: [edge] });
        const [board, orders] = [
            await resourceAt(catalog, 'Board'),
            await resourceAt(catalog, 'shop.public.orders'),
        ];
        const drawn = await catalog.graphql('mutation ($a: ID!, $b: ID!) { createLineage(input: { fromId: $a, toId: $b }) { id } }', { a: orders.id, b: board.id });
        expect(drawn.errors).toBeUndefined();
        expect(await feedJsonl(catalog, bi, { lineages: [] })).toEqual(counts({}, { ended: 1 }));
        expect(await edgesOf(catalog)).toEqual([
            'shop.public.customers > shop.public.orders',
            'shop.public.orders > Board',
        ]);
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
test('a file of lineages alone leaves the resources, a file of resources alone the lineage', async () => {
    const env_8 = { stack: [], error: void 0, hasError: false };
    try {
        const opened = __addDisposableResource(env_8, await open(), true);
        const { catalog, bi } = opened;
        await feedJsonl(catalog, bi, { lineages: [line(key('c'), key('d'))] });
        expect((await resourceAt(catalog, 'Board')).stale).toBe(false);
        const gone = await feedJsonl(catalog, bi, { resources: [] });
        expect(gone).toEqual(counts({ staled: 2 }));
        expect(await edgesOf(catalog)).toEqual(['Board.Chart > Board']);
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
