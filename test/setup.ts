// Ends, after each test file, what its tests shared, and decides what properties try.

import fc from 'fast-check';
import { afterAll } from 'vitest';
import { limitSqlTime } from '../src/lineage/queries/trace-sql.ts';
import { atEnd } from './at-end.ts';

// On a push the same in each run, so that what fails comes from the change; at night and elsewhere anything.
// `SEED` tries again what a failure named.
const isPush = process.env.CI && process.env.NIGHTLY !== '1';
const seed = process.env.SEED ?? (isPush ? '1' : undefined);
if (seed !== undefined) fc.configureGlobal({ seed: Number(seed) });

// What is to be refused is refused for what it is, not for what else the machine does.
limitSqlTime(60_000);

afterAll(async () => {
  for (const end of atEnd) await end();
});
