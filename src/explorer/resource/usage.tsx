// The usage of the last days, as a line of bars.

import { lastDays, type UsedOn } from '../chart/last-days.ts';
import { words } from '../words.ts';

interface UsageProps {
  /** Days on which it was used. */
  readonly days: readonly UsedOn[];
  /** Of all time, as far as the catalog knows of it. */
  readonly total: number;
}

const bar = { width: 6, gap: 2, height: 34 };
const count = 30;

/** One bar a day, and their sum in words. */
export function Usage({ days: used, total }: UsageProps) {
  const days = lastDays(used, count, Date.now());
  const sum = days.reduce((all, { uses }) => all + uses, 0);
  const most = Math.max(1, ...days.map(({ uses }) => uses));
  const step = bar.width + bar.gap;
  return (
    <>
      {sum > 0 && (
        <svg className="usage" viewBox={`0 0 ${count * step} ${bar.height}`} aria-hidden="true">
          {days.map(({ day, uses }, at) => {
            const height = Math.max(1, (uses / most) * bar.height);
            return (
              <rect
                key={day}
                x={at * step}
                y={bar.height - height}
                width={bar.width}
                height={height}
                rx="1"
              />
            );
          })}
        </svg>
      )}
      {words.resource.uses(Math.round(total), Math.round(sum))}
    </>
  );
}
