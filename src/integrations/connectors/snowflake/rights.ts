// The rights of a login to Snowflake: what is too much, and what each thing that is read needs.

import { type Ask, type ConnectionCheck, found } from '../connector.ts';
import { rowsIfAllowed } from '../login-rights.ts';
import type { SchemaChoice } from '../patterns.ts';
import { countOrNull, text } from '../source-answer.ts';
import { databasesOf } from './catalog.ts';
import { quoted } from './quoting.ts';

const limits = { timeoutMs: 60_000 };

/** Roles that may do far more than read. */
const administrators = ['ACCOUNTADMIN', 'ORGADMIN', 'SECURITYADMIN', 'SYSADMIN', 'USERADMIN'];

const fix =
  'Make a role that only reads, as the page of Snowflake in the documentation shows, and name it in the credentials.';

/** What the role may do that it should not; null where it is modest. */
export async function excessOf(ask: Ask): Promise<ConnectionCheck | null> {
  const { rows } = await ask('SELECT CURRENT_ROLE()', limits);
  const role = text(rows[0]?.[0]);
  if (!administrators.includes(role.toUpperCase())) return null;
  const message = `The role ${role} may change everything: a query of a monitor could then do more than read tables, so it is refused.`;
  return { name: 'role', state: 'missing', message, fix };
}

/** What each thing that is read needs, and whether it is there. */
export async function checksOf(
  ask: Ask,
  { role, warehouse, choice }: { role: string; warehouse: string; choice: SchemaChoice },
): Promise<ConnectionCheck[]> {
  const databases = await databasesOf(ask, choice);
  return [
    await secondaryCheck(ask),
    await warehouseCheck(ask, role, warehouse),
    await tablesCheck(ask, role, databases),
    ...(await accountChecks(ask, role)),
  ];
}

async function secondaryCheck(ask: Ask): Promise<ConnectionCheck> {
  const name = 'rights';
  const rows = await rowsIfAllowed(ask, 'SELECT CURRENT_SECONDARY_ROLES()');
  const roles = text(rows?.[0]?.[0]);
  if (!/"roles"\s*:\s*"[^"]/.test(roles))
    return found(name, 'Only the role that is named is used.');
  const message = 'The rights of other roles of the user count as well: secondary roles are on.';
  const fix = 'ALTER USER ... SET DEFAULT_SECONDARY_ROLES = ();';
  return { name, state: 'limited', message, fix };
}

async function warehouseCheck(ask: Ask, role: string, warehouse: string): Promise<ConnectionCheck> {
  const name = 'warehouse';
  const { rows } = await ask('SELECT CURRENT_WAREHOUSE()', limits);
  if (text(rows[0]?.[0]) !== '') return found(name, `Statements run on ${text(rows[0]?.[0])}.`);
  const message = `The warehouse ${warehouse} doesn't exist, or the role has no permission to use it.`;
  const fix = `GRANT USAGE ON WAREHOUSE ${warehouse} TO ROLE ${role};`;
  return { name, state: 'missing', message, fix };
}

async function tablesCheck(
  ask: Ask,
  role: string,
  databases: readonly string[],
): Promise<ConnectionCheck> {
  const name = 'tables';
  let count = 0;
  for (const database of databases) {
    const sql = `SELECT count(*) FROM ${quoted(database)}.INFORMATION_SCHEMA.TABLES
      WHERE table_schema <> 'INFORMATION_SCHEMA'`;
    count += countOrNull((await rowsIfAllowed(ask, sql, limits.timeoutMs))?.[0]?.[0]) ?? 0;
  }
  if (count > 0) {
    return found(name, `${count} tables and views in ${databases.length} databases can be seen.`);
  }
  const message =
    databases.length === 0
      ? `The role ${role} sees no database, or none that is to be read.`
      : `The role ${role} sees no table or view of ${databases.slice(0, 5).join(', ')}.`;
  const fix = `GRANT USAGE ON DATABASE ... TO ROLE ${role}; GRANT USAGE ON ALL SCHEMAS IN DATABASE ... TO ROLE ${role}; GRANT REFERENCES ON ALL TABLES IN DATABASE ... TO ROLE ${role}; and the same for views.`;
  return { name, state: 'missing', message, fix };
}

/** Views of the account, what is read of each, and the database role that shows it. */
const accountViews = [
  [
    'QUERY_HISTORY',
    'history',
    'Queries that ran, and the lineage and usage in them,',
    'USAGE_VIEWER',
  ],
  ['VIEWS', 'views', 'The SQL of views that the role does not own,', 'OBJECT_VIEWER'],
  ['TAG_REFERENCES', 'tags', 'Tags', 'GOVERNANCE_VIEWER'],
  [
    'ACCESS_HISTORY',
    'lineage',
    'The lineage that Snowflake records, in its Enterprise edition,',
    'GOVERNANCE_VIEWER',
  ],
] as const;

async function accountChecks(ask: Ask, role: string): Promise<ConnectionCheck[]> {
  const checks: ConnectionCheck[] = [];
  for (const [view, name, what, needed] of accountViews) {
    const rows = await rowsIfAllowed(
      ask,
      `SELECT 1 FROM SNOWFLAKE.ACCOUNT_USAGE.${view} LIMIT 0`,
      limits.timeoutMs,
    );
    const fix = `GRANT DATABASE ROLE SNOWFLAKE.${needed} TO ROLE ${role};`;
    if (rows) checks.push(found(name, `${what.replace(/,$/, '')} can be read.`));
    else checks.push({ name, state: 'limited', message: `${what} cannot be read.`, fix });
  }
  return checks;
}
