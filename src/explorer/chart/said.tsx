// The chosen measurement, in words.

import { chartWords } from '../words/quality.ts';
import { rangeOf } from './chart.tsx';
import { figure } from './figures.ts';
import type { ChartPoint } from './scale.ts';

const moment = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });

/** Its value, when it was, and what was expected. */
export function Said({ metric, point }: { metric: string; point: ChartPoint }) {
  const range = rangeOf(metric, point);
  return (
    <>
      <b>{figure(metric, point.value)}</b> {moment.format(new Date(point.createdAt))}
      <span className="quiet">
        , {range === '' ? chartWords.noRange : `${chartWords.wanted} ${range}`}
        {point.markedNormal && `, ${chartWords.normal}`}
      </span>
    </>
  );
}
