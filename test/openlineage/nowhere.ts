// Looks for a text in every table of a database.

import { expect } from 'vitest';
import type { Catalog } from '../catalog.ts';

/** No table of the database holds a text. */
export async function expectNowhere({ owner }: Catalog, secret: string): Promise<void> {
  const { rows: tables } = await owner.query<{ name: string }>(
    `select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  expect(tables.length).toBeGreaterThan(30);
  for (const { name } of tables) {
    const found = await owner.query(`select 1 from ${name} t where t::text ilike $1 limit 1`, [
      `%${secret}%`,
    ]);
    expect(found.rowCount, `${name} holds it`).toBe(0);
  }
}
