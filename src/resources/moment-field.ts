// Fields that hold a moment.

import { invalidField } from '../errors.ts';
import type { Field } from '../fields.ts';

/** A moment; null for none. */
export function moment<Rest extends string>(rest: Rest): Field<Date, Date | null, Rest> {
  const holds = 'a date-time from 1970 to 9999';
  return {
    rest,
    holds,
    check: (given) => {
      const isInRange = given === null || (given.getTime() >= 0 && given.getUTCFullYear() <= 9999);
      if (isInRange) return given;
      throw invalidField(rest, `Use ${holds}.`);
    },
  };
}
