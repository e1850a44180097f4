// What only the superuser can set up in the packaged server's database.

import { functionsOfIndexes, markOf } from '../leakproof.ts';

/** Statements that were run in the database of every folder, each once. */
export const setUpStatements: readonly string[] = functionsOfIndexes.map(markOf);
