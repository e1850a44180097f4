// The links between the packaged server's libraries, which a package can't carry.

import { readFileSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { packageFolder } from './programs.ts';

const linksShape = z.array(z.object({ source: z.string(), target: z.string() }));

/**
 * Make the links that the package lists. Its own install script would do the same; npm runs none here.
 * Links that are there stay as they are.
 */
export function linkLibraries(): void {
  const folder = packageFolder();
  const text = readFileSync(join(folder, 'pg-symlinks.json'), 'utf8');
  for (const { source, target } of linksShape.parse(JSON.parse(text))) {
    // Both begin with the name of the folder, and lie in one folder.
    const path = join(dirname(folder), target);
    try {
      symlinkSync(basename(source), path);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
  }
}
