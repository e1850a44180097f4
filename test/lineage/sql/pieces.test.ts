// Long answers come in pieces, and are whole again.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { StatementLineage } from '../../../src/lineage/sql/answer.ts';
import { addPiece, piecesOf, portWith, readPieces } from '../../../src/lineage/sql/pieces.ts';

const table = { path: ['t'], name: 't', origin: 'UNKNOWN', id: null, candidates: [] } as const;

/** A statement with so many outputs, each made of so many columns, and so many columns that decide. */
function statementOf(number: number, outputs: number, sources: number, deciding: number) {
  const name = { ...table, path: ['t'], candidates: [] };
  const column = (n: number) => ({ table: name, column: `c${n}`, uses: ['IDENTITY'] as const });
  const list = <T>(length: number, one: (n: number) => T) =>
    Array.from({ length }, (_, n) => one(n));
  const statement: StatementLineage = {
    statement: number,
    line: number,
    column: 1,
    kind: 'SELECT',
    target: null,
    sources: [name],
    outputs: list(outputs, (n) => ({
      column: `o${n}`,
      from: 'COLUMNS',
      sources: list(sources, column),
      unresolved: [],
      expression: null,
    })),
    pairs: list(outputs * sources, (n) => ({
      source: column(n),
      uses: ['IDENTITY'],
      target: { table: null, column: `o${n}` },
    })),
    indirect: list(deciding, (n) => ({ ...column(n), uses: ['FILTER'] })),
    unresolved: [],
    diagnostics: [],
  };
  return statement;
}

/** Columns of a piece, with those that others are made of. */
function columnsOf(piece: ReturnType<typeof piecesOf>[number]): number {
  return piece.reduce((sum, { outputs, pairs, indirect }) => {
    const made = outputs.reduce((all, { sources }) => all + 1 + sources.length, 0);
    return sum + made + pairs.length + indirect.length;
  }, 0);
}

const size = fc.nat({ max: 60 });
const statements = fc
  .array(fc.tuple(size, size, fc.nat({ max: 4_000 })), { maxLength: 6 })
  .map((all) => all.map((sizes, n) => statementOf(n + 1, ...sizes)));

test('pieces are short, and together what was taken apart', async () => {
  let several = 0;
  await fc.assert(
    fc.asyncProperty(statements, async (whole) => {
      const pieces = piecesOf(whole);
      if (pieces.length > 1) several += 1;
      // As long as one may be, and the last column of it.
      for (const piece of pieces) expect(columnsOf(piece)).toBeLessThanOrEqual(2_500 + 61);
      const joined: StatementLineage[] = [];
      for (const piece of pieces) addPiece(joined, structuredClone(piece));
      expect(joined).toEqual(whole);
    }),
    { numRuns: 40 },
  );
  expect(several).toBeGreaterThan(10);
});

test('short statements come in one piece', () => {
  const short = [statementOf(1, 5, 3, 2), statementOf(2, 0, 0, 0)];
  expect(piecesOf(short)).toEqual([short]);
  expect(piecesOf([])).toEqual([[]]);
});

test('anyone who reads pieces lets others have their turn after each', async () => {
  const whole = [statementOf(1, 100, 90, 10)];
  const pieces = piecesOf(whole);
  expect(pieces.length).toBeGreaterThan(5);
  let rounds = 0;
  let isReading = true;
  const count = () => {
    rounds += 1;
    if (isReading) setImmediate(count);
  };
  setImmediate(count);
  expect(await readPieces(portWith(pieces))).toEqual(whole);
  isReading = false;
  expect(rounds).toBeGreaterThanOrEqual(pieces.length);
});
