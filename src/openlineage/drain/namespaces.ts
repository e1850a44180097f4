// The integrations of namespaces: made when the first dataset of a namespace is described.

import { record } from '../../audit/audit.ts';
import type { Context } from '../../context.ts';
import { rows } from '../../database/rows.ts';
import { transaction } from '../../database/transaction.ts';
import { type Integration, Prisma } from '../../generated/prisma/client.ts';
import { getIntegration } from '../../integrations/integration.ts';

/** The type of such integrations. */
const openLineageType = 'openlineage';

/** The namespace that stands for all jobs. */
export const jobsNamespace = '';

/** Namespaces of a workspace that have an integration: more are made by names that change with each run. */
const most = 1_000;

/** The integration of a namespace, made where there is none; null where there are too many namespaces. */
export async function integrationOf(ctx: Context, namespace: string): Promise<Integration | null> {
  const [known] = await rows<{ id: string }>(
    ctx,
    Prisma.sql`select n.integration_id as id from openlineage_namespace n
      where n.workspace_id = ${ctx.workspaceId}::uuid and n.namespace = ${namespace}`,
  );
  if (known) return getIntegration(ctx, known.id);
  const [counted] = await rows<{ namespaces: number }>(
    ctx,
    Prisma.sql`select count(*)::integer as namespaces from openlineage_namespace n
      where n.workspace_id = ${ctx.workspaceId}::uuid`,
  );
  if (counted && counted.namespaces >= most) return null;
  return transaction(ctx, async (tx) => {
    const { workspaceId } = tx;
    const now = tx.now();
    const name = namespace === jobsNamespace ? 'OpenLineage' : namespace.slice(0, 200);
    const integration = await tx.db.integration.create({
      data: { workspaceId, name, type: openLineageType, createdAt: now, updatedAt: now },
    });
    await tx.db.openLineageNamespace.create({
      data: { workspaceId, namespace, integrationId: integration.id },
    });
    await record(tx, {
      activity: 'integration_created',
      subject: {
        id: integration.id,
        kind: 'integration',
        title: name,
        integrationId: integration.id,
      },
      says: `Events of OpenLineage named ${name} for the first time`,
    });
    return integration;
  });
}
