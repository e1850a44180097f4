// Figures of notifications: what is still to be delivered, and how deliveries ended.

import { type Database, ofDatabase } from '../database/database.ts';
import { type Connection, rows } from '../database/rows.ts';

/** What the outbox holds for one kind of destination, in all workspaces. */
export interface OutboxFigure {
  readonly channel: string;
  readonly count: number;
  /** Seconds since the first of them was written. */
  readonly oldestSeconds: number;
}

/** Count what is still to be delivered. */
export async function countOutbox(db: Connection): Promise<OutboxFigure[]> {
  return rows<OutboxFigure>(
    db,
    `select channel, count(*)::int,
        extract(epoch from now() - min(created_at))::float8 as "oldestSeconds"
      from notification where state = 'pending' group by channel`,
  );
}

/** Webhooks of all workspaces by what becomes of deliveries to them. */
export interface WebhookFigures {
  readonly enabled: number;
  /** Left alone for a while, because they failed. */
  readonly paused: number;
  readonly disabled: number;
}

/** Count the webhooks. */
export async function countWebhooks(db: Connection): Promise<WebhookFigures> {
  const [figures] = await rows<WebhookFigures>(
    db,
    `select count(*) filter (where is_enabled and paused_until is not null and paused_until > now())
          ::int as paused,
        count(*) filter (where is_enabled and (paused_until is null or paused_until <= now()))
          ::int as enabled,
        count(*) filter (where not is_enabled)::int as disabled
      from webhook`,
  );
  if (!figures) throw new Error('The webhooks could not be counted.');
  return figures;
}

/** How an attempt to deliver ended: it arrived, is tried again, was given up, or has no way to go. */
export type DeliveryEnd = 'delivered' | 'again' | 'failed' | 'skipped';

/** Attempts on one kind of destination that ended in the same way. */
export interface DeliveryFigure {
  readonly channel: string;
  readonly end: DeliveryEnd;
  count: number;
}

const attempts = ofDatabase(() => new Map<string, DeliveryFigure>());

/** Note that this process has tried to deliver something. */
export function noteDelivery(database: Database, channel: string, end: DeliveryEnd): void {
  const figures = attempts(database);
  const name = `${channel} ${end}`;
  const figure = figures.get(name) ?? { channel, end, count: 0 };
  figure.count += 1;
  figures.set(name, figure);
}

/** Attempts of this process since it started. */
export function deliveries(database: Database): readonly Readonly<DeliveryFigure>[] {
  return [...attempts(database).values()];
}
