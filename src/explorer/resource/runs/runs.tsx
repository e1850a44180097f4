// The latest runs of a job.

import { Moment } from '../../parts/moment.tsx';
import { runWords as words } from '../../words/jobs/runs.ts';
import type { JobRun } from '../page.graphql';

/** The latest runs, each with its state, when it was, and how long it took. */
export function Runs({ runs, total }: { runs: readonly JobRun[]; total: number }) {
  return (
    <section className="sheet">
      <h2>{words.title}</h2>
      {runs.length === 0 && <p className="quiet">{words.none}</p>}
      <ul className="monitors">
        {runs.map((run) => (
          <li key={run.id}>
            <span className="of">
              <RunState state={run.state} /> <Moment at={run.startedAt} />
              <small>{run.runId}</small>
              {run.error && <small>{run.error}</small>}
            </span>
            <span className="last wide">{durationOf(run)}</span>
          </li>
        ))}
      </ul>
      {total > runs.length && <p className="quiet">{words.ofAll(runs.length, total)}</p>}
    </section>
  );
}

/** How a run went, as a badge. */
function RunState({ state }: Pick<JobRun, 'state'>) {
  const isBad = state === 'failed' || state === 'aborted';
  return <span className={isBad ? 'badge warning' : 'badge'}>{words.states[state]}</span>;
}

function durationOf({ startedAt, endedAt }: JobRun): string {
  if (endedAt === null) return '';
  const seconds = Math.round((Date.parse(endedAt) - Date.parse(startedAt)) / 1000);
  return words.took(Math.max(0, seconds));
}
