// Rewrapping secrets: those that an earlier master key sealed are sealed under the current one.

import { record } from '../audit/audit.ts';
import { changeOf } from '../audit/changes.ts';
import { serverViewer } from '../auth/viewer.ts';
import { contextAcross } from '../context.ts';
import type { Database } from '../database/database.ts';
import { execute, rows } from '../database/rows.ts';
import { transaction } from '../database/transaction.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { rewrap } from '../secrets/envelope.ts';
import type { MasterKeys } from '../secrets/master-key.ts';

/** Where secrets of one kind are stored. */
export interface SealedColumn {
  readonly table: 'integration' | 'webhook';
  readonly column: 'credentials' | 'secret' | 'previous_secret';
  /** The same in words, for the audit log. */
  readonly says: string;
  /** Whose the secret of a row is, as it was sealed. */
  readonly ownerOf: (workspaceId: string, id: string) => string;
}

/** How many secrets were sealed again, and whose could not be. */
export interface Rewrapped {
  readonly rewrapped: number;
  /** Names of those whose secrets no key of this process opens. */
  readonly unknown: readonly string[];
}

interface SealedRow {
  readonly workspaceId: string;
  readonly id: string;
  readonly name: string;
  readonly sealed: string;
}

/**
 * Seal all secrets of a kind that an earlier master key sealed under the current one, so that the earlier one can be
 * taken away. Each workspace where that was done has an entry in its audit log.
 */
export async function rewrapColumn(
  database: Database,
  masterKeys: () => MasterKeys,
  { table, column, says, ownerOf }: SealedColumn,
): Promise<Rewrapped> {
  const [from, field] = [Prisma.raw(table), Prisma.raw(column)];
  return transaction(contextAcross(database), async (any) => {
    const all = await rows<SealedRow>(
      any,
      Prisma.sql`select workspace_id as "workspaceId", id, name, ${field} as sealed from ${from}
        where ${field} is not null order by name, id`,
    );
    const unknown: string[] = [];
    const done = new Map<string, string[]>();
    for (const { workspaceId, id, name, sealed } of all) {
      const known = rewrap(masterKeys(), ownerOf(workspaceId, id), sealed);
      if (known === null) unknown.push(name);
      if (known === null || known === sealed) continue;
      // Another process may have done it, or somebody entered another secret.
      const count = await execute(
        any,
        Prisma.sql`update ${from} set ${field} = ${known}
          where workspace_id = ${workspaceId}::uuid and id = ${id}::uuid and ${field} = ${sealed}`,
      );
      if (count > 0) done.set(workspaceId, [...(done.get(workspaceId) ?? []), id]);
    }
    for (const [workspaceId, ids] of done) {
      await record(
        { ...any, workspaceId, viewer: serverViewer(workspaceId) },
        {
          activity: 'secrets_resealed',
          related: { ids, type: table },
          changes: [changeOf('masterKeyId', null, masterKeys()[0].id)],
          says: `Headwater encrypted ${says} with the new SECRETS_KEY: ${ids.length}`,
        },
      );
    }
    const rewrapped = [...done.values()].reduce((sum, ids) => sum + ids.length, 0);
    return { rewrapped, unknown };
  });
}
