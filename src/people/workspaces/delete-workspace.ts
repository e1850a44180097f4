// Deletes a workspace with all that is in it.

import { contextAcross } from '../../context.ts';
import type { Database } from '../../database/database.ts';
import { breaksReference } from '../../database/failure.ts';
import { acrossWorkspaces } from '../../database/outside.ts';
import { execute, rows } from '../../database/rows.ts';
import { transaction } from '../../database/transaction.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { chooseWorkspace, type NamedWorkspace, readWorkspaces } from './workspaces.ts';

/** Rows that one statement deletes: others wait no longer for it than for an import's. */
const batch = 5_000;
/** These go first: from then on no one gets in, and nothing begins. */
const doors = ['api_key', 'web_session', 'job'];
/** Kept as they are while their workspace is there. */
const kept = ['audit_log', 'audit_seal'];

/**
 * Delete a workspace: its keys and sessions first, then all of its rows, some thousand at a time, and its audit log at
 * the end, with it. What was interrupted goes on when it is called again. Throws BAD_REQUEST for a workspace that there
 * is not.
 */
export async function deleteWorkspace(
  database: Database,
  wanted: string,
  onTable: (table: string, rows: number) => void = () => {},
): Promise<NamedWorkspace> {
  const workspace = chooseWorkspace(await readWorkspaces(acrossWorkspaces(database)), wanted);
  const tables = await tablesOfWorkspaces(database);
  const order = [...doors, ...tables.filter((name) => ![...doors, ...kept].includes(name))];
  // What refers to others goes before them: until nothing is left, those that wait for others are tried again.
  for (let left = 1; left > 0; ) {
    left = 0;
    for (const table of order) {
      const deleted = await emptyTable(database, table, workspace.id);
      if (deleted > 0) onTable(table, deleted);
      left += deleted;
    }
  }
  await deleteRest(database, workspace.id);
  return workspace;
}

async function tablesOfWorkspaces(database: Database): Promise<string[]> {
  const found = await rows<{ name: string }>(
    acrossWorkspaces(database),
    Prisma.sql`select c.relname::text as name from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = (select oid from pg_namespace where nspname = current_schema())
        and c.relkind = 'r' and a.attname = 'workspace_id' and not a.attisdropped
      order by 1`,
  );
  return found.map(({ name }) => name);
}

/** Delete the rows of a workspace, as far as no other row refers to them; how many that were. */
async function emptyTable(database: Database, table: string, id: string): Promise<number> {
  const from = Prisma.raw(`"${table}"`);
  const statement = Prisma.sql`delete from ${from} where ctid = any(array(
    select ctid from ${from} where workspace_id = ${id}::uuid limit ${batch}))`;
  let deleted = 0;
  for (;;) {
    try {
      const gone = await execute(acrossWorkspaces(database), statement);
      deleted += gone;
      if (gone === 0) return deleted;
    } catch (error) {
      if (!breaksReference(error)) throw error;
      return deleted;
    }
  }
}

/** The audit log refuses to lose an entry, but for the moment in which its workspace goes. */
async function deleteRest(database: Database, id: string): Promise<void> {
  await transaction(contextAcross(database, 'COMMAND'), async (tx) => {
    // As the login itself, which owns the tables.
    await execute(tx, 'set local role none');
    for (const table of kept) {
      const trigger = `"${table}_kept"`;
      await execute(tx, `alter table "${table}" disable trigger ${trigger}`);
      await execute(tx, `delete from "${table}" where workspace_id = $1::uuid`, [id]);
      await execute(tx, `alter table "${table}" enable always trigger ${trigger}`);
    }
    await execute(tx, Prisma.sql`delete from workspace where id = ${id}::uuid`);
  });
}
