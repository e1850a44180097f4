// Behind PgBouncer in transaction mode: everything works, or the start says why not.

import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { contextFor } from '../../src/context.ts';
import { announce } from '../../src/database/announce.ts';
import { failureOf } from '../../src/database/failure.ts';
import { listen } from '../../src/database/listen.ts';
import { openDatabase } from '../../src/database/open.ts';
import { requestRole } from '../../src/database/row-security.ts';
import { rows } from '../../src/database/rows.ts';
import { transaction } from '../../src/database/transaction.ts';
import { importCsv } from '../../src/integrations/imports/sync.ts';
import { textSource } from '../../src/integrations/readers/source.ts';
import { createTag, listTags } from '../../src/tags/tag.ts';
import { type Catalog, openCatalog } from '../catalog.ts';
import { openTestDatabase } from '../database.ts';
import { onServer } from '../server.ts';
import { startPgBouncer, type TestServer } from '../servers.ts';

let bouncer: TestServer | null = null;
beforeAll(async () => {
  bouncer = await startPgBouncer(inject('server'));
}, 60_000);
afterAll(() => bouncer?.[Symbol.asyncDispose]());

/** The same database as the catalog's, by way of the pooler. */
async function through(catalog: Catalog, statementTimeoutMs = 30_000) {
  const address = new URL(catalog.url);
  address.port = String(bouncer?.port);
  const options = { databaseUrl: address.href, directUrl: catalog.url, statementTimeoutMs };
  const database = await openDatabase({ ...options, maxConnections: 10, waitTimeoutMs: 60_000 });
  const { surroundings } = catalog;
  const ctx = { ...contextFor(database, catalog.admin.viewer), surroundings };
  return { database, ctx, [Symbol.asyncDispose]: () => database.close() };
}

test('writes, reads, transactions and imports at once, without a prepared statement', async ({
  skip,
}) => {
  if (!bouncer) return skip();
  await using catalog = await openCatalog();
  await using pooled = await through(catalog);
  const { ctx } = pooled;
  const clients = [0, 1, 2, 3, 4, 5];
  const names = clients.flatMap((client) => [0, 1, 2, 3, 4].map((n) => `tag ${client} ${n}`));
  const { id } = await catalog.integration();
  const csv = 'col_name,database,schema,name\nid,shop,public,orders\n';
  const work = async (client: number) => {
    for (const name of names.filter((one) => one.startsWith(`tag ${client} `))) {
      await createTag(ctx, { name });
      await listTags({ ...ctx, loaders: new Map() }, { first: 10 });
      await transaction(ctx, async (tx) => {
        await rows(tx, 'select 1');
        await tx.db.tag.count();
      });
    }
  };
  const importing = importCsv(ctx, id, textSource('file', csv));
  await Promise.all(clients.map(work));
  const imported = await importing;
  expect(imported).toMatchObject({ created: 4 });
  const { nodes } = await listTags({ ...ctx, loaders: new Map() }, { first: 100 });
  expect(nodes.map(({ name }) => name).sort()).toEqual(names.sort());
  // Times are the same moments, whichever way they went.
  const [there] = await rows<{ late: boolean }>(
    ctx,
    `select abs(extract(epoch from max(created_at) - now())) > 60 as late from tag`,
  );
  expect(there?.late).toBe(false);
});

test('statements of two workspaces at once each see their own, and leave nothing on the sessions', async ({
  skip,
}) => {
  if (!bouncer) return skip();
  await using catalog = await openCatalog({ alone: true });
  await using other = await catalog.another();
  await using pooled = await through(catalog);
  const { database } = pooled;
  const look = async (workspaceId: string) => {
    const ctx = { ...pooled.ctx, workspaceId };
    const statement = 'select id, current_user as who from workspace';
    const expected = [{ id: workspaceId, who: requestRole }];
    expect(await rows(ctx, statement)).toEqual(expected);
    expect(await transaction(ctx, (tx) => rows(tx, statement))).toEqual(expected);
  };
  const both = [catalog.workspaceId, other.workspaceId];
  await Promise.all(Array.from({ length: 60 }, (_, n) => look(both[n % 2] ?? '')));
  const left = await Promise.all(
    Array.from({ length: 20 }, () =>
      database.pool.query(`select current_setting('headwater.workspace', true) as workspace`),
    ),
  );
  for (const { rows: said } of left) expect(said[0]?.workspace || null).toBeNull();
});

test('announcements arrive by way of the server itself', async ({ skip }) => {
  if (!bouncer) return skip();
  await using catalog = await openCatalog();
  await using pooled = await through(catalog);
  const received: (readonly string[] | null)[] = [];
  const stop = listen(pooled.database, 'resource', (ids) => received.push(ids));
  await expect.poll(() => received.length).toBeGreaterThan(0);
  await announce(pooled.ctx, 'resource', ['through the pooler']);
  await expect.poll(() => received).toContainEqual(['through the pooler']);
  stop();
});

test('a session that is not in UTC is refused, with what to do', async ({ skip }) => {
  if (!bouncer) return skip();
  // A database of its own: the pooler keeps the sessions that it has.
  await using opened = await openTestDatabase();
  const name = new URL(opened.url).pathname.slice(1);
  const set = `alter database ${name} set timezone to`;
  await onServer(inject('server'), `${set} 'America/New_York'`);
  const address = new URL(opened.url);
  address.port = String(bouncer.port);
  const open = openDatabase({ databaseUrl: address.href, directUrl: opened.url }).then(
    async (database) => {
      await database.close();
      return 'opened';
    },
  );
  await expect(open).rejects.toThrow(
    /time zone America\/New_York.*ALTER ROLE .* SET timezone TO 'UTC'/,
  );
});

async function running({ owner }: Catalog, text: string): Promise<number> {
  const found = await owner.query<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity
      where query like $1 and state = 'active' and pid <> pg_backend_pid()`,
    [`${text}%`],
  );
  return found.rows[0]?.n ?? 0;
}

test('an endless statement is cut, on the server as well', async ({ skip }) => {
  if (!bouncer) return skip();
  await using catalog = await openCatalog();
  await using pooled = await through(catalog, 2_000);
  const endless = 'select count(*) as endless from generate_series(1, 100000000000)';
  const cut = rows(pooled.ctx, endless).catch((error: unknown) => failureOf(error)?.code);
  await expect.poll(() => running(catalog, endless)).toBe(1);
  expect(await cut).toBe('UNAVAILABLE');
  await expect.poll(() => running(catalog, endless), { timeout: 5_000 }).toBe(0);
});

test('nothing is left locked on the server when a process has stopped', async ({ skip }) => {
  if (!bouncer) return skip();
  await using catalog = await openCatalog();
  await (await through(catalog))[Symbol.asyncDispose]();
  const { rows: locks } = await catalog.database.pool.query(
    `select from pg_locks where locktype = 'advisory' and database =
      (select oid from pg_database where datname = current_database())`,
  );
  expect(locks).toEqual([]);
});
