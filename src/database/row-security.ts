// Row-level security at the start: whom requests run as, and what that role may and can use.

import pg from 'pg';
import { functionsOfIndexes } from './leakproof.ts';
import { type LockWait, lockingTransaction, waitForMigrationLock } from './migrations/lock-wait.ts';
import { releaseMigrationLock } from './migrations/migration-lock.ts';
import { scratchSchema } from './scratch.ts';

/** Whom requests run as where the login itself is above row-level security. Shared by all databases of a server. */
export const requestRole = 'headwater_requests';

/** What a start finds out and does about row-level security. */
export interface RowSecurity extends AsyncDisposable {
  /** The role to run as; null where the login itself is bound, or there is no other. */
  readonly role: string | null;
  /** Once the tables are there, give the role what it needs, and say what an administrator has to do. */
  complete(onNotice: (message: string) => void): Promise<void>;
}

interface Login {
  readonly login: string;
  readonly isSuperuser: boolean;
  /** Whether no policy binds it, the owner or not. */
  readonly isAbove: boolean;
  readonly mayMakeRoles: boolean;
}

/**
 * Connect to the server itself and see whether policies bind the login. Where they don't, make the role
 * that requests run as, unless it is there. Throws where the server can't be reached.
 */
export async function openRowSecurity(directUrl: string, timeoutMs: number): Promise<RowSecurity> {
  const client = new pg.Client({
    connectionString: directUrl,
    application_name: 'headwater start',
    connectionTimeoutMillis: timeoutMs,
    keepAlive: true,
  });
  client.on('error', () => {});
  await client.connect();
  try {
    const login = await readLogin(client);
    const role = login.isAbove && (await haveRole(client, login)) ? requestRole : null;
    return {
      role,
      async complete(onNotice) {
        if (login.isAbove && role === null) onNotice(unboundNotice(login));
        const wait = { url: directUrl, client, onNotice };
        if (role !== null) await runWhatIsMissing(wait, missingRights, [role, scratchSchema]);
        if (login.isSuperuser) await runWhatIsMissing(wait, missingMarks, [functionsOfIndexes]);
        else if (await isAnyMissing(client)) onNotice(slowNotice(login));
      },
      [Symbol.asyncDispose]: () => client.end(),
    };
  } catch (error) {
    await client.end();
    throw error;
  }
}

async function readLogin(client: pg.ClientBase): Promise<Login> {
  const { rows } = await client.query<Login>(
    `select rolname as login, rolsuper as "isSuperuser", rolsuper or rolbypassrls as "isAbove",
       rolsuper or rolcreaterole as "mayMakeRoles" from pg_roles where rolname = session_user`,
  );
  const [login] = rows;
  if (!login) throw new Error('The database does not say who is logged in.');
  return login;
}

/** Whether there is a role of requests that is bound by policies, and this login can take it on. */
async function haveRole(client: pg.ClientBase, login: Login): Promise<boolean> {
  const known = await readRole(client);
  if (known !== null) return known;
  if (!login.mayMakeRoles) return false;
  try {
    await client.query(`create role ${requestRole} nologin`);
    if (!login.isSuperuser) await client.query(`grant ${requestRole} to session_user`);
  } catch (error) {
    // Another process that starts may have been first.
    if (!(error instanceof pg.DatabaseError) || !isDenialOrRace.test(error.code ?? '')) throw error;
  }
  return (await readRole(client)) === true;
}

/** It exists already, a unique index says so, or it was changed at the same time; or it may not be made. */
const isDenialOrRace = /^(42710|23505|XX000|42501)$/;

/** Whether the role can be used; null where there is none. */
async function readRole(client: pg.ClientBase): Promise<boolean | null> {
  const { rows } = await client.query<{ isUsable: boolean }>(
    `select not rolsuper and not rolbypassrls and 
         pg_has_role(session_user, oid, case when current_setting('server_version_num')::int < 160000
           then 'member' else 'set' end) as "isUsable"
     from pg_roles where rolname = $1`,
    [requestRole],
  );
  return rows[0]?.isUsable ?? null;
}

