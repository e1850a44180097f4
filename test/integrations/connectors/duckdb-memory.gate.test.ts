// What DuckDB computes without looking up is ended by the system: it takes no memory of the server, and nothing of it
// goes on once it is answered.

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { openDuckDbConnector } from '../../../src/integrations/connectors/duckdb/duckdb.ts';
import { loopback, outcome } from './read-source.ts';

vi.setConfig({ testTimeout: 300_000 });

/** Folded before a query begins, or computed in one go; and some that are cut within DuckDB, for comparison. */
const greedy = [
  'select list_sum(list_transform(range(300000000), x -> x*2))',
  'select list_sum(range(300000000))',
  'select count(*) from (select unnest(range(500000000)))',
  "select length(repeat('a', 2000000000))",
  'select list_reduce(range(200000000), (x, y) -> x + y)',
  'select list_sort(range(300000000))[1]',
  'select list_filter(range(300000000), x -> x % 2 = 0)[1]',
  'select sum(a.range * b.range) from range(100000000) a, range(100000000) b',
  'with recursive r(n) as (select 1 union all select n + 1 from r) select count(*) from r',
  'select max(range) from range(9000000000000000000)',
  'select list_aggregate(range(300000000), $$median$$)',
  'select list_distinct(range(100000000))[1]',
  'select list_unique(range(100000000))',
  'select list_reverse(range(300000000))[1]',
  'select list_reverse_sort(range(300000000))[1]',
  'select list_concat(range(200000000), range(200000000))[1]',
  'select list_zip(range(100000000), range(100000000))[1]',
  'select list_slice(range(300000000), 1, 200000000)[1]',
  'select list_contains(range(300000000), -1)',
  'select list_position(range(300000000), -1)',
  'select array_length(range(500000000))',
  'select len(list_transform(range(50000000), x -> repeat($$a$$, 100)))',
  'select len(string_split(repeat($$a,$$, 300000000), $$,$$))',
  'select len(regexp_extract_all(repeat($$ab$$, 200000000), $$a$$))',
  'select length(replace(repeat($$a$$, 500000000), $$a$$, $$bbbb$$))',
  'select length(lpad($$a$$, 2000000000, $$b$$))',
  'select length(rpad($$a$$, 2000000000, $$b$$))',
  'select length(array_to_string(range(100000000), $$,$$))',
  'select length(range(100000000)::varchar)',
  'select md5(repeat($$a$$, 2000000000))',
  'select sha256(repeat($$a$$, 2000000000))',
  'select levenshtein(repeat($$a$$, 100000), repeat($$b$$, 100000))',
  'select damerau_levenshtein(repeat($$a$$, 50000), repeat($$b$$, 50000))',
  'select jaccard(repeat($$ab$$, 500000000), repeat($$ba$$, 500000000))',
  'select length(to_json(range(100000000))::varchar)',
  'select histogram(range) from range(100000000)',
  'select list(range) from range(1000000000)',
  'select string_agg(range::varchar, $$,$$) from range(1000000000)',
  'select map(range(100000000), range(100000000))[1]',
  'select len(generate_series(timestamp $$0001-01-01$$, timestamp $$9000-01-01$$, interval 1 minute))',
];

/** Resident memory of this process, in bytes. */
const resident = () => process.memoryUsage.rss();
const room = 50_000_000;

/** The processes that this one started, by their commands. */
async function children(): Promise<string[]> {
  const found: string[] = [];
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const isOver = /\) [ZX]/.test(stat);
    if (Number(parent) !== process.pid || isOver) continue;
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (command.includes('file-reader')) found.push(command);
  }
  return found;
}

test.skipIf(process.platform !== 'linux')(
  `${greedy.length} statements take nothing of the server's memory, and end with their answers`,
  async () => {
    const files = await mkdtemp(join(tmpdir(), 'headwater-greedy-'));
    const { DuckDBInstance } = await import('@duckdb/node-api');
    const instance = await DuckDBInstance.create(join(files, 'shop.db'));
    instance.closeSync();
    const source = { id: 'greedy', reach: { ...loopback, filesDir: files } };
    const connector = openDuckDbConnector(source, { path: 'shop.db' });
    try {
      expect((await connector.query('select 1', { timeoutMs: 30_000 })).rows).toEqual([[1]]);
      let most = 0;
      const before = resident();
      const watch = setInterval(() => {
        most = Math.max(most, resident() - before);
      }, 20);
      const outcomes = new Map<string, number>();
      for (const sql of greedy) {
        const answer = await outcome(connector, sql, 1_000);
        const left = answer === 'answered' ? [] : await children();
        expect([sql, left]).toEqual([sql, []]);
        outcomes.set(answer, (outcomes.get(answer) ?? 0) + 1);
      }
      clearInterval(watch);
      console.log(
        `${greedy.length} greedy statements: ${JSON.stringify([...outcomes])}; the server's memory grew by ${Math.round(most / 1e6)} MB at most`,
      );
      expect(most).toBeLessThan(room);
      expect((await connector.query('select 2', { timeoutMs: 30_000 })).rows).toEqual([[2]]);
    } finally {
      await connector.close();
      await sleep(100);
      await rm(files, { recursive: true, force: true });
    }
    await expect.poll(children).toEqual([]);
  },
);
