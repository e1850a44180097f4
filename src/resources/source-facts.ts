// What sources say of a resource in their metadata that is shown by itself.

import { z } from 'zod';

const facts = z
  .object({
    scans: z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER).optional().catch(undefined),
    unknown_owners: z.array(z.string()).optional().catch(undefined),
  })
  .catch({});
/** Of what a warehouse and a project describe, the project's words stand by themselves. */
const ofBoth = z.object({ transform: facts.optional() }).catch({});

/** How often a table was scanned; null where its source counts statements, or says nothing. */
export function scansOf(metadata: unknown): number | null {
  return facts.parse(metadata).scans ?? null;
}

/** The owners that sources name and that are neither users nor groups, each once. */
export function unknownOwnersOf(metadata: unknown): string[] {
  const all = [facts.parse(metadata), ofBoth.parse(metadata).transform];
  return [...new Set(all.flatMap((one) => one?.unknown_owners ?? []))];
}
