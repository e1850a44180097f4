import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { serverViewer } from '../../src/auth/viewer.ts';
import { type Context, contextFor } from '../../src/context.ts';
import { connectPrisma } from '../../src/database/connections/prisma.ts';
import { execute, rows } from '../../src/database/rows.ts';
import { type TransactionOptions, transaction } from '../../src/database/transaction.ts';
import { Prisma } from '../../src/generated/prisma/client.ts';
import { openTestDatabase, type TestDatabase } from '../database.ts';

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase();
});
afterAll(() => opened[Symbol.asyncDispose]());
beforeEach(async () => {
  await opened.database.prisma.setting.deleteMany();
});

const workspaceId = '00000000-0000-4000-8000-000000000001';
const context = () => contextFor(opened.database, serverViewer(workspaceId));

const names = (ctx: Context) => rows<{ name: string }>(ctx, 'select name from setting order by 1');
const add = (tx: Context, name: string) => tx.db.setting.create({ data: { name, value: '' } });
const make = (name: string) => transaction(context(), (tx) => add(tx, name));

test('what a transaction wrote stays, through Prisma and through our own SQL', async () => {
  const ctx = context();
  const result = await transaction(ctx, async (tx) => {
    await add(tx, 'a');
    await execute(tx, Prisma.sql`insert into setting (name, value) values (${'b'}, '')`);
    expect(await tx.db.setting.count()).toBe(2);
    return 'done';
  });
  expect(result).toBe('done');
  expect(await names(ctx)).toEqual([{ name: 'a' }, { name: 'b' }]);
});

test('an error takes back everything, and is thrown on as it is', async () => {
  const ctx = context();
  const error = new Error('changed my mind');
  const attempt = transaction(ctx, async (tx) => {
    await add(tx, 'a');
    await execute(tx, `insert into setting (name, value) values ('b', '')`);
    throw error;
  });
  await expect(attempt).rejects.toBe(error);
  expect(await names(ctx)).toEqual([]);
});

test('a transaction within one is part of it', async () => {
  const ctx = context();
  const attempt = transaction(ctx, async (outer) => {
    await transaction(outer, (inner) => add(inner, 'inner'));
    expect(await names(outer)).toEqual([{ name: 'inner' }]);
    throw new Error('outer');
  });
  await expect(attempt).rejects.toThrow('outer');
  expect(await names(ctx)).toEqual([]);
});

test('a transaction has loaders of its own, so it does not read what was read before it', async () => {
  const ctx = context();
  await transaction(ctx, async (tx) => {
    expect(tx.loaders).not.toBe(ctx.loaders);
    await transaction(tx, async (inner) => expect(inner.loaders).toBe(tx.loaders));
  });
});

test('the outer context inside a transaction is refused instead of waiting for itself', async () => {
  const ctx = context();
  await transaction(ctx, async (tx) => {
    await expect(names(ctx)).rejects.toThrow('use the context that it handed on');
    await expect(transaction(ctx, async () => {})).rejects.toThrow('handed on');
    await add(tx, 'a');
  });
  expect(await names(ctx)).toEqual([{ name: 'a' }]);
});

test('Prisma is refused outside of a transaction, where it would name no workspace', async () => {
  expect(() => add(context(), 'x')).toThrow('outside of a transaction');
  const prisma = await connectPrisma(opened.database.pool);
  await expect(prisma.setting.count()).rejects.toThrow('names no workspace');
  await prisma.$disconnect();
  expect(await names(context())).toEqual([]);
});

test('what was started in a transaction may use the outer context once it has ended', async () => {
  const ctx = context();
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  let later: Promise<unknown> = Promise.resolve();
  await transaction(ctx, async (tx) => {
    await add(tx, 'a');
    later = ended.then(() => names(ctx));
  });
  end();
  expect(await later).toEqual([{ name: 'a' }]);
});

test('statements that run side by side in a transaction wait for each other', async () => {
  await transaction(context(), async (tx) => {
    const all = await Promise.all([
      ...['a', 'b', 'c'].map((name) => add(tx, name)),
      rows(tx, 'select 1 as n'),
    ]);
    expect(all).toHaveLength(4);
  });
  expect(await names(context())).toHaveLength(3);
});

test('transactions that run side by side do not see or undo each other', async () => {
  const results = await Promise.allSettled(
    Array.from({ length: 12 }, (_, index) =>
      transaction(context(), async (tx) => {
        await add(tx, `t${index}`);
        if (index % 3 === 0) throw new Error('undo');
      }),
    ),
  );
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(4);
  expect(await names(context())).toHaveLength(8);
});