function unboundNotice({ login }: Login): string {
  return (
    `Row-level security does not bind the login ${login}, and there is no role ${requestRole} that it ` +
    'may use or make: only statements themselves keep workspaces apart. docs/operations.md, "Row-level ' +
    'security", has the statements for an administrator.'
  );
}

/** Run the statements that a query makes of what is missing; as a rule none. */
async function runWhatIsMissing(
  wait: Omit<LockWait, 'what'>,
  query: string,
  values: readonly unknown[],
): Promise<void> {
  const { client } = wait;
  const readMissing = async () =>
    (await client.query<{ statement: string }>(query, [...values])).rows;
  if ((await readMissing()).length === 0) return;
  // Two who change the same thing at once would collide.
  await waitForMigrationLock(wait);
  try {
    await lockingTransaction({ ...wait, what: 'What row-level security needs' }, async () => {
      for (const { statement } of await readMissing()) await client.query(statement);
    });
  } finally {
    await releaseMigrationLock(client);
  }
}

/**
 * Statements that give a role ($1) what it lacks, from PostgreSQL 17 on the right to analyze what an import filled;
 * the scratch tables of imports ($2) are its own. */
const missingRights = `with given as (
    select $1::name as role, $2::name as scratch, current_schema() as schema),
  tables as (
    select c.oid, c.relkind, role, schema from pg_class c, given
    where c.relnamespace = schema::text::regnamespace and c.relkind in ('r', 'p', 'v', 'S')
      and c.relname <> '_prisma_migrations')
  select format('grant usage on schema %I to %I', schema, role) as statement from given
    where not has_schema_privilege(role, schema::text, 'usage')
  union all select format('grant connect, create on database %I to %I', current_database(), role) from given
    where not has_database_privilege(role, current_database()::text, 'create')
  union all select format('grant select, insert, update, delete on %s to %I', oid::regclass, role)
    from tables where relkind <> 'S' and not has_table_privilege(role, oid, 'delete')
  union all select format('grant maintain on %s to %I', oid::regclass, role)
    from tables where case when relkind in ('r', 'p') and current_setting('server_version_num')::int >= 170000
      then not has_table_privilege(role, oid, 'maintain') end
  union all select format('grant usage, select on sequence %s to %I', oid::regclass, role)
    from tables where case relkind when 'S' then not has_sequence_privilege(role, oid, 'usage') end
  union all select format('alter default privileges in schema %I grant %s to %I', schema, what, role)
    from given, (values ('r', 'select, insert, update, delete on tables'),
      ('S', 'usage, select on sequences')) v (type, what)
    where not exists (select from pg_default_acl d, aclexplode(d.defaclacl) a
      where d.defaclnamespace = schema::text::regnamespace and d.defaclobjtype = type
        and d.defaclrole = session_user::text::regrole and a.grantee = role::text::regrole)
  union all select format('alter table %s owner to %I', c.oid::regclass, role)
    from given join pg_namespace n on n.nspname = scratch join pg_class c on c.relnamespace = n.oid
    where c.relkind = 'r' and c.relowner <> role::text::regrole
  union all select format('alter schema %I owner to %I', scratch, role)
    from given join pg_namespace n on n.nspname = scratch where n.nspowner <> role::text::regrole`;

/** Statements that mark the functions ($1) which are not marked yet. */
const missingMarks = `select format('alter function %s leakproof', name) as statement
  from unnest($1::text[]) name join pg_proc p on p.oid = to_regprocedure(name)
  where not p.proleakproof`;

/** Whether indexes of resources are out of reach; not where somebody let the owner past their policy. */
async function isAnyMissing(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query(
    `select from (${missingMarks}) missing
     join pg_class c on c.oid = to_regclass('resource') and c.relforcerowsecurity`,
    [functionsOfIndexes],
  );
  return rows.length > 0;
}

function slowNotice({ login }: Login): string {
  return (
    'Search and some filters read all rows of a workspace, because row-level security keeps the login ' +
    `${login} from their indexes. docs/operations.md, "Row-level security", has the statements for a superuser.`
  );
}
