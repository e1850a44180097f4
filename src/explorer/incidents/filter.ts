// In charge of the filters of the board: from the address to what the server is asked for.

import type { AddressView } from '../asking/address.ts';
import type { IncidentBoardVariables } from './page.graphql';

type Where = IncidentBoardVariables['active'];

export const severities = ['critical', 'high', 'medium', 'low'] as const;

/** The names of the filters in the address. */
export const filterNames = ['severity', 'assignee', 'source'] as const;

/** What each column of the board asks for. */
export function boardOf(view: AddressView): Omit<IncidentBoardVariables, 'first'> {
  const severity = severities.find((one) => one === view.one('severity'));
  const wanted: Where[] = [
    ...(severity ? [{ severity: { eq: severity } }] : []),
    ...(view.one('assignee') ? [{ assigneeId: { eq: view.one('assignee') } }] : []),
    ...(view.one('source') ? [{ integrationId: { eq: view.one('source') } }] : []),
  ];
  return {
    active: { and: [...wanted, { status: { eq: 'active' } }] },
    acknowledged: { and: [...wanted, { status: { eq: 'acknowledged' } }] },
    resolved: { and: [...wanted, { status: { eq: 'resolved' } }] },
  };
}
