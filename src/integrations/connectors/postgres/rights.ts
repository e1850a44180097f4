// The rights of a login to PostgreSQL or Redshift: what it lacks, and what is too much.

import { type Ask, type ConnectionCheck, found } from '../connector.ts';
import { rightsOf } from '../login-rights.ts';
import { ofPeople } from './catalog.ts';
import { historyState } from './history.ts';

type Flavor = 'postgres' | 'redshift';

interface Login {
  readonly database: string;
  readonly user: string;
}

const limits = { timeoutMs: 15_000 };

/**
 * What the login may do that no login of ours should: everything, or reading files of the server.
 * Null where it is modest.
 */
export async function excessOf(
  flavor: Flavor,
  ask: Ask,
  login: Login,
): Promise<ConnectionCheck | null> {
  const { rows } = await ask(flavor === 'postgres' ? postgresExcess : redshiftExcess, limits);
  const [isSuper, roles] = rows[0] ?? [];
  if (isSuper !== true && !roles) return null;
  const what =
    isSuper === true
      ? 'is a superuser, or may become one'
      : `may reach files and programs of the server, by the role ${String(roles)}`;
  const message = `The login ${login.user} ${what}: a query of a monitor could then do more than read tables, so it is refused.`;
  const fix = flavor === 'postgres' ? postgresGrants(login) : redshiftGrants;
  return { name: 'role', state: 'missing', message, fix };
}

// Anyone who is a member of a role may become it within a query, by set_config('role', ...).
const postgresExcess = `select
    exists (select from pg_catalog.pg_roles r
      where r.rolsuper and pg_catalog.pg_has_role(session_user, r.oid, 'MEMBER')),
    (select pg_catalog.string_agg(r.rolname::text, ', ') from pg_catalog.pg_roles r
      where r.rolname in ('pg_read_server_files', 'pg_write_server_files',
        'pg_execute_server_program')
      and pg_catalog.pg_has_role(session_user, r.oid, 'MEMBER'))`;

const redshiftExcess = `select usesuper, null from pg_catalog.pg_user
  where usename = current_user`;

function postgresGrants({ database }: Login): string {
  return [
    'Make a login that only reads:',
    "CREATE ROLE headwater LOGIN PASSWORD '...';",
    `GRANT CONNECT ON DATABASE ${quoted(database)} TO headwater;`,
    'GRANT pg_read_all_stats TO headwater; and for each schema',
    'GRANT USAGE ON SCHEMA ... TO headwater; GRANT SELECT ON ALL TABLES IN SCHEMA ... TO headwater;',
    'ALTER DEFAULT PRIVILEGES IN SCHEMA ... GRANT SELECT ON TABLES TO headwater;',
  ].join(' ');
}

const redshiftGrants = [
  'Make a login that only reads:',
  "CREATE USER headwater PASSWORD '...';",
  'GRANT USAGE ON SCHEMA ... TO headwater;',
  'GRANT SELECT ON ALL TABLES IN SCHEMA ... TO headwater; for each schema.',
].join(' ');

/**
 * What the login can do beyond reading tables, whatever its roles are called: SQL of monitors can do the same. Writes
 * are refused by the read-only session; password hashes can be read all the same.
 */
export async function rightsCheck(
  flavor: Flavor,
  ask: Ask,
  login: Login,
): Promise<ConnectionCheck> {
  const { rows } = await ask(flavor === 'postgres' ? postgresRights : redshiftRights, limits);
  const [readsHashes, writes, databases] = rows[0] ?? [];
  const excess = [
    readsHashes === true ? 'read the password hashes of all logins (pg_authid)' : '',
    Number(writes) > 0 ? `write to tables or views (${Number(writes)})` : '',
    Number(databases) > 0 ? `create schemas in databases (${Number(databases)})` : '',
  ];
  return rightsOf(
    login.user,
    excess,
    flavor === 'postgres' ? postgresGrants(login) : redshiftGrants,
  );
}

const writable = `(select count(*)::integer from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'v', 'f') and ${ofPeople} and has_schema_privilege(n.oid, 'USAGE')
      and (has_table_privilege(c.oid, 'INSERT') or has_table_privilege(c.oid, 'UPDATE')
        or has_table_privilege(c.oid, 'DELETE')))`;
const postgresRights = `select
    pg_catalog.has_any_column_privilege('pg_catalog.pg_authid', 'SELECT'), ${writable},
    (select count(*)::integer from pg_catalog.pg_database d
      where not d.datistemplate and pg_catalog.has_database_privilege(d.oid, 'CREATE'))`;
// Redshift shows no one but superusers the hashes.
const redshiftRights = `select false, ${writable}, 0`;

/** How many tables there are that the login may not read, and in which schemas. */
export async function tablesCheck(ask: Ask, { user }: Login): Promise<ConnectionCheck> {
  const { rows } = await ask(
    `select n.nspname,
      sum(case when has_schema_privilege(n.oid, 'USAGE')
        and has_table_privilege(c.oid, 'SELECT') then 1 else 0 end)::integer,
      count(*)::integer
    from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'v', 'm', 'f', 'p') and ${ofPeople}
      and not exists (select 1 from pg_catalog.pg_depend d
        where d.classid = 'pg_catalog.pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    group by n.nspname order by n.nspname limit 1000`,
    limits,
  );
  const all = rows.reduce((sum, [, , n]) => sum + Number(n), 0);
  const readable = rows.reduce((sum, [, n]) => sum + Number(n), 0);
  const name = 'tables';
  if (all === readable && all > 0) return found(name, `All ${all} tables and views can be read.`);
  const closed = rows.filter(([, may, n]) => may !== n).map(([schema]) => String(schema));
  const grants = closed
    .slice(0, 10)
    .map(
      (schema) =>
        `GRANT USAGE ON SCHEMA ${quoted(schema)} TO ${quoted(user)}; GRANT SELECT ON ALL TABLES IN SCHEMA ${quoted(schema)} TO ${quoted(user)};`,
    );
  if (all === 0) {
    const message = 'There are no tables or views in this database.';
    return { name, state: 'limited', message, fix: 'Check that it is the right database.' };
  }
  return {
    name,
    state: readable === 0 ? 'missing' : 'limited',
    message: `The login may read ${readable} of ${all} tables and views; the others lie in ${list(closed)}.`,
    fix: grants.join(' '),
  };
}

/** Whether the server keeps the queries that ran, and shows them to the login. */
export async function historyCheck(ask: Ask): Promise<ConnectionCheck> {
  const name = 'query history';
  const state = await historyState(ask);
  if (state === 'kept') return found(name, 'Queries are kept by the server.');
  return { name, state: 'limited', ...withoutHistory[state] };
}

const meansViewsAlone = 'so that lineage comes from views alone, and of usage scans are known.';
const withoutHistory = {
  none: {
    message: `The server keeps no queries, ${meansViewsAlone}`,
    fix: 'Add pg_stat_statements to shared_preload_libraries, then CREATE EXTENSION pg_stat_statements; GRANT pg_read_all_stats lets the login see the queries of others.',
  },
  idle: {
    message: `The server keeps no queries, ${meansViewsAlone}`,
    fix: 'The extension pg_stat_statements is there: add it to shared_preload_libraries, and start the server again.',
  },
  hidden: {
    message: `The login sees no queries of others, ${meansViewsAlone}`,
    fix: 'GRANT pg_read_all_stats to the login.',
  },
} as const;

const list = (names: readonly string[]): string =>
  names.length > 10 ? `${names.slice(0, 10).join(', ')} and others` : names.join(', ');

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
