// What only the superuser can set up in the packaged server's database.

import { functionsOfIndexes, markOf } from '../leakproof.ts';

/** The role and the database of Headwater; the role is no superuser, and owns the database. */
export const role = 'headwater';

/** An import writes without looking up keys that it has proved: `src/integrations/imports/proved-keys.ts`. */
const mayLeaveChecks = `grant set on parameter session_replication_role to ${role}`;

/** Statements that were run in the database of every folder, each once. */
export const setUpStatements: readonly string[] = [
  ...functionsOfIndexes.map(markOf),
  mayLeaveChecks,
];
