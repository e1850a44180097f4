// Changes of lineage in GraphQL, as they happen.

import { invalidField, notFound } from '../errors.ts';
import { builder } from '../graphql/builder.ts';
import { readNow, watchEach } from '../graphql/watch.ts';
import { resourceAt } from '../resources/schema.ts';
import { isUuid } from '../text/uuid.ts';
import { type LineageState, lineageStates } from './lineage-state.ts';

/** Resources that one subscription watches at most. */
const maxWatched = 100;

const LineageStateRef = builder.objectRef<LineageState>('LineageState').implement({
  description:
    'What flows directly into or out of a resource or its columns, as far as the viewer sees both ends.',
  fields: (t) => ({
    resourceId: t.exposeID('id', { description: 'The resource.' }),
    resource: t.field(resourceAt('The resource.', ({ id }: LineageState) => id)),
    edgeCount: t.exposeInt('edgeCount', { description: 'Edges that hold.' }),
    changedAt: t.expose('changedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When an edge began, changed or ended last; null where there never was one.',
    }),
  }),
});

builder.subscriptionField('lineageChanged', (t) =>
  t.field({
    type: LineageStateRef,
    description:
      'Each of several resources now, and when lineage next to it or its columns begins, changes or ends, by an ' +
      'import or by hand. Those that the viewer may not see are left out; NOT_FOUND where that is all of them.',
    args: {
      ids: t.arg.idList({ required: true, description: `Their ids: 1 to ${maxWatched}.` }),
    },
    subscribe: async (_root, { ids: given }, ctx) => {
      if (given.length < 1 || given.length > maxWatched) {
        throw invalidField('ids', `Use 1 to ${maxWatched} ids, not ${given.length}.`);
      }
      const ids = given.filter(isUuid).map((id) => id.toLowerCase());
      const found = await readNow(ctx, (now) => lineageStates(now, ids));
      if (found.length === 0) throw notFound('Resource');
      return watchEach<LineageState>(ctx, { topic: 'lineage', ids, read: lineageStates });
    },
    resolve: (state) => state,
  }),
);
