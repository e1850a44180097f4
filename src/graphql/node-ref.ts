// The interface of everything that has an id of its own, by which clients keep what they read.

import { builder } from './builder.ts';

/** What implements it is found by `node`; its type says so with `interfaces: [NodeRef]`. */
export const NodeRef = builder.interfaceRef<{ readonly id: string }>('Node').implement({
  description: 'Something with an id that nothing else of any type has, and that `node` finds.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Unique identifier.' }),
  }),
});
