// Ends, after each test file, what its tests shared, and decides what properties try.

import fc from 'fast-check';
import { afterAll } from 'vitest';
import { atEnd } from './at-end.ts';

// In CI the same in each run of one version, so that what fails there comes from the change; elsewhere anything.
// `SEED` tries again what a failure named.
const seed = process.env.SEED ?? (process.env.CI ? '1' : undefined);
if (seed !== undefined) fc.configureGlobal({ seed: Number(seed) });

afterAll(async () => {
  for (const end of atEnd) await end();
});
