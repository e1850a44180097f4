// Permissions of a role, in GraphQL.

import { type Action, actions, allowedTo } from '../auth/permission.ts';
import type { Viewer } from '../auth/viewer.ts';
import { closedSet } from '../graphql/views/closed-set.ts';

/** An action as a word, such as edit_monitors. */
function wordOf(action: Action): string {
  return action.toLowerCase().replaceAll("'", '').replaceAll(' ', '_');
}

export const ViewerActionEnum = closedSet('ViewerAction', {
  description: 'Something that a role allows or not.',
  values: Object.fromEntries(actions.map((action) => [wordOf(action), `May ${action}.`])),
});

/** What the viewer may do, in words of the enum. */
export function actionsOf(viewer: Viewer): string[] {
  return allowedTo(viewer).map(wordOf);
}
