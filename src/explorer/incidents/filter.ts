// The filters of the board: from the address to what the server is asked for.

import type { AddressView } from '../asking/address.ts';
import type { IncidentColumnVariables } from './page.graphql';

type Where = IncidentColumnVariables['where'];

/** The columns of the board. */
export const columns = ['active', 'acknowledged', 'resolved'] as const;

export const severities = ['critical', 'high', 'medium', 'low'] as const;

/** The names of the filters in the address. */
export const filterNames = ['severity', 'assignee', 'source'] as const;

/** What a column of the board asks for: the worst first of what waits, what is over in the order of its end. */
export function columnOf(
  view: AddressView,
  status: (typeof columns)[number],
): Pick<IncidentColumnVariables, 'where' | 'orderBy'> {
  const severity = severities.find((one) => one === view.one('severity'));
  const wanted: Where[] = [
    ...(severity ? [{ severity: { eq: severity } }] : []),
    ...(view.one('assignee') ? [{ assigneeId: { eq: view.one('assignee') } }] : []),
    ...(view.one('source') ? [{ integrationId: { eq: view.one('source') } }] : []),
  ];
  return {
    where: { and: [...wanted, { status: { eq: status } }] },
    orderBy:
      status === 'resolved'
        ? [{ resolvedAt: 'desc' }]
        : [{ severity: 'desc' }, { firstSeenAt: 'desc' }],
  };
}
