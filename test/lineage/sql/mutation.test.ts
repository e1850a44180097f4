// Statements with words left out, repeated, swapped or taken from others: never a crash, never a table
// that the text does not name.

import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import type { SqlLineage, TableName } from '../../../src/lineage/sql/answer.ts';
import { openSqlEngine } from '../../../src/lineage/sql/engine.ts';
import { sayCounted } from '../../gates/counted.ts';
import { runs } from '../../trials/nightly.ts';
import { type Case, readCases } from './case.ts';

/** How many statements are tried; the gate of hostile inputs tries 20,000. */
const tried = Number(process.env.MUTATIONS || runs(3_000));

const cases = readCases();
const engine = openSqlEngine({ threads: 1, timeLimit: 300_000 });
afterAll(() => engine.close());

const changes = ['LEAVE_OUT', 'REPEAT', 'SWAP', 'INSERT', 'REPLACE', 'CUT', 'JOIN'] as const;
const mutation = fc.record({
  change: fc.constantFrom(...changes),
  at: fc.nat(1_000),
  other: fc.nat(1_000),
});

/** Words, marks and the blanks between them. */
function wordsOf(sql: string): string[] {
  return sql.match(/[\p{L}\p{N}_$@#]+|\s+|[^\p{L}\p{N}_$@#\s]/gu) ?? [];
}

function mutate(sql: string, giver: string, list: readonly Mutation[]): string {
  const words = wordsOf(sql);
  const others = wordsOf(giver);
  for (const { change, at, other } of list) {
    const i = at % Math.max(words.length, 1);
    const j = other % Math.max(words.length, 1);
    const word = words[i] ?? '';
    const given = others[other % Math.max(others.length, 1)] ?? '';
    if (change === 'LEAVE_OUT') words.splice(i, 1);
    else if (change === 'REPEAT') words.splice(i, 0, word, ' ');
    else if (change === 'SWAP') [words[i], words[j]] = [words[j] ?? '', word];
    else if (change === 'INSERT') words.splice(i, 0, ' ', given, ' ');
    else if (change === 'REPLACE') words[i] = given;
    else if (change === 'CUT') words.length = i;
    else words.splice(i, 0, ...others.slice(0, other % Math.max(others.length, 1)));
  }
  return words.join('');
}

type Mutation = { change: (typeof changes)[number]; at: number; other: number };

/** The tables of an answer with a part of their name that stands neither in the text nor in its defaults. */
function strangers({ statements }: SqlLineage, sql: string, one: Case): string[] {
  const said = `${sql} ${one.defaultDatabase ?? ''} ${one.defaultSchema ?? ''}`.toLowerCase();
  const plain = said.replace(/(["`\]'])\1/g, '$1');
  const bare = said.replace(/["`]/g, '');
  const tables = statements.flatMap(({ sources, target, pairs, indirect }): TableName[] => [
    ...sources,
    ...(target ? [target] : []),
    ...pairs.map(({ source }) => source.table),
    ...indirect.map(({ table }) => table),
  ]);
  const names = new Map(tables.map((table) => [table.name, table.path]));
  return [...names]
    .filter(
      ([, path]) => !path.every((part) => [said, plain, bare].some((text) => isIn(part, text))),
    )
    .map(([name]) => name);
}

/**
 * Whether a text has a part of a name; of a broken template, which is named as it is read, its words; of a version
 * of a model (`ref('x', v=2)` is the table `x_v2`), the model and the number.
 */
function isIn(part: string, text: string): boolean {
  const lower = part.toLowerCase();
  const [, model, version] = /^(.+)_v([^_]+)$/.exec(lower) ?? [];
  if (model && version && /\bref\b/.test(text) && !text.includes(lower)) {
    return isIn(model, text) && isIn(version, text);
  }
  if (!/[{}]/.test(part)) return text.includes(lower);
  return (lower.match(/[\p{L}\p{N}_]+/gu) ?? []).every((word) => text.includes(word));
}

test(`${tried} statements that nobody wrote are answered, without a table that they do not name`, async () => {
  const index = fc.nat(cases.length - 1);
  let tables = 0;
  await fc.assert(
    fc.asyncProperty(
      index,
      index,
      fc.array(mutation, { minLength: 1, maxLength: 4 }),
      async (at, giver, list) => {
        const one = cases[at];
        if (!one) return;
        const { dialect, defaultDatabase, defaultSchema } = one;
        const sql = mutate(one.sql, cases[giver]?.sql ?? '', list);
        const question = { sql, dialect, defaultDatabase, defaultSchema };
        const lineage = await engine.trace(question, () => one.known);
        const failed = lineage.errors.filter(({ message }) => /could not be traced/.test(message));
        expect(failed).toEqual([]);
        expect(strangers(lineage, sql, one)).toEqual([]);
        tables += lineage.statements.reduce((sum, { sources }) => sum + sources.length, 0);
      },
    ),
    { numRuns: tried },
  );
  sayCounted(`${tried} mutated statements that read ${tables} tables, all of which they name`);
}, 3_600_000);
