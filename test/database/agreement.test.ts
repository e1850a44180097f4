import { expect, test } from 'vitest';
import { schemaDifference } from '../../scripts/schema-difference.ts';
import { openTestDatabase } from '../database.ts';

test('the migrations lead to exactly the tables of schema.prisma', async () => {
  await using opened = await openTestDatabase();
  expect(await schemaDifference(opened.owner)).toBe('');
});

test('a column that the schema does not know is a difference', async () => {
  await using opened = await openTestDatabase();
  const pool = opened.owner;
  await pool.query('alter table tag add column forgotten text');
  expect(await schemaDifference(pool)).toBe(
    '-- AlterTable\nALTER TABLE "tag" DROP COLUMN "forgotten";',
  );
});
