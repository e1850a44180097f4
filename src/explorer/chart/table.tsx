// The measurements as a table, the newest first.

import { chartWords } from '../words/quality.ts';
import { rangeOf } from './chart.tsx';
import { figure } from './figures.ts';
import type { ChartPoint } from './scale.ts';

const moment = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });

/** The table, opened by a click. */
export function PointTable({ metric, points }: { metric: string; points: readonly ChartPoint[] }) {
  return (
    <details className="points">
      <summary>{chartWords.asTable}</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">{chartWords.when}</th>
            <th scope="col">{chartWords.value}</th>
            <th scope="col">{chartWords.range}</th>
          </tr>
        </thead>
        <tbody>
          {points.toReversed().map((point) => (
            <tr key={point.id}>
              <td>{moment.format(new Date(point.createdAt))}</td>
              <td>
                {figure(metric, point.value)}{' '}
                {point.incidentId !== null && (
                  <span className="badge alarm">{chartWords.incident}</span>
                )}
              </td>
              <td>{rangeOf(metric, point)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
