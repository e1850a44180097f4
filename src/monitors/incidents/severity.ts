// How bad an incident is, by what it reaches; a person may say otherwise.

import type { Context } from '../../context.ts';
import { rows } from '../../database/rows.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { IncidentReach } from './concern.ts';

/** How bad an incident can be. */
export const severities = ['low', 'medium', 'high', 'critical'] as const;
export type Severity = (typeof severities)[number];

/** What people look at. */
const looked: ReadonlySet<string> = new Set(['dashboard', 'chart']);

/** How bad an incident is that reaches so far: what is verified counts, and what people look at. */
export function severityOf({ near, below, count }: IncidentReach): Severity {
  const isVerified = [...near, ...below].some(({ verified }) => verified);
  const isLookedAt = below.some(({ kind }) => looked.has(kind));
  if (isVerified && isLookedAt) return 'critical';
  if (isVerified || isLookedAt) return 'high';
  return count > 0 ? 'medium' : 'low';
}

/** Rate a new incident by what it reaches, unless somebody has rated it. Answers how it is rated then. */
export async function rateIncident(
  ctx: Context,
  id: string,
  reach: IncidentReach,
): Promise<string | undefined> {
  const [rated] = await rows<{ severity: string }>(
    ctx,
    Prisma.sql`update incident set severity = case when severity = 'medium'
          then ${severityOf(reach)} else severity end
      where workspace_id = ${ctx.workspaceId}::uuid and id = ${id}::uuid returning severity`,
  );
  return rated?.severity;
}
