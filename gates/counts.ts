// In charge of what a gate counted, and whether it went as it should.

import type { Gate } from './gates.ts';

/** How a run of a gate ended, and all that it printed. */
export interface Ran {
  readonly code: number | null;
  readonly output: string;
}

/** The line in which a gate says what it counted; null where it broke before it counted anything. */
export function countsIn({ run }: Gate, output: string): string | null {
  const plain = output.replaceAll(new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g'), '');
  if ('tests' in run) return /^ +Tests +(.*)$/m.exec(plain)?.[1] ?? null;
  return plain.split('\n').findLast((line) => run.counts.test(line)) ?? null;
}

/**
 * Whether it went as it should: it passed, or its negative control missed the bar. Either way it has to have
 * counted. A control that ends before that, because its server does not start, shows nothing; of tests one has to
 * have failed because something was not as it was expected.
 */
export function wentWell(gate: Gate, { code, output }: Ran, isControl: boolean): boolean {
  const counts = countsIn(gate, output);
  if (counts === null) return false;
  if (!isControl) return code === 0;
  const isMissed =
    !('tests' in gate.run) || (/\d+ failed/.test(counts) && output.includes('AssertionError'));
  return code !== 0 && isMissed;
}
