// Which way a picture leads from what it is of, and in which form it is shown, as its address says.

import type { AddressView } from '../asking/address.ts';
import type { Direction } from './model.ts';

/** A picture, a list of steps, or a table of lines. */
export type ViewForm = 'picture' | 'steps' | 'table';

const directions = { upstream: 'UPSTREAM', downstream: 'DOWNSTREAM' } as const;

/** The direction; both where the address says none. */
export function directionIn(view: AddressView): Direction {
  const said = view.one('direction');
  return said === 'upstream' || said === 'downstream' ? directions[said] : 'BOTH';
}

/** The form; where the address says none, a narrow window shows steps. */
export function formIn(view: AddressView, isWide: boolean): ViewForm {
  const said = view.one('view');
  if (said === 'picture' || said === 'steps' || said === 'table') return said;
  return isWide ? 'picture' : 'steps';
}
