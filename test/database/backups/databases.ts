// The databases that tests back up and restore into, and of what is in them.

import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import pg from 'pg';
import { inject } from 'vitest';
import { backUp } from '../../../src/database/backups/backup.ts';
import type { Manifest } from '../../../src/database/backups/manifest.ts';
import {
  openBackup,
  type Restored,
  type RestoreOptions,
  restore,
} from '../../../src/database/backups/restore.ts';
import { migrate, readHistory } from '../../../src/database/migrations/migrate.ts';
import { openDatabase } from '../../../src/database/open.ts';
import { addressOf, onServer } from '../../server.ts';

/** A database that belongs to an account without any other rights, gone with the test. */
export interface Target extends AsyncDisposable {
  readonly url: string;
}

/** Make a database: without tables, or with those of a folder of migrations. */
export async function makeDatabase(migrations?: string): Promise<Target> {
  const server = inject('server');
  const name = `headwater_target_${randomUUID().replaceAll('-', '')}`;
  await onServer(server, `create role ${name} login password '${name}'`);
  await onServer(
    server,
    `create database ${name} owner ${name} template template0 encoding 'UTF8' lc_collate 'C'`,
  );
  const address = new URL(addressOf(server, name));
  address.username = name;
  address.password = name;
  const url = address.href;
  if (migrations !== undefined) {
    const database = await openDatabase({ databaseUrl: url, maxConnections: 1, migrations: null });
    await migrate(database, migrations);
    await database.close();
  }
  return {
    url,
    async [Symbol.asyncDispose]() {
      await onServer(server, `drop database if exists ${name} with (force)`);
      await onServer(server, `drop role ${name}`);
    },
  };
}

/** Back a database up into memory. */
export async function backUpToMemory(url: string): Promise<{ file: Buffer; manifest: Manifest }> {
  let file = Buffer.alloc(0);
  const manifest = await backUp(url, {
    async save(bytes) {
      file = await buffer(bytes);
    },
  });
  return { file, manifest };
}

/** Restore a backup that is in memory. */
export async function restoreFrom(
  file: Buffer,
  url: string,
  options: RestoreOptions = {},
): Promise<Restored> {
  await using backup = await openBackup(piecesOf(file));
  return await restore(url, backup, options);
}

/** A file as it is read: in pieces that end anywhere. */
async function* piecesOf(file: Buffer): AsyncGenerator<Buffer> {
  const length = 10_007;
  for (let at = 0; at < file.length; at += length) yield file.subarray(at, at + length);
}

/** How many rows each table has, and a checksum of them that knows no order. */
export async function digestsOf(url: string): Promise<Record<string, string>> {
  const tables = await onServer<{ name: string }>(
    url,
    `select c.relname::text as name from pg_class c where c.relkind = 'r' and c.relpersistence = 'p'
       and c.relnamespace = 'public'::regnamespace and c.relname <> '_prisma_migrations' order by 1`,
  );
  const selects = tables.map(
    ({ name }) => `select ${pg.escapeLiteral(name)} as name, count(*) || ' rows, ' ||
      coalesce(md5(string_agg(md5(t::text), '' order by md5(t::text))), '') as digest
      from ${pg.escapeIdentifier(name)} t`,
  );
  if (selects.length === 0) return {};
  const digests = await onServer<{ name: string; digest: string }>(
    url,
    selects.join(' union all '),
  );
  return Object.fromEntries(digests.map(({ name, digest }) => [name, digest]));
}

/** The names of tables that have a row; none where there are no tables. */
export async function filledTables(url: string): Promise<string[]> {
  const digests = Object.entries(await digestsOf(url));
  return digests.filter(([, digest]) => !digest.startsWith('0 rows')).map(([name]) => name);
}

/** All that migrations make, as PostgreSQL describes it, and their history. */
export async function structureOf(url: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    const history = await readHistory(client);
    return [...history, ...(await client.query(structure)).rows];
  } finally {
    await client.end();
  }
}

const structure = `with own as (select oid, relname from pg_class where relnamespace = 'public'::regnamespace)
     select relname || '.' || conname as name, pg_get_constraintdef(c.oid) as what
       from pg_constraint c join own on own.oid = c.conrelid
     union all select relname || '.' || i.indexrelid::regclass, pg_get_indexdef(i.indexrelid)
       from pg_index i join own on own.oid = i.indrelid where i.indisvalid
     union all select relname || '.' || tgname, tgenabled::text || pg_get_triggerdef(t.oid)
       from pg_trigger t join own on own.oid = t.tgrelid where not tgisinternal
     union all select relname || '.' || attname, concat_ws(' ', format_type(atttypid, atttypmod),
         case when attnotnull then 'not null' end, attgenerated, attidentity,
         pg_get_expr(d.adbin, d.adrelid))
       from pg_attribute a join own on own.oid = a.attrelid
         left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
       where attnum > 0 and not attisdropped
     union all select own.relname || ' row-level security', concat_ws(' ', c.relrowsecurity,
         c.relforcerowsecurity, p.polname, p.polcmd, p.polpermissive, pg_get_expr(p.polqual, p.polrelid),
         pg_get_expr(p.polwithcheck, p.polrelid))
       from own join pg_class c on c.oid = own.oid left join pg_policy p on p.polrelid = c.oid
       where c.relkind = 'r'
     union all select 'function ' || oid::regprocedure, pg_get_functiondef(oid)
       from pg_proc where pronamespace = 'public'::regnamespace and prokind in ('f', 'p')
         and not exists (select from pg_depend d where d.objid = pg_proc.oid and d.deptype = 'e')
     union all select 'type ' || t.typname, e.enumlabel
       from pg_type t join pg_enum e on e.enumtypid = t.oid where t.typnamespace = 'public'::regnamespace
     order by 1, 2`;
