// Monitors in a list: status, last measurement, and recent ones.

import { Link } from 'wouter';
import { figure } from '../chart/figures.ts';
import { Sparkline } from '../chart/sparkline.tsx';
import { Moment } from '../parts/moment.tsx';
import { Status } from '../parts/status.tsx';
import { metricName } from '../words/names/metrics.ts';
import { monitorWords as words } from '../words/quality.ts';
import type { MonitorRow } from './page.graphql';

/** The list. */
export function MonitorRows({ monitors }: { monitors: readonly MonitorRow[] }) {
  return (
    <ul className="monitors">
      {monitors.map((monitor) => (
        <li key={monitor.id}>
          <Row monitor={monitor} />
        </li>
      ))}
    </ul>
  );
}

function Row({ monitor }: { monitor: MonitorRow }) {
  const { id, name, metricType, status, lastMeasurementValue, lastSuccessAt, target } = monitor;
  const values = monitor.measurements.nodes.map(({ value }) => value).toReversed();
  return (
    <>
      <Status of={status} />
      <span className="of">
        <Link href={`/monitors/${id}`}>{name}</Link>{' '}
        {isMuted(monitor) && <span className="badge">{words.muted}</span>}
        <small>
          {metricName(metricType)}
          {target && (
            <>
              {' · '}
              <Link href={`/resource/${target.id}`}>{target.titleFull}</Link>
            </>
          )}
        </small>
        {status === 'error' && <small className="wrong">{monitor.lastErrorMessage}</small>}
      </span>
      <Sparkline values={values} isOut={status === 'incident'} />
      <span className="last">
        {lastMeasurementValue === null ? (
          <span className="quiet">{words.never}</span>
        ) : (
          <b>{figure(metricType, lastMeasurementValue)}</b>
        )}
        <small>{lastSuccessAt && <Moment at={lastSuccessAt} />}</small>
      </span>
    </>
  );
}

/** Whether no one is told of a monitor's new incidents now. */
export function isMuted({ mutedUntil }: { readonly mutedUntil: string | null }): boolean {
  return mutedUntil !== null && Date.parse(mutedUntil) > Date.now();
}
