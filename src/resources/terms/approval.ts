// Approval of glossary terms: who said that people agree on one, and when.

import type { Context } from '../../context.ts';
import type { Resource } from '../../generated/prisma/client.ts';
import { actorOf } from '../editing/change.ts';

type Approval = Partial<Pick<Resource, 'approvedAt' | 'approvedById'>>;

/** What follows of a status that a term gets: the viewer has approved it, or it is approved no longer. */
export function approvalOf(
  ctx: Context,
  before: Pick<Resource, 'termStatus'> | null,
  { termStatus }: Partial<Pick<Resource, 'termStatus'>>,
): Approval {
  if (termStatus === undefined || termStatus === (before?.termStatus ?? null)) return {};
  if (termStatus !== 'approved') return { approvedAt: null, approvedById: null };
  return { approvedAt: ctx.now(), approvedById: actorOf(ctx) };
}
