// The schema as the operations of REST see it; made when REST is first asked for, and not at the start.

import { whole } from '../schema.ts';
import { viewFor } from './view.ts';

/** The same types and resolvers as people have, with what only the operations of REST need. */
export const restSchema = viewFor('rest', whole);
