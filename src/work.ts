// Job handlers and schedules of every feature.

import { headLogger } from './audit/head-log.ts';
import { sealSchedule } from './audit/seal.ts';
import { startAuditStream } from './audit/stream/stream.ts';
import type { Database } from './database/database.ts';
import { openConnector } from './integrations/connectors/open.ts';
import { dropLeftovers } from './integrations/imports/staging/leftovers.ts';
import { syncHandler, syncJob } from './integrations/syncs/live-sync.ts';
import { historyJob, runHistory } from './integrations/syncs/query-history.ts';
import { extractionSchedule } from './integrations/syncs/schedule.ts';
import { happeningJob } from './jobs/happening.ts';
import { hourly } from './jobs/hourly.ts';
import { forgetKeys } from './jobs/idempotency.ts';
import { type JobHandlers, type JobSchedule, startWorker, type Worker } from './jobs/worker.ts';
import { forgetLog } from './lineage/memory/forget.ts';
import { runTrace, traceJob } from './lineage/queries/trace-job.ts';
import { readDeclaredMonitors } from './monitors/declarations/declare.ts';
import { incidentDeliveries } from './monitors/incidents/delivery-record.ts';
import { failureJob, runFailureNotice } from './monitors/incidents/failure-notice.ts';
import { notifyJob, runNotify } from './monitors/incidents/notify.ts';
import { profileJob } from './monitors/profiles/profile.ts';
import { profileHandler, profileSchedule } from './monitors/profiles/take-profile.ts';
import { monitorSchedule, runJob } from './monitors/runs/due.ts';
import { runHandler } from './monitors/runs/run.ts';
import { runGather } from './notifications/changes/gather.ts';
import { gatherJob, gatherSchedule } from './notifications/changes/schedule.ts';
import { runMention } from './notifications/mention-notice.ts';
import { deliveryHandler } from './notifications/outbox/deliver.ts';
import { deliverJob } from './notifications/outbox/outbox.ts';
import { runHappening } from './notifications/webhooks/send-happening.ts';
import { runDrain } from './openlineage/drain/drain.ts';
import { askForUnseen, runUnseen, unseenJob } from './openlineage/drain/end-unseen.ts';
import { drainJob, drainSchedule, forgetRefusals } from './openlineage/events/queue.ts';
import { manyJob, runMany } from './properties/edit-many.ts';
import { mentionJob } from './resources/editing/mentioned-people.ts';
import { type RetentionSettings, retentionSchedule } from './retain.ts';
import type { Surroundings } from './surroundings.ts';
import type { LineLog } from './tracing/access-log.ts';
import type { Tracer } from './tracing/tracer.ts';

/** Handlers by kind of job. */
export const handlers: JobHandlers = {
  [syncJob]: syncHandler(readDeclaredMonitors),
  [historyJob]: runHistory,
  [traceJob]: runTrace,
  [runJob]: runHandler(openConnector),
  [profileJob]: profileHandler(openConnector),
  [deliverJob]: deliveryHandler(incidentDeliveries),
  [notifyJob]: runNotify,
  [failureJob]: runFailureNotice,
  [gatherJob]: runGather,
  [mentionJob]: runMention,
  [happeningJob]: runHappening,
  [drainJob]: runDrain,
  [unseenJob]: runUnseen,
  [manyJob]: runMany,
};

/** What makes jobs when their time has come, and what is done once an hour. */
const schedules: readonly JobSchedule[] = [
  monitorSchedule,
  extractionSchedule,
  profileSchedule,
  gatherSchedule,
  sealSchedule,
  drainSchedule,
  hourly(forgetKeys),
  hourly(forgetLog),
  hourly(forgetRefusals),
  hourly(askForUnseen),
  hourly(({ database }) => dropLeftovers(database)),
];

/** For whom a process works, and how. */
export interface WorkOptions {
  readonly database: Database;
  readonly surroundings: Surroundings;
  /** How long what only grows is kept. */
  readonly retention: RetentionSettings;
  readonly log: Pick<LineLog, 'info'> & { warn(message: string): void };
  readonly onError: (error: unknown) => void;
  readonly tracer: Tracer | null;
}

/**
 * Let this process work on the jobs of a database, until the worker is stopped; it logs the heads of the audit log,
 * streams that to its receiver, and deletes what is older than the settings say.
 */
export function startWork(options: WorkOptions): Worker {
  const { database, surroundings, retention, log, onError, tracer } = options;
  const all = [...schedules, hourly(headLogger(log)), retentionSchedule(retention)];
  const worker = startWorker({
    ...{ database, surroundings, handlers, schedules: all, onError, tracer },
  });
  const { auditReceiver: receiver, reach } = surroundings;
  if (receiver === null) return worker;
  const onNotice = (message: string) => log.warn(message);
  const stream = startAuditStream({ database, receiver, reach, onNotice });
  return {
    async stop(graceMs) {
      await Promise.all([worker.stop(graceMs), stream.stop()]);
    },
  };
}
