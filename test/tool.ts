// Says which of the packages of tools/ are there: a project that was only installed has none of them.

import { existsSync } from 'node:fs';

/** Whether a package of tools/ is installed; says which tests are skipped where it is not. */
export function hasTool(name: string): boolean {
  const isThere = existsSync(new URL(`../tools/node_modules/${name}`, import.meta.url));
  if (!isThere) console.warn(`Skipped: tests with ${name}. Run \`npm run tools\` to install it.`);
  return isThere;
}
