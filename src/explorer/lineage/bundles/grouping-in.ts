// What the address of a picture says that it is grouped by.

import type { AddressView } from '../../asking/address.ts';
import { type Grouping, groupings } from '../model.ts';

/** The grouping; null where the address names none. */
export function groupingIn(view: AddressView): Grouping | null {
  return groupings.find((one) => one === view.one('group')) ?? null;
}
