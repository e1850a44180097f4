// Quality of a resource: its monitors, open incidents and data tests.

import { Link } from 'wouter';
import { useMay } from '../asking/viewer.ts';
import { figure } from '../chart/figures.ts';
import { Sparkline } from '../chart/sparkline.tsx';
import { IncidentList } from '../incident/incident-list.tsx';
import { Moment } from '../parts/moment.tsx';
import { Outcome } from '../parts/outcome.tsx';
import { Status } from '../parts/status.tsx';
import { words } from '../words.ts';
import type { TestRow } from './page.graphql';
import type { ResourceShown } from './shown.ts';

/** What watches it and what is wrong with it. */
export function Quality({ resource }: { resource: ResourceShown }) {
  const { openIncidents, monitors, metrics } = resource;
  const mayEdit = useMay('edit_monitors');
  const tests = 'dataTests' in resource ? resource.dataTests : [];
  return (
    <>
      {openIncidents.length > 0 && (
        <section className="sheet">
          <h2>{words.resource.incidents}</h2>
          <IncidentList incidents={openIncidents} badge={({ severity }) => severity} />
        </section>
      )}
      {metrics.length + monitors.length > 0 && (
        <section className="sheet">
          <h2>{words.resource.monitors}</h2>
          {monitors.length === 0 && <p className="quiet">{words.resource.noMonitors}</p>}
          <ul className="plain">
            {monitors.map((monitor) => (
              <li key={monitor.id} className="watched">
                <Watched monitor={monitor} />
              </li>
            ))}
          </ul>
          {mayEdit && metrics.length > 0 && (
            <p className="below">
              <Link href={`/monitors/new?target=${resource.id}`}>{words.resource.watch}</Link>
            </p>
          )}
        </section>
      )}
      <Tests tests={tests} />
    </>
  );
}

function Watched({ monitor }: { monitor: ResourceShown['monitors'][number] }) {
  const { id, name, metricType, status, lastMeasurementValue, lastSuccessAt } = monitor;
  return (
    <>
      <span>
        <Link href={`/monitors/${id}`}>{name}</Link> <Status of={status} />{' '}
        <span className="quiet">
          {lastMeasurementValue !== null && figure(metricType, lastMeasurementValue)}{' '}
          {lastSuccessAt && <Moment at={lastSuccessAt} />}
        </span>
      </span>
      <Sparkline
        values={monitor.measurements.nodes.map(({ value }) => value).toReversed()}
        isOut={status === 'incident'}
      />
    </>
  );
}

function Tests({ tests }: { tests: readonly TestRow[] }) {
  if (tests.length === 0) return null;
  return (
    <section className="sheet">
      <h2>{words.resource.tests}</h2>
      <ul className="plain">
        {tests.map(({ id, name, status, message, skippedAt }) => (
          <li key={id}>
            <Outcome of={status} /> {name}{' '}
            <span className="quiet">
              {message} {skippedAt && status !== 'skipped' && words.resource.skippedSince}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
