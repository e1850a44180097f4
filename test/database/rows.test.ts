// Which statements a connection keeps a plan of, and what they answer.

import { expect, test } from 'vitest';
import { sinceSqlOf } from '../../src/database/change-log.ts';
import { execute, rows } from '../../src/database/rows.ts';
import { transaction } from '../../src/database/transaction.ts';
import { openCatalog } from '../catalog.ts';

test('a statement that comes for the third time is kept planned, and one that came once or twice is not', async () => {
  await using catalog = await openCatalog();
  await transaction(catalog.admin, async (tx) => {
    const planned = async () => {
      const kept = 'select statement from pg_prepared_statements where statement like $1';
      return (await rows<{ statement: string }>(tx, kept, ['%as a_newcomer'])).length;
    };
    const counts: number[] = [];
    for (let time = 1; time <= 4; time++) {
      expect(await rows(tx, 'select $1::int as a_newcomer', [time])).toEqual([
        { a_newcomer: time },
      ]);
      counts.push(await planned());
    }
    expect(counts).toEqual([0, 0, 1, 1]);
  });
});

test('a kept statement answers the same each time', async () => {
  await using catalog = await openCatalog();
  const statement = `select n, n * 1.5 as half, case when n > 1 then n end as above, array[n::text, 'x,y'] as texts,
    $2::jsonb as data, $3::timestamptz as at from generate_series(1, $1::int) n order by n`;
  const at = new Date('2026-03-01T10:00:00.123Z');
  const row = (n: number) => {
    const above = n > 1 ? n : null;
    return { n, half: (n * 1.5).toFixed(1), above, texts: [`${n}`, 'x,y'], data: { n: 1 }, at };
  };
  for (const count of [2, 0, 3, 1, 0, 2]) {
    const expected = Array.from({ length: count }, (_, i) => row(i + 1));
    expect(await rows(catalog.admin, statement, [count, { n: 1 }, at])).toEqual(expected);
  }
});

test('a kept statement that fails says why, and answers the next time', async () => {
  await using catalog = await openCatalog();
  const divide = (by: number) => rows(catalog.admin, 'select 10 / $1::int as a_quotient', [by]);
  for (let time = 0; time < 4; time++) await divide(2);
  await expect(divide(0)).rejects.toMatchObject({ code: '22012', message: 'division by zero' });
  await expect(divide(0)).rejects.toThrow(/division by zero/);
  expect(await divide(5)).toEqual([{ a_quotient: 2 }]);
  const cut = () => rows(catalog.admin, 'select $1::text as a_text', ['\0']);
  for (let time = 0; time < 4; time++) await expect(cut()).rejects.toThrow(/invalid byte sequence/);
});

test('a connection keeps a thousand plans, those of statements that fail included, and answers all else without one', async () => {
  await using catalog = await openCatalog();
  const on = await catalog.database.pool.showing(catalog.workspaceId).connect();
  try {
    const divide = (n: number, by: number) =>
      on.query({ name: `divide_${n}`, text: `select ${n} / $1::int as n`, values: [by] });
    for (let n = 0; n < 1_010; n += 1) {
      if (n % 2 === 0) expect((await divide(n, 1)).rows).toEqual([{ n }]);
      else await expect(divide(n, 0)).rejects.toThrow(/division by zero/);
    }
    const kept = await on.query('select count(*)::int as n from pg_prepared_statements');
    expect(kept.rows).toEqual([{ n: 1_000 }]);
    for (const n of [0, 5, 1_000, 1_005]) expect((await divide(n, 1)).rows).toEqual([{ n }]);
  } finally {
    on.release();
  }
});

test('a statement of very many characters is not kept', async () => {
  await using catalog = await openCatalog();
  await transaction(catalog.admin, async (tx) => {
    const long = `select $1::int as n /* ${'x'.repeat(20_000)} */`;
    for (let time = 0; time < 4; time += 1) await rows(tx, long, [time]);
    const kept = await rows(
      tx,
      "select 1 from pg_prepared_statements where statement like '%xxx%'",
    );
    expect(kept).toEqual([]);
  });
});

test('a statement that writes says how much, also when it is kept', async () => {
  await using catalog = await openCatalog();
  const tag = await catalog.tag({ name: 'kept' });
  const rename = (name: string) =>
    execute(catalog.admin, 'update tag set name = $1 where id = $2::uuid', [name, tag.id]);
  for (const name of ['a', 'b', 'c', 'd']) expect(await rename(name)).toBe(1);
  const nobody = '00000000-0000-4000-8000-000000000000';
  const other = 'update tag set name = $1 where id = $2::uuid';
  expect(await execute(catalog.admin, other, ['e', nobody])).toBe(0);
});

test('by a plan that is kept for all values a long log of changes is looked up by its index', async () => {
  await using catalog = await openCatalog({ alone: true });
  const { workspaceId } = catalog.admin;
  await catalog.owner.query(
    `insert into lineage_log (workspace_id, transaction, what, changed_id)
      select $1::uuid, n, 'resource', gen_random_uuid() from generate_series(1, 3000) n`,
    [workspaceId],
  );
  await catalog.owner.query('analyze lineage_log');
  const plan = await transaction(catalog.admin, async (tx) => {
    await execute(tx, 'set local plan_cache_mode = force_generic_plan');
    const since = sinceSqlOf('$1::uuid', '$2::text');
    await execute(tx, `prepare asking as select exists (select from ${since}) as changed`);
    const asked = `explain execute asking('${workspaceId}', pg_current_snapshot()::text)`;
    const lines = await rows<{ 'QUERY PLAN': string }>(tx, asked);
    return lines.map((line) => line['QUERY PLAN']).join('\n');
  });
  expect(plan).toContain('lineage_log_workspace_id_transaction_idx');
  expect(plan).not.toContain('Seq Scan');
});
