// The arguments of mutations that create, change or delete one record.

import type { InputRef } from '@pothos/core';
import { builder } from './builder.ts';

/** The argument of every mutation that changes or deletes one record: what a client believes the record to be. */
export const versionArgs = builder.args((t) => ({
  expectedVersion: t.int({
    description:
      'The `version` that you read. Where the record has changed since, nothing is done and the ' +
      'error is a CONFLICT whose extensions say by whom, what and when: `currentVersion`, ' +
      '`changedBy`, `changedAt`, `changedFields`. Without it the last one to save wins.',
  }),
}));

/** The arguments of a mutation that creates a record of these fields. */
export function createArgs<Fields>(type: InputRef<Fields>) {
  return builder.args((t) => ({
    input: t.field({ type, required: true, description: 'Its fields.' }),
  }));
}

/** The arguments of a mutation that changes a record, such as `tag`. */
export function updateArgs<Fields>(record: string, type: InputRef<Fields>) {
  return {
    ...idArgs(record),
    ...builder.args((t) => ({
      input: t.field({ type, required: true, description: 'What to change.' }),
    })),
    ...versionArgs,
  };
}

/** The arguments of a mutation that deletes a record, such as `tag`. */
export function deleteArgs(record: string) {
  return { ...idArgs(record), ...versionArgs };
}

/** The argument of a mutation of one record, such as `tag`. */
export function idArgs(record: string) {
  return builder.args((t) => ({
    id: t.id({ required: true, description: `Id of the ${record}.` }),
  }));
}
