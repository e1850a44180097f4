// In charge of what a worker can do: the handlers and schedules of every feature.

import { sealSchedule } from './audit/seal.ts';
import type { Database } from './database/database.ts';
import { openConnector } from './integrations/connectors/open.ts';
import { extractionSchedule } from './integrations/extraction-schedule.ts';
import { leftoverSchedule } from './integrations/imports/leftovers.ts';
import { runSync, syncJob } from './integrations/live-sync.ts';
import { historyJob, runHistory } from './integrations/query-history.ts';
import { type JobHandlers, type Schedule, startWorker, type Worker } from './jobs/worker.ts';
import { runTrace, traceJob } from './lineage/trace.ts';
import { monitorSchedule, runJob } from './monitors/due.ts';
import { incidentDesk } from './monitors/incident-desk.ts';
import { runHandler } from './monitors/run.ts';
import { runTelling, tellJob } from './monitors/tell.ts';
import { deliveryHandler } from './notifications/deliver.ts';
import { forgetSchedule } from './notifications/forget.ts';
import { runGather } from './notifications/gather.ts';
import { gatherJob, gatherSchedule } from './notifications/gather-schedule.ts';
import { deliverJob } from './notifications/outbox.ts';
import type { Tracer } from './tracing/tracer.ts';

/** Handlers by kind of job. */
export const handlers: JobHandlers = {
  [syncJob]: runSync,
  [historyJob]: runHistory,
  [traceJob]: runTrace,
  [runJob]: runHandler(openConnector),
  [deliverJob]: deliveryHandler(incidentDesk),
  [tellJob]: runTelling,
  [gatherJob]: runGather,
};

/** What makes jobs when their time has come. */
export const schedules: readonly Schedule[] = [
  monitorSchedule,
  extractionSchedule,
  gatherSchedule,
  forgetSchedule,
  leftoverSchedule,
  sealSchedule,
];

/** Let this process work on the jobs of a database, until the worker is stopped. */
export function startWork(
  database: Database,
  onError: (error: unknown) => void,
  tracer: Tracer | null = null,
): Worker {
  return startWorker({ database, handlers, schedules, onError, tracer });
}
