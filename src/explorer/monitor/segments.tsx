// The values of a monitor's dimension, or its tables, as they were measured last, with their ranges.

import { figure } from '../chart/figures.ts';
import { monitorWords as words } from '../words/quality.ts';
import type { MonitorThere } from './shown.ts';

/** The table; nothing without such values. */
export function Segments({ monitor }: { monitor: MonitorThere }) {
  const { metricType, metricConfig, lastMeasurement } = monitor;
  const { dimension } = metricConfig;
  const segments = lastMeasurement?.segments ?? [];
  if (segments.length === 0) return null;
  const shown = (value: number | null) => (value === null ? '' : figure(metricType, value));
  return (
    <section className="sheet">
      <h2>{dimension === null ? words.byTable : words.segments(dimension)}</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">{dimension ?? words.table}</th>
            <th scope="col">{words.value}</th>
            <th scope="col">{words.expectedRange}</th>
          </tr>
        </thead>
        <tbody>
          {segments.map(({ segment, value, lowerThreshold, upperThreshold, verdict }) => (
            <tr key={segment}>
              <th scope="row">{segment}</th>
              <td>
                {figure(metricType, value)}{' '}
                {(verdict === 'above' || verdict === 'below') && (
                  <span className="badge alarm">{words.verdicts[verdict]}</span>
                )}
              </td>
              <td>
                {lowerThreshold === null && upperThreshold === null
                  ? ''
                  : `${shown(lowerThreshold)} – ${shown(upperThreshold)}`}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
