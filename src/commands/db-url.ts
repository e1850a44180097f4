// Prints the address of the database, for psql and pg_dump: `npm run -s db:url`.

import { readConfig } from '../config.ts';
import { packagedUrl } from '../database/attach.ts';
import { seeingEvery } from '../database/connections/session-settings.ts';
import { holderOf } from '../database/server/claim.ts';

try {
  const { DATABASE_URL, DATABASE_DIRECT_URL, DATA_DIR } = readConfig(process.env);
  const given = DATABASE_DIRECT_URL ?? DATABASE_URL;
  console.log(seeingEvery(given ?? packagedUrl(DATA_DIR)));
  if (!given && (await holderOf(DATA_DIR)) === null) {
    console.error('It answers while Headwater runs; at the moment it does not.');
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
