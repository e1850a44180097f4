// Connections to a server that vanished without a word.

import pg from 'pg';
import { expect, test } from 'vitest';
import { breakAfterSilence } from '../../../src/database/connections/silence.ts';
import { openTestDatabase } from '../../database.ts';
import { openProxy } from '../proxy.ts';

test('a statement on a connection that is silent for too long fails, and one that is answered does not', async () => {
  await using opened = await openTestDatabase();
  await using proxy = await openProxy(opened.url);
  const client = new pg.Client({ connectionString: proxy.url });
  client.on('error', () => {});
  await client.connect();
  breakAfterSilence(client, 700);
  for (let times = 0; times < 3; times += 1) await client.query('select pg_sleep(0.3)');
  proxy.swallow();
  await expect(client.query('select 1')).rejects.toThrow('Connection terminated');
});
