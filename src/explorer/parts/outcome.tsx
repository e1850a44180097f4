// Outcome of a data test or of the run of a model, as a word with a colour.

import { words } from '../words.ts';

const tones: Readonly<Record<string, string>> = {
  pass: 'good',
  success: 'good',
  warn: 'warning',
  fail: 'alarm',
  error: 'alarm',
};

/** The outcome; null for a test that has not run yet. `says` is shown on demand. */
export function Outcome({ of, says = null }: { of: string | null; says?: string | null }) {
  return (
    <span className={`badge ${tones[of ?? ''] ?? ''}`} title={says ?? undefined}>
      {of ?? words.resource.notRun}
    </span>
  );
}
