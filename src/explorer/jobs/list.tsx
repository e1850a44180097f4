// Syncs and uploads: progress, log, and cancelling. The list is live.

import { useList } from '../asking/use-answer.ts';
import { useFollow } from '../asking/use-follow.ts';
import { Moment } from '../parts/moment.tsx';
import { More } from '../parts/more.tsx';
import { Problem } from '../parts/problem.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { jobWords as words } from '../words/jobs/jobs.ts';
import { cameOf, changedBy } from './came.ts';
import { CancelIt } from './cancel.tsx';
import {
  JobList,
  type JobListData,
  type JobListVariables,
  type JobRow,
  JobsChanged,
} from './list.graphql';

/** What feeds the catalog, and what follows from that. */
export const feeding: JobListVariables['where'] = {
  kind: { in: ['sync', 'sync.queries', 'import', 'lineage.trace'] },
};

interface JobsProps {
  readonly where: JobListVariables['where'];
  readonly atOnce: number;
  /** Operations whose answers are out of date when a job changes. */
  readonly renewed: readonly string[];
}

/** The list, the newest first. */
export function Jobs({ where, atOnce, renewed }: JobsProps) {
  const of = (data: JobListData) => data.jobs;
  const { data, nodes, rest, error, refetch } = useList(JobList, { where }, { atOnce, of });
  useFollow(JobsChanged, { where }, { renewed: [JobList.name, ...renewed] });
  return (
    <section className="sheet">
      <h2>{words.title}</h2>
      {error && <Problem error={error} again={refetch} />}
      {!data && !error && <Waiting lines={6} />}
      {data && nodes.length === 0 && <p className="quiet">{words.none}</p>}
      <ul className="jobs">
        {nodes.map((job) => (
          <li key={job.id}>
            <Row job={job} />
          </li>
        ))}
      </ul>
      <More rest={rest} />
    </section>
  );
}

const tones: Readonly<Record<string, string>> = {
  succeeded: 'good',
  failed: 'alarm',
  cancelled: 'warning',
};

function Row({ job }: { job: JobRow }) {
  const { title, state, progressDone, progressTotal, progressStep, lastError, logs } = job;
  const isOver = ['succeeded', 'failed', 'cancelled'].includes(state);
  return (
    <>
      <p>
        <span className={`badge ${tones[state] ?? ''}`}>{state}</span> <b>{title}</b>{' '}
        <span className="quiet">
          <Moment at={job.completedAt ?? job.createdAt} />
          {job.startedAt && job.completedAt && ` ${words.took(secondsOf(job))}`}
          {job.user && ` ${words.by(job.user.name)}`}
        </span>
      </p>
      {!isOver && (
        <p className="running">
          <progress
            aria-label={title}
            {...(progressTotal ? { value: progressDone, max: progressTotal } : {})}
          />
          <span className="quiet">
            {progressStep} {words.progress(progressDone, progressTotal)}
          </span>
          <CancelIt job={job} renewed={[JobList]} />
        </p>
      )}
      <Came job={job} />
      {state === 'failed' && lastError && <p className="wrong">{lastError}</p>}
      {logs !== '' && (
        <details>
          <summary>
            {words.log}
            <span className="spoken"> {title}</span>
          </summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is wider than the page is moved by keys */}
          <pre tabIndex={0}>{logs}</pre>
        </details>
      )}
    </>
  );
}

/** What it brought; nothing where that is not known. */
function Came({ job: { result } }: { job: JobRow }) {
  const [came, changed] = [cameOf(result), changedBy(result)];
  if (came === '' && changed === '') return null;
  return (
    <p>
      {came} <span className="quiet">{changed}</span>
    </p>
  );
}

function secondsOf({ startedAt, completedAt }: JobRow): number {
  return Math.round((Date.parse(completedAt ?? '') - Date.parse(startedAt ?? '')) / 1000);
}
