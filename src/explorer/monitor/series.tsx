// Measurements of a monitor: chart, text for the chosen one, and table.

import { useState } from 'react';
import { Link } from 'wouter';
import { ask } from '../asking/ask.ts';
import { useAct } from '../asking/use-answer.ts';
import type { Band } from '../chart/scale.ts';
import { Problem } from '../parts/problem.tsx';
import { later } from '../window/later.tsx';
import { chartWords, monitorWords as words } from '../words/quality.ts';
import { MarkNormal } from './page.graphql';
import { type MonitorThere, renewed } from './shown.ts';

const Chart = later(async () => (await import('../chart/chart.tsx')).Chart, 9);
const Said = later(async () => (await import('../chart/said.tsx')).Said);
const PointTable = later(async () => (await import('../chart/table.tsx')).PointTable);

interface MeasuredProps {
  readonly monitor: Pick<MonitorThere, 'name' | 'metricType' | 'series'>;
  readonly tried: readonly Band[] | null;
  readonly mayEdit: boolean;
  /** When the time begins that is shown. */
  readonly from?: string;
}

/** What was measured; nothing of it where there is nothing. */
export function Measured({ monitor, tried, mayEdit, from }: MeasuredProps) {
  const { name, metricType, series } = monitor;
  const { points, isThinned, totalCount } = series;
  const [looked, look] = useState<string | null>(null);
  if (points.length === 0) return <p className="quiet">{chartWords.nothing}</p>;
  // What is looked at stays so when another measurement comes.
  const found = points.findIndex(({ id }) => id === looked);
  const at = found < 0 ? points.length - 1 : found;
  const point = points[at];
  return (
    <>
      <Chart
        name={name}
        metric={metricType}
        points={points}
        tried={tried?.filter((band) => band.at >= Date.parse(points[0]?.createdAt ?? '')) ?? null}
        at={at}
        from={from}
        look={(place) => look(points[place]?.id ?? null)}
      />
      {point && (
        <p className="said">
          <Said metric={metricType} point={point} />{' '}
          {point.incidentId && (
            <Link href={`/incidents/${point.incidentId}`}>{chartWords.incident}</Link>
          )}{' '}
          {mayEdit && (point.incidentId !== null || point.markedNormal) && (
            <Normal id={point.id} isNormal={point.markedNormal} />
          )}
        </p>
      )}
      {isThinned && <p className="quiet">{chartWords.thinned(points.length, totalCount)}</p>}
      <PointTable metric={metricType} points={points} />
    </>
  );
}

/** Say that a value out of range was in order, or take that back. */
function Normal({ id, isNormal }: { id: string; isNormal: boolean }) {
  const mark = useAct(() => ask(MarkNormal, { id, on: !isNormal }), renewed);
  return (
    <>
      <button type="button" disabled={mark.isPending} onClick={() => mark.mutate()}>
        {isNormal ? words.unmarkNormal : words.markNormal}
      </button>
      {mark.error && <Problem error={mark.error} />}
    </>
  );
}
