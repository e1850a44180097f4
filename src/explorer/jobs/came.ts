// What a sync or an upload brought, of what its job answered.

import { jobWords as words } from '../words/jobs/jobs.ts';
import { counted, kindName, number } from '../words.ts';

/** The kinds that are said first; the others follow by their number. */
const first = ['table', 'column', 'dashboard', 'chart'];

/** What it read, such as "4 tables, 9 columns"; empty where it said nothing. */
export function cameOf(result: unknown): string {
  const kinds = Object.entries(recordOf(recordOf(result).kinds)).flatMap(([kind, count]) =>
    typeof count === 'number' && count > 0 ? [{ kind, count }] : [],
  );
  const placeOf = (kind: string) => (first.includes(kind) ? first.indexOf(kind) : first.length);
  return kinds
    .sort((a, b) => placeOf(a.kind) - placeOf(b.kind) || b.count - a.count)
    .map(({ kind, count }) => counted(count, kindName(kind), kindName(kind, 2)))
    .join(', ');
}

/** What that changed, such as "2 new, 1 stale"; that nothing did, where it says so. */
export function changedBy(result: unknown): string {
  const { created, updated, staled } = recordOf(result);
  const counts = Object.entries({ created, updated, staled }).flatMap(([what, count]) =>
    typeof count === 'number' ? [{ what, count }] : [],
  );
  if (counts.length === 0) return '';
  const changed = counts.filter(({ count }) => count > 0);
  if (changed.length === 0) return words.noChanges;
  return changed.map(({ what, count }) => `${number(count)} ${words.changed[what]}`).join(', ');
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
