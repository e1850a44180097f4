// The list of gates agrees with the commands, the documentation and the files that it names.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { controls, without } from '../../gates/controls.mjs';
import { countsIn, wentWell } from '../../gates/counts.ts';
import { controlsOf, gateOf, gates, testEnvOf } from '../../gates/gates.ts';
import { filesMatching, root } from './sources.ts';

const names = gates.map(({ name }) => name).sort();

/** The gate of a name, which there is. */
function named(name: string) {
  const gate = gateOf(name);
  if (!gate) throw new Error(`There is no gate ${name}.`);
  return gate;
}

test('what a gate runs is there', () => {
  const files = gates.flatMap(({ run }) => ('tests' in run ? run.tests : [run.program]));
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

test('a gate of tests tries the same in each run', () => {
  for (const gate of gates) {
    const seed = 'tests' in gate.run ? (process.env.SEED ?? '1') : undefined;
    expect([gate.name, testEnvOf(gate, false).SEED]).toEqual([gate.name, seed]);
  }
  expect(testEnvOf(named('fuzz'), true)).toMatchObject({ FUZZ_RUNS: '50', NO_SKIPS: '1' });
});

test('reliability.md has a row for each gate, and no other', () => {
  const [page] = filesMatching(/^docs\/reliability\.md$/);
  const rows = [...(page?.text ?? '').matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, name]) => name);
  expect(rows.sort()).toEqual(names);
});

test('each gate has negative controls, which take something out of the program, and there is no other', () => {
  const sources = filesMatching(/^src\/(?!generated\/).*\.ts$/);
  const all = gates.flatMap((gate) => controlsOf(gate));
  expect(Object.keys(controls).sort()).toEqual([...new Set(all)].sort());
  for (const control of Object.keys(controls)) {
    // It throws where a source no longer holds what is to be taken out.
    const changed = sources.filter(
      ({ path, text }) => without(control, join(root, path), text) !== text,
    );
    const named = controls[control]?.flatMap(({ path }) => path ?? []) ?? [];
    expect(
      changed.map(({ path }) => path),
      control,
    ).toEqual(expect.arrayContaining(named));
    expect(changed.length, control).toBeGreaterThan(0);
  }
  expect(() => without('nothing', join(root, 'src/main.ts'), '')).toThrow('no control nothing');
});

const races = named('races');
const counted = '500 teams deleted while given a table: 143 given, 357 refused. 0 faults.';

test('a gate passes where it ends with 0 and says what it counted', () => {
  expect(countsIn(races, `1 race\n${counted}\n`)).toBe(counted);
  expect(wentWell(races, { code: 0, output: counted }, false)).toBe(true);
  expect(wentWell(races, { code: 1, output: counted }, false)).toBe(false);
  expect(wentWell(races, { code: 0, output: 'Say which server with --url.' }, false)).toBe(false);
});

test('a negative control has to count faults: a server that does not start shows nothing', () => {
  expect(wentWell(races, { code: 1, output: counted }, true)).toBe(true);
  expect(wentWell(races, { code: 0, output: counted }, true)).toBe(false);
  expect(wentWell(races, { code: 1, output: 'Error: It ended with 1' }, true)).toBe(false);
});

test('a negative control of tests wants one that did not find what it expected', () => {
  const gate = named('containers');
  const output = (summary: string, error: string) => `${error}\n      Tests  ${summary}\n`;
  const missed = output('1 failed | 8 passed (9)', 'AssertionError: expected 1 to be 0');
  expect(countsIn(gate, `\u001b[2m      Tests \u001b[22m 9 passed (9)`)).toBe('9 passed (9)');
  expect(wentWell(gate, { code: 1, output: missed }, true)).toBe(true);
  const said = 'Counted: 20 keys, 1 failed\n      Tests  9 passed (9)\nAssertionError\n';
  expect(countsIn(gate, said)).toBe('9 passed (9)\n  20 keys, 1 failed');
  expect(wentWell(gate, { code: 1, output: said }, true)).toBe(false);
  const skipped = output('9 skipped (9)', '');
  expect(wentWell(gate, { code: 1, output: skipped }, true)).toBe(false);
  const broken = output('1 failed | 8 skipped (9)', 'Error: It ended with 1');
  expect(wentWell(gate, { code: 1, output: broken }, true)).toBe(false);
});

test('a program with bars of time is marked as one, and no other', () => {
  const files = new Map(
    filesMatching(/^(gates|bench)\/.*\.ts$/).map(({ path, text }) => [path, text]),
  );
  for (const { name, run, ofTime } of gates) {
    if (!('program' in run)) continue;
    const isNamed = /\bofTime\(/.test(files.get(run.program) ?? '');
    expect([name, isNamed]).toEqual([name, ofTime === 'some']);
  }
});
