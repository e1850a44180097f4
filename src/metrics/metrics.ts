// What the server reports to Prometheus about itself.

import type { Server } from 'node:http';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Config } from '../config.ts';
import type { Database } from '../database/database.ts';
import type { Closing } from '../limits/connections.ts';
import { programVersion } from '../process/program-version.ts';
import type { RequestTask, SentAnswer } from '../tracing/request.ts';
import { watchConnections } from './client-connections.ts';
import { watchLog, watchProcess } from './process.ts';
import { watchRequests } from './requests.ts';
import { watchState } from './state.ts';

/** The numbers of one process, and of the database that it shares with others. */
export interface Metrics {
  /** Count a request when it is over. */
  observe(request: RequestTask, answer: SentAnswer, ms: number): void;
  /** Report on the connections of a server; answers what is to be called with each that is closed on its client. */
  watchServer(server: Server): (why: Closing) => void;
  /** Subscriptions that are open. */
  readonly subscriptions: Gauge;
  /** All numbers in Prometheus' text format. */
  text(): Promise<string>;
  readonly contentType: string;
}

/** What is counted. */
export interface MetricsOptions {
  readonly database: Database;
  readonly role: Config['ROLE'];
  /** Whether the audit log is streamed to a receiver. */
  readonly streamsAudit?: boolean;
  /** Lines of the log that could not be written. */
  readonly droppedLines: () => number;
}

/** Start to count. Each process has numbers of its own; a scraper adds them up. */
export function createMetrics({
  database,
  role,
  streamsAudit = false,
  droppedLines,
}: MetricsOptions): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'headwater_build_info',
    help: 'Always 1; the labels say what runs.',
    labelNames: ['version', 'node', 'role'],
    registers: [registry],
  }).set({ version: programVersion(), node: process.version, role }, 1);
  const subscriptions = new Gauge({
    name: 'headwater_subscriptions',
    help: 'Subscriptions that are open on this process.',
    registers: [registry],
  });
  const observe = watchRequests(registry);
  const watchServer = watchConnections(registry);
  watchProcess(registry, database);
  watchLog(registry, droppedLines);
  const readState = watchState(registry, database, streamsAudit);
  return {
    observe,
    watchServer,
    subscriptions,
    async text() {
      await readState();
      return registry.metrics();
    },
    contentType: registry.contentType,
  };
}
