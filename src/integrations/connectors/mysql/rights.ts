// The rights of a login to MySQL or MariaDB: what it lacks, and what is too much.

import { type Ask, type ConnectionCheck, found } from '../connector.ts';
import { rightsOf, rowsIfAllowed, someOf } from '../login-rights.ts';
import { text } from '../source-answer.ts';
import { seesHistory } from './history.ts';
import { systemSchemas } from './system-schemas.ts';

const limits = { timeoutMs: 15_000 };

/** Rights to the whole server that let a query do more than read tables. */
const tooMuch =
  /^(ALL PRIVILEGES|ALL|SUPER|FILE|CREATE USER|SHUTDOWN|GRANT OPTION|INSERT|UPDATE|DELETE|DROP|CREATE|ALTER|SYSTEM_VARIABLES_ADMIN|READ_ONLY ADMIN)$/;

/** What the login may do that it should not; null where it is modest. */
export async function excessOf(ask: Ask, user: string): Promise<ConnectionCheck | null> {
  const { rows } = await ask('SHOW GRANTS', limits);
  const rights = rows.flatMap(([grant]) => rightsToAll(text(grant)));
  const excess = [...new Set(rights.filter((right) => tooMuch.test(right)))];
  if (excess.length === 0) return null;
  return {
    name: 'role',
    state: 'missing',
    message: `The login ${user} has the rights ${excess.slice(0, 5).join(', ')} to the whole server: a query of a monitor could then do more than read tables, so it is refused.`,
    fix: "Make a login that only reads: CREATE USER headwater IDENTIFIED BY '...'; GRANT SELECT, SHOW VIEW ON `...`.* TO headwater; for each database, and GRANT SELECT ON performance_schema.* TO headwater; for the queries that ran.",
  };
}

/** What the login can do beyond reading tables: SQL of monitors reads hashes as well, and writes are refused by the session. */
export async function rightsCheck(ask: Ask, user: string): Promise<ConnectionCheck> {
  const hashes = await rowsIfAllowed(ask, 'select 1 from mysql.user limit 1');
  const { rows } = await ask('SHOW GRANTS', limits);
  const written = rows.flatMap(([grant]) => writableBy(text(grant)));
  const excess = [
    hashes ? 'read the password hashes of all logins (mysql.user)' : '',
    written.length > 0 ? `write (to ${someOf(written)})` : '',
  ];
  return rightsOf(user, excess, 'GRANT SELECT, SHOW VIEW ON `...`.* alone, for each database.');
}

/** What a line of SHOW GRANTS lets the login write to. */
function writableBy(grant: string): string[] {
  const [, rights = '', on] = /^GRANT (.+?) ON (.+?) TO /i.exec(grant) ?? [];
  const writes = /\b(ALL PRIVILEGES|INSERT|UPDATE|DELETE|DROP|CREATE|ALTER|TRIGGER|EVENT)\b/i;
  return on && writes.test(rights) ? [on] : [];
}

/** The rights that a line of SHOW GRANTS gives to everything. */
function rightsToAll(grant: string): string[] {
  const [, list] = /^GRANT (.+) ON \*\.\* TO /i.exec(grant) ?? [];
  const rights = (list ?? '').split(',').map((right) => right.trim().toUpperCase());
  return /WITH GRANT OPTION\s*$/i.test(grant) && list ? [...rights, 'GRANT OPTION'] : rights;
}

/** Whether the login sees any table, and the SQL of all views. */
export async function tablesCheck(ask: Ask, user: string): Promise<ConnectionCheck> {
  const { rows } = await ask(
    `select (select count(*) from information_schema.tables
        where table_schema not in ${systemSchemas} and table_type <> 'SEQUENCE'),
      (select count(*) from information_schema.views
        where table_schema not in ${systemSchemas} and view_definition = '')`,
    limits,
  );
  const [tables, closed] = (rows[0] ?? []).map(Number);
  const name = 'tables';
  if (!tables) {
    const message = 'The login sees no table or view.';
    const fix = `GRANT SELECT, SHOW VIEW ON \`...\`.* TO ${user}; for each database.`;
    return { name, state: 'missing', message, fix };
  }
  if (!closed) return found(name, `${tables} tables and views can be seen.`);
  return {
    name,
    state: 'limited',
    message: `${tables} tables and views can be seen, but of ${closed} views not the SQL.`,
    fix: `GRANT SHOW VIEW ON \`...\`.* TO ${user}; for each database.`,
  };
}

/** Whether the server keeps the queries that ran, and lets the login see them. */
export async function historyCheck(ask: Ask): Promise<ConnectionCheck> {
  const name = 'query history';
  if (await seesHistory(ask)) return found(name, 'Queries are kept by the server.');
  return {
    name,
    state: 'limited',
    message:
      'The queries that ran cannot be seen, so that lineage comes from views alone, and usage is not known.',
    fix: 'Start the server with performance_schema=ON, and GRANT SELECT ON performance_schema.* to the login.',
  };
}
