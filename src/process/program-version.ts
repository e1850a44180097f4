// The version of Headwater that runs.

import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** The version of this program, as its package.json has it. */
export function programVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}
