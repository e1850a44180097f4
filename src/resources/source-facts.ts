// What sources say of a resource in their metadata that is shown by itself.

import { z } from 'zod';

const facts = z
  .object({
    scans: z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER).optional().catch(undefined),
    unknown_owners: z.array(z.string()).optional().catch(undefined),
    nullable: z.boolean().optional().catch(undefined),
    default: z.string().optional().catch(undefined),
    generated: z.string().optional().catch(undefined),
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

/** The kinds of keys, as sources call them, and what they say. */
export const keyKinds = {
  primary: 'Its columns name each row.',
  unique: 'No two rows have the same.',
  foreign: 'Its columns name a row of another table.',
} as const;

const columns = z.array(z.string());
const key = z.object({
  name: z.string().default(''),
  kind: z.enum(['primary', 'unique', 'foreign']),
  columns,
  refers_to: z.object({ table: z.string(), columns }).optional(),
});

/** A key of a table: its columns, and for a foreign one to what it refers. */
export interface TableKey {
  readonly name: string;
  readonly kind: keyof typeof keyKinds;
  readonly columns: readonly string[];
  readonly refersTo: { readonly table: string; readonly columns: readonly string[] } | null;
}

/** The keys of a table, as its source says them. */
export function keysOf(metadata: unknown): TableKey[] {
  const { data } = z.object({ keys: z.array(z.unknown()) }).safeParse(metadata);
  return (data?.keys ?? []).flatMap((one) => {
    const found = key.safeParse(one).data;
    if (!found) return [];
    const { refers_to: refersTo = null, ...own } = found;
    return [{ ...own, refersTo }];
  });
}

/** What a source says of a column besides its type: null for what it does not say. */
export interface ColumnFacts {
  readonly isNullable: boolean | null;
  readonly defaultValue: string | null;
  readonly generatedAs: string | null;
}

/** Whether a column may be null, and where its values come from. */
export function columnFactsOf(metadata: unknown): ColumnFacts {
  const { nullable, default: value, generated } = facts.parse(metadata);
  return {
    isNullable: nullable ?? null,
    defaultValue: value ?? null,
    generatedAs: generated ?? null,
  };
}
