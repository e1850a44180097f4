// The keys by which integrations name resources, where people would give one by hand.

import type { ResourceField } from '../../auth/field-permission.ts';
import type { Context } from '../../context.ts';
import { rows } from '../../database/rows.ts';
import { CatalogError } from '../../errors.ts';
import { Prisma, type Resource } from '../../generated/prisma/client.ts';
import { type Kind, kinds } from '../kind.ts';

/**
 * What integrations alone set of a resource: its key, once one has it. What no source has, such as a
 * question, never gets one, or it would stand in the way of what a source calls by it.
 */
export function ownedFields(kind: Kind, before: Resource | null): ResourceField[] {
  const isGiven = before !== null && before.integrationId !== null && before.databuilderId !== null;
  return isGiven || !kinds[kind].extracted ? ['databuilder_id'] : [];
}

/** Throw CONFLICT that names the resource which has a key of an integration already. */
export async function mustBeFreeKey(
  tx: Context,
  integrationId: string | null,
  key: string | null | undefined,
): Promise<void> {
  if (integrationId === null || key == null) return;
  const [holder] = await rows<Pick<Resource, 'id' | 'kind' | 'titleFull'>>(
    tx,
    Prisma.sql`select r.id, r.kind, r.title_full as "titleFull" from resource r
      where r.workspace_id = ${tx.workspaceId}::uuid
        and r.integration_id = ${integrationId}::uuid and r.databuilder_id = ${key}`,
  );
  if (!holder) return;
  const message = `The integration calls the ${holder.kind} ${holder.titleFull} (${holder.id}) by this key.`;
  const fields = [{ field: 'databuilder_id', message }];
  throw new CatalogError('CONFLICT', `databuilder_id: ${message}`, fields);
}
