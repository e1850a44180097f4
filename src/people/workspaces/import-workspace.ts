// Takes a workspace in from a file: all of it with its ids, keys and audit log, or nothing.

import { record } from '../../audit/audit.ts';
import { changesOf } from '../../audit/changes.ts';
import { verifyWithin } from '../../audit/verify.ts';
import { lockFirstUse } from '../../auth/authentication.ts';
import { serverViewer } from '../../auth/viewer.ts';
import { type Context, contextAcross } from '../../context.ts';
import type { ProgressListener } from '../../database/backups/progress.ts';
import type { Backup } from '../../database/backups/restore.ts';
import { type TakenIn, takeIn } from '../../database/backups/take-in.ts';
import type { Database } from '../../database/database.ts';
import { clientOf, transaction } from '../../database/transaction.ts';
import { checkName, mustBeFree, type NamedWorkspace, readWorkspaces } from './workspaces.ts';

/** How a workspace is taken in. */
export interface ImportWorkspaceOptions {
  /** What it is to be called; as in the file where absent. */
  readonly name?: string | undefined;
  readonly onProgress?: ProgressListener;
}

/** A workspace that was taken in. */
export interface ImportedWorkspace extends NamedWorkspace {
  readonly contents: TakenIn['contents'];
  /** Entries of its audit log that are links of the chain, and the hash of the last one. */
  readonly sealed: number;
  readonly head: string | null;
}

/**
 * Take in a workspace next to the others, in one transaction. Throws with a sentence like `takeIn`; CONFLICT for a name
 * that another workspace has; and where the audit log of the file is not as it was sealed.
 */
export async function importWorkspace(
  database: Database,
  backup: Backup,
  { name: given, onProgress }: ImportWorkspaceOptions = {},
): Promise<ImportedWorkspace> {
  const wanted = given === undefined ? undefined : checkName(given);
  return transaction(
    contextAcross(database, 'COMMAND'),
    async (any) => {
      const client = clientOf(any);
      if (!client) throw new Error('The transaction has no connection.');
      const { workspace, contents } = await takeIn(client, backup, onProgress);
      const { id } = workspace;
      const chain = await verifyChain(any, id);
      const name = wanted ?? workspace.name;
      const tx = { ...any, viewer: serverViewer(id), workspaceId: id };
      if (name !== workspace.name) await tx.db.workspace.update({ where: { id }, data: { name } });
      await record(tx, {
        activity: 'workspace_imported',
        subject: { id, kind: 'workspace', title: name },
        changes: changesOf({ name: workspace.name }, { name }),
      });
      await lockFirstUse(any);
      const others = (await readWorkspaces(any)).filter((one) => one.id !== id);
      mustBeFree(others, name);
      return { id, name, contents, sealed: chain?.sealed ?? 0, head: chain?.head ?? null };
    },
    { long: true },
  );
}

/** Throws where the log of a workspace is not as it was sealed. */
async function verifyChain(any: Context, workspaceId: string) {
  const { broken, chains } = await verifyWithin(any, { workspaceId });
  const [first] = broken;
  if (first) {
    throw new Error(
      `The audit log in the file is not as it was sealed: entry ${first.sequence} (${first.entryId}) was ` +
        `${first.how}. Nothing was changed.`,
    );
  }
  return chains[0];
}
