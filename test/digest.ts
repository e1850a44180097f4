// Compares a workspace with its state before.

import { rows } from '../src/database/rows.ts';
import type { Catalog } from './catalog.ts';

/**
 * A digest of every row of a workspace, by table; without tables whose names begin as one of `without`, and
 * without keys, whose rows say when they were last used, and without the count of what was asked.
 */
export async function digest(
  catalog: Catalog,
  without: readonly string[] = [],
): Promise<Record<string, string>> {
  const tables = await rows<{ name: string }>(
    catalog.admin,
    `select table_name as name from information_schema.columns
      where column_name = 'workspace_id' and table_schema = 'public' order by 1`,
  );
  const digests: Record<string, string> = {};
  for (const { name } of tables) {
    if (['api_key', 'write_count', ...without].some((start) => name.startsWith(start))) continue;
    // What its owner takes out of a workspace, who asks the same there, is in its log.
    const which = name === 'audit_log' ? `and t.activity_type <> 'monitors_exported'` : '';
    const [row] = await rows<{ md5: string }>(
      catalog.admin,
      `select coalesce(md5(string_agg(t::text, ',' order by t::text)), '') as md5
        from ${name} t where workspace_id = $1::uuid ${which}`,
      [catalog.workspaceId],
    );
    digests[name] = row?.md5 ?? '';
  }
  return digests;
}
