// In charge of the usage of the last days, as a line of bars.

import { words } from '../words.ts';

interface UsageProps {
  readonly days: readonly {
    readonly day: string;
    readonly external: number;
    readonly internal: number;
  }[];
  /** Of all time, as far as the catalog knows of it. */
  readonly total: number;
}

const bar = { width: 6, gap: 2, height: 34 };

/** One bar a day, and their sum in words. */
export function Usage({ days, total }: UsageProps) {
  const values = days.map(({ external, internal }) => external + internal);
  const sum = values.reduce((total, value) => total + value, 0);
  const most = Math.max(1, ...values);
  const step = bar.width + bar.gap;
  return (
    <>
      {sum > 0 && (
        <svg
          className="usage"
          viewBox={`0 0 ${days.length * step} ${bar.height}`}
          aria-hidden="true"
        >
          {days.map(({ day }, at) => {
            const height = Math.max(1, ((values[at] ?? 0) / most) * bar.height);
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
      {words.search.uses(Math.round(total))}
      <br />
      <span className="quiet">{words.resource.in30Days(Math.round(sum))}</span>
    </>
  );
}
