// What a person's answer to an incident teaches the range of its monitor.

import type { Context } from '../../context.ts';
import { execute } from '../../database/rows.ts';
import { invalidField } from '../../errors.ts';
import { type Incident, type Monitor, Prisma } from '../../generated/prisma/client.ts';
import { forgetLearned } from '../learning/range.ts';
import { expectColumns } from '../runs/schema-changes.ts';

/** A value that is expected for longer is one that the range should hold. */
const longestMs = 90 * 86_400_000;

/**
 * Let the range learn why an incident was resolved: of a false positive its values are normal; what was
 * expected is the new normal, and so are columns. The learner replays what was measured at the next run.
 */
export async function learnFrom(
  tx: Context,
  monitor: Monitor,
  { id, targetId }: Pick<Incident, 'id' | 'targetId'>,
  reason: string,
): Promise<void> {
  if (monitor.metricType === 'schema_changes') {
    const isInOrder = reason === 'expected' || reason === 'false_positive';
    if (isInOrder) await expectColumns(tx, monitor, targetId);
    return;
  }
  if (monitor.conditionAutoSensitivity === null) return;
  const { workspaceId } = tx;
  if (reason === 'false_positive') {
    const data = { markedNormal: true, updatedAt: tx.now() };
    await tx.db.measurement.updateMany({ where: { workspaceId, incidentId: id }, data });
  } else if (reason === 'expected') {
    await execute(
      tx,
      Prisma.sql`update measurement set new_level = true, updated_at = ${tx.now()}
        where workspace_id = ${workspaceId}::uuid and id = ${monitor.lastMeasurementId}::uuid`,
    );
  } else {
    return;
  }
  await forgetLearned(tx, monitor.id);
}

/** Until when values out of a given range open no incident. Throws BAD_REQUEST that names the field. */
export function checkExpectedUntil(
  { conditionAutoSensitivity }: Pick<Monitor, 'conditionAutoSensitivity'>,
  { reason, until }: { readonly reason: string | null; readonly until: Date },
  now: Date,
): Date {
  const field = 'expected_until';
  if (reason !== 'expected') {
    throw invalidField(field, 'This takes status resolved and resolve_reason expected.');
  }
  if (conditionAutoSensitivity !== null) {
    throw invalidField(field, 'A learned range takes what is expected for its new normal.');
  }
  const ms = until.getTime() - now.getTime();
  if (ms > 0 && ms <= longestMs) return until;
  throw invalidField(field, 'Use a time within the next 90 days.');
}
