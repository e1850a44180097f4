// The argument by which a client says what it believes a record to be.

import { builder } from './builder.ts';

/** The argument of every mutation that changes or deletes one record. */
export const versionArgs = builder.args((t) => ({
  expectedVersion: t.int({
    description:
      'The `version` that you read. Where the record has changed since, nothing is done and the ' +
      'error is a CONFLICT whose extensions say by whom, what and when: `currentVersion`, ' +
      '`changedBy`, `changedAt`, `changedFields`. Without it the last one to save wins.',
  }),
}));
