// The rights of a login to Trino: what is too much. There is no superuser; what a login may do is the server's to say.

import type { Ask, ConnectionCheck } from '../connector.ts';
import { rightsOf, rowsIfAllowed, someOf } from '../login-rights.ts';
import { text } from '../source-answer.ts';

const fix =
  'Let the access rules of the server give this login SELECT on the tables of the catalog, and nothing else: no other catalog, no write, no role admin.';

/** What the login can do beyond reading tables of its catalog, as far as the server says. */
export async function rightsCheck(
  ask: Ask,
  { user, catalog }: { readonly user: string; readonly catalog: string },
): Promise<ConnectionCheck> {
  const schema = `"${catalog.replaceAll('"', '""')}".information_schema`;
  const roles = await rowsIfAllowed(ask, `SELECT role_name FROM ${schema}.enabled_roles`);
  const names = (roles ?? []).map(([role]) => text(role));
  const writable = await rowsIfAllowed(ask, writableIn(schema));
  const others = await rowsIfAllowed(ask, otherCatalogs(catalog));
  const queries = await rowsIfAllowed(ask, queriesOfOthers);
  const tables = Number(writable?.[0]?.[0] ?? 0);
  const excess = [
    names.some((name) => name.toLowerCase() === 'admin') ? 'act as the role admin' : '',
    tables > 0 ? `write to tables (${tables})` : '',
    others && others.length > 0
      ? `read other catalogs (${someOf(others.map(([name]) => text(name)))})`
      : '',
    queries && queries.length > 0
      ? 'read the queries of others, and what they hold (system.runtime.queries)'
      : '',
  ];
  return rightsOf(user, excess, fix);
}

const writableIn = (schema: string) => `SELECT count(*) FROM (
    SELECT DISTINCT table_schema, table_name FROM ${schema}.table_privileges
    WHERE privilege_type IN ('INSERT', 'UPDATE', 'DELETE', 'OWNERSHIP')
      AND (grantee = current_user OR grantee IN (SELECT role_name FROM ${schema}.enabled_roles)))`;

const otherCatalogs = (catalog: string) => `SELECT catalog_name FROM system.metadata.catalogs
  WHERE catalog_name NOT IN ('system', '${catalog.toLowerCase().replaceAll("'", "''")}') ORDER BY 1`;

const queriesOfOthers = `SELECT 1 FROM system.runtime.queries WHERE "user" <> current_user LIMIT 1`;
