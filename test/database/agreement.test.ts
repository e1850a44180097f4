import { expect, test } from 'vitest';
import { setDifferences } from '../../scripts/closed-sets.ts';
import { schemaDifference } from '../../scripts/schema-difference.ts';
import { openTestDatabase } from '../database.ts';

test('the migrations lead to exactly the tables of schema.prisma', async () => {
  await using opened = await openTestDatabase();
  expect(await schemaDifference(opened.owner)).toBe('');
});

test('a word that a constraint refuses or allows alone is a difference, and its SQL mends it', async () => {
  await using opened = await openTestDatabase();
  const pool = opened.owner;
  await pool.query(`alter table monitor drop constraint monitor_metric_type_known,
    add constraint monitor_metric_type_known check (metric_type in ('row_count', 'median'))`);
  await pool.query(`alter table webhook drop constraint webhook_events_known,
    add constraint webhook_events_known check (events <@ array['incident_opened', 'ping'])`);
  const differences = await setDifferences(pool);
  expect(differences).toMatchObject([
    { constraint: 'monitor_metric_type_known', extra: ['median'] },
    { constraint: 'webhook_events_known', extra: ['ping'] },
  ]);
  expect(differences[0]?.missing).toContain('freshness');
  expect(differences[1]?.missing).toEqual([
    'incident_reopened',
    'incident_resolved',
    'monitor_failed',
    'monitor_recovered',
    'resource_changed',
    'incident_acknowledged',
    'job_succeeded',
    'job_failed',
    'question_asked',
    'question_answered',
    'lineage_changed',
  ]);
  const sql = await schemaDifference(pool);
  expect(sql).toBe(differences.map((one) => one.sql).join('\n\n'));
  for (const one of differences) await pool.query(one.sql);
  expect(await setDifferences(pool)).toEqual([]);
});

test('a column that the schema does not know is a difference', async () => {
  await using opened = await openTestDatabase();
  const pool = opened.owner;
  await pool.query('alter table tag add column forgotten text');
  expect(await schemaDifference(pool)).toBe(
    '-- AlterTable\nALTER TABLE "tag" DROP COLUMN "forgotten";',
  );
});

test('no sequence is unlogged: on a standby that is promoted at once it would refuse every write', async () => {
  await using opened = await openTestDatabase();
  const { rows } = await opened.owner.query(
    `select relname from pg_class where relkind = 'S' and relpersistence <> 'p'`,
  );
  expect(rows).toEqual([]);
});
