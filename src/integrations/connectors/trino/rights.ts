// The rights of a login to Trino: what is too much. There is no superuser; what a login may do is the server's to say.

import type { Ask, ConnectionCheck } from '../connector.ts';
import { rightsOf, rowsIfAllowed, someOf } from '../login-rights.ts';
import { text } from '../source-answer.ts';

const fix =
  'Let the access rules of the server give this login SELECT on the tables of the catalog, and nothing else: no other catalog, no write, no role admin.';

/** What the login can do beyond reading tables of the catalogs that are read, as far as the server says. */
export async function rightsCheck(
  ask: Ask,
  { user, catalog }: { readonly user: string; readonly catalog: string },
  isRead: (catalog: string) => boolean,
): Promise<ConnectionCheck> {
  const schema = `"${catalog.replaceAll('"', '""')}".information_schema`;
  const roles = await rowsIfAllowed(ask, `SELECT role_name FROM ${schema}.enabled_roles`);
  const names = (roles ?? []).map(([role]) => text(role));
  const writable = await rowsIfAllowed(ask, writableIn(schema));
  const catalogs = (await rowsIfAllowed(ask, allCatalogs)) ?? [];
  const others = catalogs.map(([name]) => text(name)).filter((name) => !isRead(name));
  const tables = Number(writable?.[0]?.[0] ?? 0);
  const excess = [
    names.some((name) => name.toLowerCase() === 'admin') ? 'act as the role admin' : '',
    tables > 0 ? `write to tables (${tables})` : '',
    others.length > 0 ? `read other catalogs (${someOf(others)})` : '',
  ];
  return rightsOf(user, excess, fix);
}

const writableIn = (schema: string) => `SELECT count(*) FROM (
    SELECT DISTINCT table_schema, table_name FROM ${schema}.table_privileges
    WHERE privilege_type IN ('INSERT', 'UPDATE', 'DELETE', 'OWNERSHIP')
      AND (grantee = current_user OR grantee IN (SELECT role_name FROM ${schema}.enabled_roles)))`;

/** The query for the catalogs that the login sees. */
export const allCatalogs =
  "SELECT catalog_name FROM system.metadata.catalogs WHERE catalog_name <> 'system' ORDER BY 1";
