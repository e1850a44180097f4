// The result of an attempt to deliver something, whatever its destination.

import type { Context } from '../../context.ts';
import type { DeliveryFailure } from './failure.ts';

export interface DeliveryOutcome {
  /** Whom it was for, in words. */
  readonly who: string;
  /** What the other side calls it, such as a chat message's ts. */
  readonly reference: string | null;
  /** Null where it arrived. */
  readonly failure: DeliveryFailure | null;
  /** Write what else is to be remembered of it, in the transaction of the delivery's end. */
  readonly note?: (tx: Context) => Promise<void>;
}
