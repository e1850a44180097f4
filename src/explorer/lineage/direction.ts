// Which way a picture leads from what it is of, as its address says.

import type { AddressView } from '../asking/address.ts';
import type { Direction } from './model.ts';

const directions = { upstream: 'UPSTREAM', downstream: 'DOWNSTREAM' } as const;

/** The direction; both where the address says none. */
export function directionIn(view: AddressView): Direction {
  const said = view.one('direction');
  return said === 'upstream' || said === 'downstream' ? directions[said] : 'BOTH';
}
