// Each repair of what the parser doesn't take is needed still: a case shows it. When the parser takes the form one day,
// the case is read without the repair, and this fails until the repair goes.

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readCases, traceCase } from './case.ts';

/** What the repairs say that they did, as their code has it. */
function saidByRepairs(): string[] {
  const folder = fileURLToPath(new URL('../../../src/lineage/sql/repair/', import.meta.url));
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const texts = files
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(`${folder}${file}`, 'utf8'));
  const said = texts.flatMap((text) =>
    [
      ...text.matchAll(
        /['"]([a-zA-Z/(!*+][^'"\n]*\b(?:was|were) (?:left out|read|written|added|respelled|taken|put|named|made)\b[^'"\n]*)['"]/g,
      ),
    ].map(([, what = '']) => what),
  );
  return [...new Set(said)].sort();
}

test('each repair is needed for a case', () => {
  const notes = readCases().flatMap((one) =>
    traceCase(one).statements.flatMap(({ diagnostics }) =>
      diagnostics.filter(({ code }) => code === 'REWRITTEN').map(({ message }) => message),
    ),
  );
  const all = notes.join('\n');
  const said = saidByRepairs();
  expect(said.length).toBeGreaterThan(50);
  expect(said.filter((what) => !all.includes(what))).toEqual([]);
});
