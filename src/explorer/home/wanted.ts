// The viewer's own things: from the viewer to a filter for the server.

import type { ViewerOfKeyData } from '../asking/viewer.graphql';
import type { HomeMineVariables } from './page.graphql';

/** What waits for the viewer, as an owner, a member of an owning group, an assignee or a subscriber. */
export function mineOf({
  id,
  groups,
}: Pick<ViewerOfKeyData['viewer'], 'id' | 'groups'>): HomeMineVariables {
  const groupIds = groups.map((group) => group.id);
  const byMe = { owners: { some: { id: { eq: id } } } };
  const byGroups = { ownerGroups: { some: { id: { in: groupIds } } } };
  const owned = groupIds.length === 0 ? byMe : { or: [byMe, byGroups] };
  return {
    incidents: {
      status: { in: ['active', 'acknowledged'] },
      or: [{ assigneeId: { eq: id } }, { target: owned }],
    },
    questions: {
      kind: { eq: 'question' },
      questionStatus: { eq: 'Unanswered' },
      or: [{ assignedToId: { eq: id } }, owned],
    },
    watched: { subscribers: { some: { id: { eq: id } } } },
  };
}
