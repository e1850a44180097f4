// What an incident begins with: the sentence of what is so now, above the chart of what was measured around it.

import { useMemo } from 'react';
import { useAnswer } from '../asking/use-answer.ts';
import { Measured } from '../monitor/series.tsx';
import { Moment } from '../parts/moment.tsx';
import { Problem } from '../parts/problem.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { monitorWords, incidentWords as words } from '../words/quality.ts';
import { sentenceOf } from './lead-sentence.ts';
import { IncidentSeries } from './page.graphql';
import type { IncidentThere } from './shown.ts';

const dayMs = 86_400_000;
const daysBefore = 30;

/** The sentence and the chart. */
export function Lead({ incident, mayEdit }: { incident: IncidentThere; mayEdit: boolean }) {
  const { firstSeenAt, monitor } = incident;
  const from = useMemo(
    () => new Date(Date.parse(firstSeenAt) - daysBefore * dayMs).toISOString(),
    [firstSeenAt],
  );
  const { data, error } = useAnswer(
    IncidentSeries,
    { id: monitor?.id ?? '', from },
    { isWanted: monitor !== null },
  );
  if (!monitor) return null;
  if (error) return <Problem error={error} />;
  if (!data) return <Waiting lines={8} />;
  if (!data.monitor) return <p className="quiet">{monitorWords.missing}</p>;
  return (
    <>
      <Said incident={incident} monitor={data.monitor} />
      <Measured monitor={data.monitor} tried={null} mayEdit={mayEdit} from={from} />
    </>
  );
}

interface SaidProps {
  readonly incident: IncidentThere;
  readonly monitor: Parameters<typeof Measured>[0]['monitor'] & {
    readonly failedSince: string | null;
  };
}

function Said({ incident, monitor }: SaidProps) {
  const { status, firstSeenAt, resolvedAt, goodRuns, value, standing } = incident;
  const { lead, more } = sentenceOf({
    ...{ status, firstSeenAt, goodRuns, value, standing },
    ...{ metric: monitor.metricType, failedSince: monitor.failedSince },
    points: monitor.series.points,
  });
  const tone = status === 'resolved' ? 'over' : goodRuns > 0 ? 'back' : 'open';
  return (
    <div className={`sentence ${tone}`}>
      <p>
        <b>{lead}</b>{' '}
        {resolvedAt && (
          <span className="quiet">
            {words.resolvedThen} <Moment at={resolvedAt} />
          </span>
        )}
      </p>
      {more !== '' && <p>{more}</p>}
    </div>
  );
}
