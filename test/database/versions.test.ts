// Versions of rows, as the database counts them: each change of a row is one more.

import { readFileSync } from 'node:fs';
import type pg from 'pg';
import { expect, test } from 'vitest';
import { migrationsFolder, readMigrations } from '../../src/database/migrations/migrate.ts';
import { type Catalog, openCatalog } from '../catalog.ts';

/** Columns that say what was done with a record, or what came of it, and not what it is. */
const noChange: Readonly<Record<string, readonly string[]>> = {
  resource: [
    'internal_usage',
    'internal_user_ids',
    'multiplayer_ids',
    'bookmarked_by_ids',
    'votes_sum',
    'reactions',
    'address',
    'identity',
    'variant',
    'shared',
  ],
  monitor: [
    'updated_at',
    'status',
    'last_attempted_at',
    'last_success_at',
    'last_error_at',
    'last_error_message',
    'last_measurement_id',
    'last_measurement_value',
    'last_incident_id',
    'last_warning',
    'failed_runs',
    'failed_since',
    'failed_away',
    'failure_notified_at',
    'next_run_at',
    'muted_until',
  ],
  incident: [
    'updated_at',
    'value',
    'good_runs',
    'standing',
    'cause_id',
    'root_id',
    'last_seen_at',
    'last_notified_at',
  ],
  integration: ['updated_at', 'scheduled_extractions_next_run', 'scheduled_extractions_last_run'],
  webhook: ['updated_at', 'failures', 'paused_until', 'previous_secret', 'previous_until'],
};

/** One row of each table that counts its versions; the tables. */
async function fill(catalog: Catalog): Promise<string[]> {
  const { workspaceId, database } = catalog;
  const { id: integrationId } = await catalog.integration();
  const [target, source] = [await catalog.resource(), await catalog.resource()];
  await Promise.all([catalog.tag(), catalog.group(), catalog.property()]);
  const monitor = await database.prisma.monitor.create({
    data: {
      workspaceId,
      targetId: target.id,
      integrationId,
      metricType: 'row_count',
      name: 'Rows',
    },
  });
  const common = { workspaceId, name: 'One' };
  await database.prisma.incident.create({
    data: { ...common, monitorId: monitor.id, targetId: target.id, summary: 'Odd', value: 1 },
  });
  await database.prisma.lineageEdge.create({
    data: { workspaceId, sourceId: source.id, targetId: target.id, origin: 'MANUAL' },
  });
  await database.prisma.notificationRule.create({ data: { ...common, events: [] } });
  await database.prisma.maintenanceWindow.create({ data: common });
  await database.prisma.comment.create({
    data: { workspaceId, resourceId: target.id, authorId: catalog.idOf('admin'), text: 'One' },
  });
  await database.prisma.announcement.create({
    data: { workspaceId, authorId: catalog.idOf('admin'), text: 'One' },
  });
  await database.prisma.webhook.create({ data: { ...common, url: 'https://a.test', secret: 'x' } });
  const { rows } = await database.pool.query<{ name: string }>(
    `select table_name as name from information_schema.columns
      where table_schema = 'public' and column_name = 'version' and data_type = 'integer' and table_name <> 'resource_version'
      order by 1`,
  );
  return rows.map(({ name }) => name);
}

/** A value of a type that no column has by default. */
const another = (type: string, column: string): string => {
  if (type === 'integer[]') return `coalesce(${column}, '{}') || 9`;
  if (type.endsWith('[]')) return `coalesce(${column}, '{}') || array[gen_random_uuid()]::${type}`;
  const values: Record<string, string> = {
    uuid: 'gen_random_uuid()',
    text: `coalesce(${column}, '') || 'x'`,
    integer: `coalesce(${column}, 0) + 1`,
    'double precision': `coalesce(${column}, 0) + 1`,
    boolean: `not ${column}`,
    jsonb: `'{"changed": true}'`,
    'timestamp(3) with time zone': `coalesce(${column}, now()) + interval '1 day'`,
  };
  return values[type] ?? 'null';
};

/** Let the database take any words, also where it knows all that there are. */
async function anyWords(client: pg.PoolClient): Promise<void> {
  const { rows: found } = await client.query<{ name: string; of: string }>(
    `select conname as name, conrelid::regclass::text as of from pg_constraint
      where contype = 'c' and connamespace = 'public'::regnamespace`,
  );
  expect(found.length).toBeGreaterThan(10);
  for (const { name, of } of found) await client.query(`alter table ${of} drop constraint ${name}`);
}

