// The engine in its threads: lookups, refusals, and that no statement ends it for the next one.
import { afterAll, describe, expect, test } from 'vitest';
import { CatalogError } from '../../../src/errors.ts';
import type { KnownTable } from '../../../src/lineage/sql/answer.ts';
import { openSqlEngine } from '../../../src/lineage/sql/engine.ts';
import { startProgram } from '../../database/program.ts';
import { hostile } from './hostile.ts';

// The limit is generous: what is tested is the answer, on machines however busy.
const engine = openSqlEngine({ threads: 1, timeLimit: 60_000 });
afterAll(() => engine.close());

const orders: KnownTable = { id: 'o1', path: ['shop', 'orders'], columns: ['id', 'amount'] };

/** What a plain query gives: the engine works. */
async function expectItWorks() {
  const { statements, errors } = await engine.trace({
    sql: 'SELECT a FROM t',
    dialect: 'postgres',
  });
  expect(errors).toEqual([]);
  expect(statements[0]?.pairs).toHaveLength(1);
}

describe('a question', () => {
  test('asks for the tables that the text names once, with defaults before them', async () => {
    const asked: string[][][] = [];
    const lineage = await engine.trace(
      {
        sql: 'WITH c AS (SELECT * FROM orders) INSERT INTO sums SELECT id FROM c; TABLE x.y',
        dialect: 'postgres',
        defaultDatabase: 'db',
        defaultSchema: 'shop',
      },
      (names) => {
        asked.push(names);
        return [orders];
      },
    );
    expect(asked).toHaveLength(1);
    expect(asked[0]?.map((name) => name.join('.')).sort()).toEqual([
      'db.shop.orders',
      'db.shop.sums',
      'db.x.y',
    ]);
    const [insert] = lineage.statements;
    expect(insert?.target?.name).toBe('db.shop.sums');
    expect(insert?.sources).toMatchObject([
      { name: 'db.shop.orders', id: 'o1', origin: 'CATALOG' },
    ]);
    expect(insert?.pairs).toMatchObject([
      { source: { column: 'id' }, target: { table: { name: 'db.shop.sums' }, column: 'id' } },
    ]);
  });

  test('is answered without a lookup when it names no table', async () => {
    const lineage = await engine.trace({ sql: 'SELECT 1 AS one', dialect: 'postgres' }, () => {
      throw new Error('nothing to look up');
    });
    expect(lineage.statements[0]?.outputs).toMatchObject([{ column: 'one', from: 'CONSTANT' }]);
  });

  test('fails as its lookup fails, and the next one works', async () => {
    const failing = engine.trace({ sql: 'SELECT a FROM t', dialect: 'postgres' }, async () => {
      throw new Error('the database is away');
    });
    await expect(failing).rejects.toThrow('the database is away');
    await expectItWorks();
  });

  test('gives the expressions of its outputs when they are asked for', async () => {
    const sql = 'WITH s AS (SELECT id, amount * 2 AS twice FROM orders) SELECT id, twice FROM s';
    const { statements } = await engine.trace({ sql, dialect: 'postgres', expressions: true });
    expect(statements[0]?.outputs.map(({ expression }) => expression)).toEqual([
      null,
      'amount * 2',
    ]);
  });

  test('waits for its turn while others are traced', async () => {
    const questions = Array.from({ length: 20 }, (_, i) =>
      engine.trace({ sql: `SELECT c${i} FROM t`, dialect: 'postgres' }),
    );
    const answers = await Promise.all(questions);
    expect(answers.map(({ statements }) => statements[0]?.outputs[0]?.column)).toEqual(
      Array.from({ length: 20 }, (_, i) => `c${i}`),
    );
  });
});

describe('what is refused', () => {
  test('an unknown dialect, with the list of those that are known', async () => {
    const refused = engine.trace({ sql: 'SELECT 1', dialect: 'klingon' });
    await expect(refused).rejects.toThrow(/'klingon' is not one of postgres, redshift, snowflake/);
    await expect(refused).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      fields: [{ field: 'dialect' }],
    });
  });

  test('a text that is too long', async () => {
    const refused = engine.trace({ sql: ' '.repeat(2_000_001), dialect: 'postgres' });
    await expect(refused).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
  });

  test('a question after the engine was closed', async () => {
    const closed = openSqlEngine();
    await closed.close();
    const refused = closed.trace({ sql: 'SELECT 1', dialect: 'postgres' });
    await expect(refused).rejects.toBeInstanceOf(CatalogError);
  });

  test('questions still open when the engine is closed', async () => {
    const short = openSqlEngine({ threads: 1 });
    const open = short.trace({ sql: 'SELECT a FROM t', dialect: 'postgres' });
    const refused = expect(open).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await short.close();
    await refused;
  });
});

describe('hostile SQL', () => {
  test.each(Object.entries(hostile))('%s', async (_name, { sql, dialect, answers }) => {
    const lineage = await engine.trace({ sql, dialect: dialect ?? 'postgres' });
    expect(lineage.errors.length > 0).toBe(!answers);
    const pairs = lineage.statements.flatMap((statement) => statement.pairs);
    expect(pairs.length > 0).toBe(answers === true);
    for (const error of lineage.errors) {
      expect(error.line).toBeGreaterThan(0);
      expect(error.column).toBeGreaterThan(0);
      expect(error.message).not.toMatch(/wasm|unreachable|at Object|node_modules/i);
    }
    await expectItWorks();
  });

  test('a statement that takes longer than the limit is given up', async () => {
    const hasty = openSqlEngine({ threads: 1, timeLimit: 1 });
    const sql = `SELECT ${Array(50_000).fill('a').join(', ')} FROM t`;
    const lineage = await hasty.trace({ sql, dialect: 'postgres' });
    expect(lineage.errors[0]?.message).toMatch(/took longer than/);
    expect(lineage.statements).toEqual([]);
    await hasty.close();
  });

  test('the statements before the one that breaks the parser are still traced', async () => {
    const sql = `SELECT a FROM t;\nSELECT ${'INTERVAL '.repeat(50_000)}'1' DAY; SELECT b FROM u`;
    const { statements, errors } = await engine.trace({ sql, dialect: 'postgres' });
    expect(statements.map(({ statement }) => statement)).toEqual([1]);
    expect(errors.map(({ statement, line }) => [statement, line])).toEqual([
      [2, 2],
      [3, 2],
    ]);
    await expectItWorks();
  });

  test('a long script is answered in full', async () => {
    const sql = Array.from({ length: 2_000 }, (_, i) => `SELECT a, b FROM t${i}`).join(';\n');
    const { statements, errors } = await engine.trace({ sql, dialect: 'postgres' });
    expect(errors).toEqual([]);
    expect(statements.map(({ sources }) => sources[0]?.name)).toEqual(
      Array.from({ length: 2_000 }, (_, i) => `t${i}`),
    );
  });

  test('an answer is bounded however many columns come out', async () => {
    const sql = `SELECT ${Array(21_000).fill('a').join(', ')} FROM t`;
    const { statements } = await engine.trace({ sql, dialect: 'postgres' });
    expect(statements[0]?.outputs).toHaveLength(5_000);
    expect(statements[0]?.diagnostics.map(({ code }) => code)).toContain('TOO_LARGE');
  });
});

test('an engine that is closed while its thread is being loaded takes nothing down with it', async () => {
  const program = startProgram('../lineage/sql/closer.ts', []);
  expect(await program.ended).toBe(0);
  expect(program.lines).toHaveLength(8);
});