test('values have the same types inside and outside of a transaction', async () => {
  const sql = `select $1::int8 as big, $2::int8 as small, count(*) as count,
    '2026-01-02 03:04:05.678+02'::timestamptz as moment, '2026-01-02 03:04:05'::timestamp as local,
    '2026-01-02'::date as day, 1.50::numeric as exact, 1.5::float8 as float, true as flag,
    array['00000000-0000-4000-8000-000000000001']::uuid[] as ids, array['a', null, ''] as texts,
    array[1, 9007199254740993]::int8[] as bigs, '{"a": [1]}'::jsonb as json, null::text as none,
    current_setting('timezone') as zone`;
  const values = ['9007199254740993', '-7'];
  const expected = {
    big: 9007199254740993n,
    small: -7,
    count: 1,
    moment: new Date('2026-01-02T01:04:05.678Z'),
    local: new Date('2026-01-02T03:04:05Z'),
    day: '2026-01-02',
    exact: '1.50',
    float: 1.5,
    flag: true,
    ids: ['00000000-0000-4000-8000-000000000001'],
    texts: ['a', null, ''],
    bigs: [1, 9007199254740993n],
    json: { a: [1] },
    none: null,
    zone: 'UTC',
  };
  expect(await rows(context(), sql, values)).toEqual([expected]);
  await transaction(context(), async (tx) => {
    expect(await rows(tx, sql, values)).toEqual([expected]);
  });
});

test('a time goes in and comes out as the same moment', async () => {
  const moment = new Date('2026-03-29T01:30:00.123Z');
  const [row] = await rows(context(), 'select $1::timestamptz as t', [moment]);
  expect(row).toEqual({ t: moment });
});

test('every statement is observed once, no matter who sends it, and none of the housekeeping', async () => {
  const ctx = context();
  const statements: string[] = [];
  const stop = opened.database.onStatement((text) => statements.push(text));
  await make('a');
  await names(ctx);
  expect(statements).toHaveLength(2);
  await transaction(ctx, async (tx) => {
    await names(tx);
    await tx.db.setting.findMany();
  });
  expect(statements).toHaveLength(4);
  await expect(rows(ctx, 'select 1 / 0')).rejects.toThrow('division by zero');
  expect(statements).toHaveLength(5);
  stop();
  await names(ctx);
  expect(statements).toHaveLength(5);
});

test('a failed statement leaves the connection usable', async () => {
  const ctx = context();
  for (const broken of ['selct', 'select 1 / 0', 'select * from nowhere']) {
    await expect(rows(ctx, broken)).rejects.toThrow();
    expect(await rows(ctx, 'select 1 as one')).toEqual([{ one: 1 }]);
  }
  await expect(
    transaction(ctx, async (tx) => {
      await rows(tx, 'select 1 / 0').catch(() => {});
      await rows(tx, 'select 1');
    }),
  ).rejects.toThrow('current transaction is aborted');
  expect(await rows(ctx, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('a statement that takes too long is cut, in a long transaction it is not', async () => {
  await using short = await openTestDatabase({ statementTimeoutMs: 150 });
  const ctx = contextFor(short.database, serverViewer(workspaceId));
  const work = `select count(md5(i::text)) from generate_series(1, 700000) i`;
  await transaction(ctx, (tx) => rows(tx, work), { long: true });
  await expect(rows(ctx, work)).rejects.toThrow(/statement timeout|was cut/);
});

/** Two transactions that take two locks in opposite orders, once each has its first. */
async function collide(
  options: TransactionOptions,
): Promise<{ results: PromiseSettledResult<string>[]; attempts: number }> {
  await make('a');
  await make('b');
  let attempts = 0;
  let meet = () => {};
  const met = new Promise<void>((resolve) => {
    meet = resolve;
  });
  let waiting = 0;
  const lock = (tx: Context, name: string) =>
    rows(tx, Prisma.sql`select name from setting where name = ${name} for update`);
  const change = (first: string, second: string) =>
    transaction(
      context(),
      async (tx) => {
        attempts += 1;
        await lock(tx, first);
        waiting += 1;
        if (waiting === 2) meet();
        await met;
        await lock(tx, second);
        const sql = Prisma.sql`update setting set value = value || ${first}`;
        await execute(tx, sql);
        return first;
      },
      options,
    );
  const results = await Promise.allSettled([change('a', 'b'), change('b', 'a')]);
  return { results, attempts };
}

test.each([{}, { long: true }])(
  'of two that wait for each other one is run again, and both succeed: %o',
  async (options) => {
    const { results, attempts } = await collide(options);
    expect(results).toEqual([
      { status: 'fulfilled', value: 'a' },
      { status: 'fulfilled', value: 'b' },
    ]);
    // The first try of the second left nothing.
    expect(attempts).toBeGreaterThanOrEqual(3);
    const { prisma } = opened.database;
    const [first] = await prisma.setting.findMany({ where: { name: 'a' } });
    expect(['ab', 'ba']).toContain(first?.value);
  },
);

test('what another error ends is not run again, and neither is what ends by a deadlock for good', async () => {
  const tried = async (code: string) => {
    let attempts = 0;
    const raise = `do $$ begin raise exception 'made up' using errcode = '${code}'; end $$`;
    const attempt = transaction(context(), async (tx) => {
      attempts += 1;
      await transaction(tx, (inner) => execute(inner, raise)).catch((error: unknown) => {
        // Anyone who catches it on the way, and throws another: the transaction is over.
        throw new Error('It did not work out.', { cause: error });
      });
    });
    await expect(attempt).rejects.toThrow('It did not work out.');
    return attempts;
  };
  expect(await tried('23505')).toBe(1);
  expect(await tried('40P01')).toBe(6);
  expect(await tried('40001')).toBe(6);
});