test('any change of any row counts its version up by one, but for what is no change of it', async () => {
  await using catalog = await openCatalog({ alone: true });
  const tables = await fill(catalog);
  expect(tables).toHaveLength(15);
  const pool = catalog.owner;
  // What refers to other rows is changed as well, to rows that are not there.
  const client = await pool.connect();
  try {
    await anyWords(client);
    for (const table of tables) {
      const { rows: columns } = await client.query<{ name: string; type: string }>(
        `select a.attname as name, format_type(a.atttypid, a.atttypmod) as type
          from pg_attribute a where a.attrelid = $1::regclass and a.attnum > 0
            and not a.attisdropped and a.attname not in ('workspace_id', 'id', 'version')`,
        [table],
      );
      const exempt = noChange[table] ?? [];
      const known = columns.map(({ name }) => name);
      expect(exempt.filter((name) => !known.includes(name))).toEqual([]);
      const counted = new Map<string, number>();
      for (const { name, type } of columns) {
        await client.query('begin');
        const [before] = (await client.query(`select id, version from ${table} limit 1`)).rows;
        const keys = await client.query<{ name: string }>(
          `select conname as name from pg_constraint where conrelid = $1::regclass and contype = 'f'`,
          [table],
        );
        for (const { name: key } of keys.rows) {
          await client.query(`alter table ${table} drop constraint "${key}"`);
        }
        const set = `"${name}" = ${another(type, `"${name}"`)}`;
        await client.query(`update ${table} set ${set} where id = $1`, [before.id]);
        const [after] = (
          await client.query(`select version from ${table} where id = $1`, [before.id])
        ).rows;
        counted.set(name, after.version - before.version);
        await client.query('rollback');
      }
      const expected = new Map(known.map((name) => [name, exempt.includes(name) ? 0 : 1]));
      expect([table, counted]).toEqual([table, expected]);
    }
  } finally {
    client.release(true);
  }
});

test('what stays as it is has the version it had, and no one sets it by hand', async () => {
  await using catalog = await openCatalog();
  const { id } = await catalog.tag({ name: 'gold' });
  const pool = catalog.owner;
  const version = async (set: string) => {
    const statement = `update tag set ${set} where id = $1 returning version`;
    return (await pool.query<{ version: number }>(statement, [id])).rows[0]?.version;
  };
  expect(await version(`name = 'gold'`)).toBe(1);
  expect(await version(`name = 'silver'`)).toBe(2);
  expect(await version(`name = 'bronze', version = 40`)).toBe(3);
  expect(await version('version = 40')).toBe(4);
});

test('questions without a status have one after the migration, by their answers', async () => {
  await using catalog = await openCatalog({ alone: true });
  const { prisma } = catalog.database;
  const name = (await readMigrations()).find((one) => one.name.endsWith('_status_of_questions'));
  const sql = readFileSync(`${migrationsFolder}/${name?.name}/migration.sql`, 'utf8');
  const ids = [
    (await catalog.resource({ kind: 'question' })).id,
    (await catalog.resource({ kind: 'question' })).id,
    (await catalog.resource()).id,
  ];
  await prisma.resource.updateMany({ data: { questionStatus: null } });
  await prisma.resource.updateMany({ where: { id: ids[1] ?? '' }, data: { answer: 'Net.' } });

  await catalog.owner.query(sql);

  const found = await prisma.resource.findMany({ where: { id: { in: ids } } });
  const status = new Map(found.map(({ id, questionStatus }) => [id, questionStatus]));
  expect(ids.map((id) => status.get(id))).toEqual(['Unanswered', 'Answered', null]);
});

test('a database with several accepted answers and wrong sums is mended by the migration', async () => {
  await using catalog = await openCatalog({ alone: true });
  const { workspaceId, database } = catalog;
  const { prisma } = database;
  const pool = catalog.owner;
  const name = (await readMigrations()).find((one) => one.name.endsWith('_count_versions'))?.name;
  const sql = readFileSync(`${migrationsFolder}/${name}/migration.sql`, 'utf8');
  // As it was before.
  await pool.query('drop index resource_accepted_answer_key');
  await pool.query('drop function count_version cascade');

  const talk = { kind: 'question_reply', workspaceId, acceptedAnswer: true };
  const ask = async (answer: string, definitions: string[]) => {
    const question = await catalog.resource({ kind: 'question' });
    await prisma.resource.updateMany({ where: { id: question.id }, data: { answer } });
    const updatedAt = (n: number) => new Date(Date.UTC(2026, 0, 1, n));
    const replies = definitions.map((definition, n) => ({
      ...{ ...talk, parentId: question.id, title: definition, titleFull: definition, definition },
      updatedAt: updatedAt(n),
    }));
    await prisma.resource.createMany({ data: replies });
    return question.id;
  };
  const said = await ask('two', ['one', 'two', 'three']);
  const unsaid = await ask('something else', ['one', 'two']);
  const single = await ask('only', ['only']);
  const user = catalog.idOf('editor');
  await prisma.vote.create({ data: { workspaceId, resourceId: said, userId: user, value: -1 } });
  await prisma.reaction.create({
    data: { workspaceId, resourceId: said, userId: user, emoji: '👀' },
  });
  await prisma.resource.updateMany({
    where: { id: { in: [unsaid, single] } },
    data: { votesSum: 7, reactions: ['👍'] },
  });

  await pool.query(sql);

  const accepted = async (parentId: string) => {
    const found = await prisma.resource.findMany({ where: { parentId, acceptedAnswer: true } });
    return found.map(({ definition }) => definition);
  };
  expect(await accepted(said)).toEqual(['two']);
  expect(await accepted(unsaid)).toEqual(['two']);
  expect(await accepted(single)).toEqual(['only']);
  const sums = await prisma.resource.findMany({
    where: { id: { in: [said, unsaid] } },
    select: { id: true, votesSum: true, reactions: true },
  });
  expect(new Map(sums.map(({ id, ...rest }) => [id, rest]))).toEqual(
    new Map([
      [said, { votesSum: -1, reactions: ['👀'] }],
      [unsaid, { votesSum: 0, reactions: [] }],
    ]),
  );
});
