// The filters of the list of monitors: from the address to what the server is asked for.

import type { AddressView } from '../asking/address.ts';
import type {
  MonitorCountsData,
  MonitorCountsVariables,
  MonitorListVariables,
} from './page.graphql';

type Where = MonitorListVariables['where'];

/** What one of the lists of the page asks for. */
export type ListAsked = Pick<MonitorListVariables, 'where' | 'orderBy'>;
type Status = Exclude<keyof MonitorCountsData, 'all'>;

/** What waits for somebody comes first. */
export const statuses = [
  ...(['incident', 'error', 'learning', 'normal', 'pending', 'disabled'] as const),
] satisfies Status[];

/** The names of the filters in the address, but for the status. */
export const filterNames = ['q', 'owner', 'source'] as const;

/** The status that the address asks for; null for all. */
export function statusOf(view: AddressView): Status | null {
  return statuses.find((status) => status === view.one('status')) ?? null;
}

/** What to ask for: those that need somebody, where all are shown, and the others. */
export function listsOf(view: AddressView): { urgent: ListAsked; others: ListAsked } {
  const wanted = wantedBy(view);
  const status = statusOf(view);
  const isUrgent = { status: { in: ['incident', 'error'] } } satisfies Where;
  return {
    urgent: {
      where: { and: [...wanted, isUrgent] },
      orderBy: [{ status: 'desc' }, { name: 'asc' }],
    },
    others: {
      // Of one status, all are in one list.
      where: { and: [...wanted, status ? { status: { eq: status } } : { not: isUrgent }] },
      orderBy: [{ name: 'asc' }],
    },
  };
}

/** What to count: all that the other filters leave, by status. */
export function countsOf(view: AddressView): MonitorCountsVariables {
  const wanted = wantedBy(view);
  return { wanted: wanted.length > 0 ? { and: wanted } : {} };
}

function wantedBy(view: AddressView): Where[] {
  const [words, owner, source] = filterNames.map((name) => view.one(name).trim());
  const byWords: Where[] = words
    ? [{ or: [{ name: { contains: words } }, { target: { titleFull: { contains: words } } }] }]
    : [];
  const byOwner: Where[] = owner ? [{ target: { owners: { some: { id: { eq: owner } } } } }] : [];
  const bySource: Where[] = source ? [{ integrationId: { eq: source } }] : [];
  return [...byWords, ...byOwner, ...bySource];
}
