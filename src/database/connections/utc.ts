// Sessions are in UTC: adapters drop the offset of a time, so in any other zone times
// would be stored and read hours off.

import pg from 'pg';

/** Names under which PostgreSQL knows the one time zone that sessions may have. */
const utc = ['utc', 'etc/utc', 'uct', 'etc/uct', 'gmt', 'etc/gmt', 'zulu', 'etc/zulu'];

/**
 * Throws, saying what to do, where sessions are in another time zone all the same: a pooler passes on
 * no settings of ours.
 */
export async function mustBeInUtc(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ zone: string; login: string }>(
    `select current_setting('TimeZone') as zone, session_user as login`,
  );
  const { zone = '', login = '' } = rows[0] ?? {};
  if (utc.includes(zone.toLowerCase())) return;
  throw new Error(
    `The sessions behind DATABASE_URL are in the time zone ${zone}, and have to be in UTC. On the ` +
      `server: ALTER ROLE ${pg.escapeIdentifier(login)} SET timezone TO 'UTC'; then let the pooler ` +
      'open new connections.',
  );
}
