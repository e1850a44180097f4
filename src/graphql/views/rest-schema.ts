// The view of the schema for the operations of REST; made at the first request of REST, and not at the start.

import { whole } from '../schema.ts';
import { viewFor } from './view.ts';

/** The types and resolvers of /graphql, with what only the operations of REST need. */
export const restSchema = viewFor('rest', whole);
