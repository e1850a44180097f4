// Explanation of a monitor's range, and how far it has learned.

import { monitorWords as words } from '../words/quality.ts';
import type { MonitorThere } from './shown.ts';

/** The explanation of the latest measurement. */
export function Why({ monitor: { status, lastMeasurement } }: { monitor: MonitorThere }) {
  const learned = numberIn(lastMeasurement?.explanation, 'learned');
  const needed = numberIn(lastMeasurement?.explanation, 'needed');
  const isLearning = status === 'learning' && learned !== null && needed !== null;
  return (
    <section>
      <h2>{isLearning ? words.learning : words.why}</h2>
      {isLearning ? (
        <>
          <progress value={learned} max={needed} aria-label={words.learning} />
          <p>{words.learned(learned, needed)}</p>
        </>
      ) : (
        (lastMeasurement?.reasons ?? [words.whyNot]).map((reason) => <p key={reason}>{reason}</p>)
      )}
    </section>
  );
}

function numberIn(json: unknown, name: string): number | null {
  if (typeof json !== 'object' || json === null) return null;
  const value: unknown = Reflect.get(json, name);
  return typeof value === 'number' ? value : null;
}
