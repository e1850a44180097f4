// The parts of a log entry that are kept as JSON: read back as what they were written as.

import { z } from 'zod';
import type { AuditLog } from '../generated/prisma/client.ts';
import type { FieldChange } from './changes.ts';

const text = z.string().nullish().default(null);

const performer = z.object({
  id: text,
  email: z.string().default(''),
  first_name: z.string().default(''),
  last_name: z.string().default(''),
  name: z.string().default(''),
});

const thing = z.object({
  id: text,
  title: text,
  name: text,
  icon: text,
  type: text,
  integration_id: text,
});

const blocks = z.array(z.object({ type: z.string(), style: z.string(), value: z.string() }));

/** Who did it, as they were then. */
export type Performer = z.infer<typeof performer>;
/** What it was done to, as it was then; all null where it was done to nothing of its own. */
export type Thing = z.infer<typeof thing>;
/** A part of the entry in words. */
export type EventBlock = z.infer<typeof blocks>[number];

const changes = z.array(
  z.object({
    field: z.string(),
    before: z.unknown(),
    after: z.unknown(),
    note: text,
  }),
);

/** What an entry says was changed. */
export function changesIn(entry: Pick<AuditLog, 'changes'>): FieldChange[] {
  return changes.parse(entry.changes);
}

/** Who did what an entry says. */
export function performerOf({ performerMetadata }: Pick<AuditLog, 'performerMetadata'>): Performer {
  return performer.parse(performerMetadata);
}

/** What the deed of an entry was done to. */
export function thingOf({ resourceMetadata }: Pick<AuditLog, 'resourceMetadata'>): Thing {
  return thing.parse(resourceMetadata);
}

/** The entry in words. */
export function blocksOf({ eventBlocks }: Pick<AuditLog, 'eventBlocks'>): EventBlock[] {
  return blocks.parse(eventBlocks);
}
