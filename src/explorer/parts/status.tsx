// Status and severity of monitors and incidents, as a word with a colour.

import { statusName } from '../words/names/statuses.ts';

const tones: Readonly<Record<string, string>> = {
  incident: 'alarm',
  error: 'warning',
  normal: 'good',
  active: 'alarm',
  acknowledged: 'warning',
  resolved: 'good',
  critical: 'alarm',
  high: 'alarm',
  medium: 'warning',
};

/** A status or a severity. */
export function Status({ of }: { of: string }) {
  return <span className={`badge ${tones[of] ?? ''}`}>{statusName(of)}</span>;
}
