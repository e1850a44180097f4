// The log: JSON lines on standard error, each with the request or the job it belongs to.

import { type Logger, pino } from 'pino';
import type { Config } from './config.ts';
import { namesOf } from './tracing/access-log.ts';
import { tasks } from './tracing/task.ts';

/** Open the log. A line that is written while a request or a job is worked on carries its id. */
export function openLog(level: Config['LOG_LEVEL']): Logger {
  return pino({ level, mixin: namesHere }, pino.destination({ dest: 2, sync: false }));
}

function namesHere(): object {
  const task = tasks.getStore();
  return task ? namesOf(task) : {};
}
