// Actions on a monitor: run, pause and mute.

import { useState } from 'react';
import { ask } from '../asking/ask.ts';
import { useAct, useAnswer } from '../asking/use-answer.ts';
import { isMuted } from '../monitors/rows.tsx';
import { Moment } from '../parts/moment.tsx';
import { Problem } from '../parts/problem.tsx';
import { monitorWords as words } from '../words/quality.ts';
import { isDeclared } from './head.tsx';
import { MuteMonitor, RunMonitor, RunOfMonitor, SaveMonitor } from './page.graphql';
import { type MonitorThere, renewed } from './shown.ts';

const hourMs = 3_600_000;
const muteHours = [1, 8, 24, 168, 720] as const;

/** The buttons; to be shown only to who may use them. */
export function Acts({ monitor }: { monitor: MonitorThere }) {
  const { id, version, isEnabled, mutedUntil } = monitor;
  const pause = useAct(
    () => ask(SaveMonitor, { id, version, input: { isEnabled: !isEnabled } }),
    renewed,
  );
  const mute = useAct(
    (hours: number | null) =>
      ask(MuteMonitor, {
        id,
        until: hours === null ? null : new Date(Date.now() + hours * hourMs).toISOString(),
      }),
    renewed,
  );
  const error = pause.error ?? mute.error;
  return (
    <>
      <div className="acts">
        {isEnabled && <Run id={id} />}
        {!isDeclared(monitor) && (
          <button
            type="button"
            disabled={pause.isPending}
            title={isEnabled ? words.pauseMeans : undefined}
            onClick={() => pause.mutate()}
          >
            {isEnabled ? words.pause : words.resume}
          </button>
        )}
        {isMuted(monitor) ? (
          <button type="button" disabled={mute.isPending} onClick={() => mute.mutate(null)}>
            {words.unmute}
          </button>
        ) : (
          <select
            aria-label={words.muteFor}
            value=""
            disabled={mute.isPending}
            onChange={({ currentTarget }) => mute.mutate(Number(currentTarget.value))}
          >
            <option value="">{words.mute} …</option>
            {muteHours.map((hours) => (
              <option key={hours} value={hours}>
                {words.muteTimes[hours]}
              </option>
            ))}
          </select>
        )}
      </div>
      {isMuted(monitor) && mutedUntil && (
        <p className="quiet line" role="status">
          {words.mutedUntil} {new Date(mutedUntil).toLocaleString('en')} (<Moment at={mutedUntil} />
          ).
        </p>
      )}
      {error && <Problem error={error} />}
    </>
  );
}

const lookMs = 500;
const ended = ['succeeded', 'failed', 'cancelled'];

/** Run it now, and say how that ended. */
function Run({ id }: { id: string }) {
  const [jobId, setJobId] = useState<string | null>(null);
  const start = useAct(async () => {
    const { runMonitors } = await ask(RunMonitor, { ids: [id] });
    setJobId(runMonitors.id);
  }, []);
  const job = useJob(jobId);
  const isRunning = start.isPending || (jobId !== null && !ended.includes(job?.state ?? ''));
  return (
    <>
      <button
        type="button"
        className="main"
        disabled={isRunning}
        onClick={() => {
          setJobId(null);
          start.mutate();
        }}
      >
        {isRunning ? words.running : words.run}
      </button>
      {!isRunning && job && (
        <span role="status" className="quiet">
          {job.state === 'succeeded' ? words.ran : job.lastError}
        </span>
      )}
      {start.error && <Problem error={start.error} />}
    </>
  );
}

/** A job until it has ended; the monitor's new measurement comes by itself. */
function useJob(id: string | null) {
  const { data } = useAnswer(
    RunOfMonitor,
    { id: id ?? '' },
    {
      isWanted: id !== null,
      again: (now) => (ended.includes(now?.job?.state ?? '') ? false : lookMs),
    },
  );
  return data?.job ?? null;
}
