// The rights of a login to ClickHouse: what is too much.

import type { Ask, ConnectionCheck } from '../connector.ts';
import { rightsOf, rowsIfAllowed, someOf } from '../login-rights.ts';
import { text } from '../source-answer.ts';

const fix =
  "Make a login that only reads: CREATE USER headwater IDENTIFIED BY '...'; GRANT SELECT, SHOW ON `...`.* TO headwater; for each database.";

/** A right, and to what it is given. */
interface Grant {
  readonly right: string;
  readonly on: string;
}

/** What the login may do that it should not; null where it is modest. */
export async function excessOf(ask: Ask, user: string): Promise<ConnectionCheck | null> {
  const grants = await grantsOf(ask);
  const isTooMuch = ({ right, on }: Grant) =>
    on === 'FILE' || (on === '*.*' && /^(ALL|FILE|SOURCES|SYSTEM|ACCESS MANAGEMENT)\b/.test(right));
  if (!grants.some(isTooMuch)) return null;
  const message = `The login ${user} may do everything, or read files of the server: a query of a monitor could then do more than read tables, so it is refused.`;
  return { name: 'role', state: 'missing', message, fix };
}

/**
 * What the login can do beyond reading tables, by its grants and those of its roles. Writes are refused by the setting
 * `readonly`; table functions that reach other servers, secrets and the list of logins are read all the same.
 */
export async function rightsCheck(ask: Ask, user: string): Promise<ConnectionCheck> {
  const grants = await grantsOf(ask);
  const named = (pattern: RegExp) => grants.filter(({ right }) => pattern.test(right));
  const [writes, others, secrets] = [named(writing), named(reaching), named(revealing)];
  const logins = await rowsIfAllowed(ask, 'SELECT name FROM system.users LIMIT 1');
  const excess = [
    writes.length > 0
      ? `write (${someOf(writes.map(({ right, on }) => `${right} on ${on}`))})`
      : '',
    others.length > 0
      ? `reach other servers from the source (${someOf(others.map(({ right }) => right))})`
      : '',
    secrets.length > 0
      ? `read secrets and password hashes (${someOf(secrets.map(({ right }) => right))})`
      : '',
    logins ? 'read the list of logins (system.users)' : '',
  ];
  return rightsOf(user, excess, fix);
}

const writing = /^(ALL|INSERT|ALTER|CREATE|DROP|TRUNCATE|UNDROP|OPTIMIZE|DELETE|UPDATE|MOVE)\b/;
const reaching =
  /^(SOURCES|READ|WRITE|URL|REMOTE|S3|HDFS|AZURE|MONGO|REDIS|MYSQL|POSTGRES|SQLITE|ODBC|JDBC|HIVE|KAFKA|NATS|RABBITMQ)\b/;
// SHOW CREATE USER shows the hash of a password.
const revealing =
  /^(ACCESS MANAGEMENT|SHOW ACCESS|SHOW USERS|SHOW NAMED COLLECTIONS SECRETS|NAMED COLLECTION ADMIN|displaySecretsInShowAndSelect)\b/i;

/** The grants of the login, and of the roles that it has. Those of a role that may not be seen are left out. */
async function grantsOf(ask: Ask): Promise<Grant[]> {
  const roles = await rowsIfAllowed(ask, 'SELECT role_name FROM system.enabled_roles');
  const own = (await ask('SHOW GRANTS', { timeoutMs: 15_000 })).rows;
  const all = [...own];
  for (const [role] of roles ?? []) {
    const name = text(role).replaceAll('\\', '\\\\').replaceAll('`', '\\`');
    all.push(...((await rowsIfAllowed(ask, `SHOW GRANTS FOR \`${name}\``)) ?? []));
  }
  return all.flatMap(([grant]) => grantsIn(text(grant)));
}

/** What a line of SHOW GRANTS gives; nothing where it gives a role. */
function grantsIn(line: string): Grant[] {
  const [, rights = '', on = ''] = /^GRANT (.+?) ON (.+?) TO /.exec(line) ?? [];
  // Columns in parentheses have commas of their own.
  return rights
    .replaceAll(/\([^)]*\)/g, '')
    .split(',')
    .map((right) => ({ right: right.trim(), on }))
    .filter(({ right }) => right !== '');
}
