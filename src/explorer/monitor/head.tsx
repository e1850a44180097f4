// Header of the monitor page: name, status, schedule.

import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { isMuted } from '../monitors/rows.tsx';
import { Moment } from '../parts/moment.tsx';
import { Status } from '../parts/status.tsx';
import { metricName } from '../words/names/metrics.ts';
import { scheduleInWords, monitorWords as words } from '../words/quality.ts';
import type { MonitorThere } from './shown.ts';

interface HeadProps {
  readonly monitor: MonitorThere;
  /** What can be done with it. */
  readonly acts: ReactNode;
}

/** The head. */
export function Head({ monitor, acts }: HeadProps) {
  const { name, status, metricType, metricConfig, target, integration, schedule } = monitor;
  const { isEnabled, nextRunAt, lastSuccessAt, lastErrorMessage, declaredIn } = monitor;
  return (
    <header className="head">
      <nav aria-label={words.on}>
        <Link href="/monitors">{words.title}</Link>
        {integration && <span>{integration.name}</span>}
      </nav>
      <div className="name">
        <h1>{name}</h1>
        <Status of={status} />
        {isMuted(monitor) && <span className="badge">{words.muted}</span>}
        {acts}
      </div>
      <p className="quiet line">
        {metricName(metricType)}
        {target && ` · ${target.titleFull}`}
        {metricConfig.timeColumn && ` · ${words.byPeriod(metricConfig.timeColumn)}`}
        {metricConfig.exclude.length > 0 && ` · ${words.without(metricConfig.exclude.join(', '))}`}{' '}
        · {scheduleInWords(schedule)}
        {lastSuccessAt && (
          <>
            {' · '}
            {words.lastRun} <Moment at={lastSuccessAt} />
          </>
        )}
        {nextRunAt && isEnabled && (
          <>
            {' · '}
            {Date.parse(nextRunAt) > Date.now() ? (
              <>
                {words.nextRun} <Moment at={nextRunAt} />
              </>
            ) : (
              words.due
            )}
          </>
        )}
        {!isEnabled && ` · ${words.paused}`}
      </p>
      {status === 'error' && (
        <div className="problem">
          <p>
            <b>{words.failed}</b> {lastErrorMessage}
          </p>
        </div>
      )}
      {isDeclared(monitor) && <p className="quiet line">{words.declared(declaredIn ?? '')}</p>}
    </header>
  );
}

/** Whether a project's files say what the monitor is: anyone who changed it here would be refused. */
export function isDeclared({
  declaredIn,
  undeclaredAt,
}: Pick<MonitorThere, 'declaredIn' | 'undeclaredAt'>): boolean {
  return declaredIn !== null && undeclaredAt === null;
}
