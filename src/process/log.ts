// The log: JSON lines on standard error, each with the request or the job it belongs to.

import { type Logger, pino } from 'pino';
import type { Config } from '../config.ts';
import { namesOf } from '../tracing/access-log.ts';
import { LogOutput } from '../tracing/log-output.ts';
import { tasks } from '../tracing/task.ts';

const standardError = 2;

/** The log of a process. */
export interface OpenLog {
  readonly log: Logger;
  /** Lines that could not be written so far. */
  readonly droppedLines: () => number;
}

/** Open the log. A line that is written while a request or a job is worked on carries its id. */
export function openLog(level: Config['LOG_LEVEL']): OpenLog {
  const output = new LogOutput(standardError);
  process.once('exit', () => output.writeRest());
  return { log: pino({ level, mixin: namesHere }, output), droppedLines: () => output.dropped };
}

function namesHere(): object {
  const task = tasks.getStore();
  return task ? namesOf(task) : {};
}
