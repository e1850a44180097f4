// Counting what is sealed in a database and can't be opened with the master keys at hand.

import type pg from 'pg';
import { type KeySource, keyIds } from './master-key.ts';

/** How many integrations and webhooks hold what can't be opened. */
export interface Unopened {
  readonly credentials: number;
  readonly secrets: number;
}

/** Count what was sealed under other master keys than those of the source, which makes none. */
export async function countUnopened(client: pg.ClientBase, source: KeySource): Promise<Unopened> {
  // An envelope names its key in its second field.
  const { rows } = await client.query<Unopened>(
    `select
       (select count(*)::int from integration
        where credentials is not null and split_part(credentials, ':', 2) <> all ($1)) as credentials,
       (select count(*)::int from webhook where split_part(secret, ':', 2) <> all ($1)) as secrets`,
    [keyIds(source)],
  );
  return rows[0] ?? { credentials: 0, secrets: 0 };
}
