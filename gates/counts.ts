// Counts of a gate, and whether it passed.

import type { Gate } from './gates.ts';

/** How a run of a gate ended, and all that it printed. */
export interface Ran {
  readonly code: number | null;
  readonly output: string;
}

/**
 * What a gate says that it counted, in a line, or in one for each thing that its tests counted; null where it broke
 * before it counted anything.
 */
export function countsIn({ run }: Gate, output: string): string | null {
  const plain = plainOf(output);
  if (!('tests' in run)) return plain.split('\n').findLast((line) => run.counts.test(line)) ?? null;
  const tests = testsIn(plain);
  if (tests === null) return null;
  const counted = [...plain.matchAll(/^Counted: (.*)$/gm)].map(([, line]) => `\n  ${line}`);
  return [tests, ...counted].join('');
}

/** How many tests failed and passed, as their runner says it; null where it did not come to that. */
function testsIn(plain: string): string | null {
  return /^ +Tests +(.*)$/m.exec(plain)?.[1] ?? null;
}

/** Without colours. */
function plainOf(output: string): string {
  return output.replaceAll(new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g'), '');
}

/**
 * Whether it went as it should: it passed, or its negative control missed the bar. Either way it has to have
 * counted. A control that ends before that, because its server does not start, shows nothing; of tests one has to
 * have failed because something was not as it was expected.
 */
export function wentWell(gate: Gate, { code, output }: Ran, isControl: boolean): boolean {
  if (countsIn(gate, output) === null) return false;
  if (!isControl) return code === 0;
  const isMissed =
    !('tests' in gate.run) ||
    (/\d+ failed/.test(testsIn(plainOf(output)) ?? '') && output.includes('AssertionError'));
  return code !== 0 && isMissed;
}
